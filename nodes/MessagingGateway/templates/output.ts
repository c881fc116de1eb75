import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { typedIdentifier } from '../../gateway/contract/envelope';
import { listEntries, payloadFields } from '../../gateway/contract/payloads';
import type { WholeNumber } from '../fields/property';
import { property, readWhole, shownFor, wholeProperty } from '../fields/property';
import { asBoolean } from '../fields/values';
import type { Item } from '../run/item';
import type { FailedItem, ItemError } from '../run/item-result';
import type { Accepted } from '../run/row';

const LIMIT: WholeNumber = {
  displayName: 'Limit',
  name: 'limit',
  default: 50,
  min: 1,
  description: 'Max number of results to return',
};

const RETURN_ALL = property(
  'Return All',
  'returnAll',
  'Whether to return all results or only up to a given limit',
  { type: 'boolean', default: false },
);

/** n8n's usual pair for operations that return many items. */
export const limitProperties: INodeProperties[] = [
  RETURN_ALL,
  { ...wholeProperty(LIMIT), ...shownFor({ returnAll: [false] }) },
];

/** A template for SMS; the contract names its fields in words only (gateway-api.md, "Lookups and account"). */
export const smsTemplateSchema = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string().optional(),
  text: z.string().optional(),
  characters: z.number().optional(),
  parts: z.number().optional(),
});

/**
 * Returns the function that makes an item of each template of the account, up to the limit of the form.
 * @throws InvalidParameter for a switch or a limit that is none
 */
export function templateItems({ read }: Pick<Item, 'read'>): (accepted: Accepted) => IDataObject[] {
  const isAll = asBoolean(read(RETURN_ALL.name), RETURN_ALL.displayName) === true;
  const limit = isAll ? Infinity : readWhole(LIMIT, read);
  return ({ payload }) =>
    listEntries(payload)
      .slice(0, limit)
      .map(({ entry }) => payloadFields(entry) as IDataObject);
}

const COUNT_FIELDS = ['deleted', 'count', 'number', 'data'];

/**
 * Returns `deleted`, as n8n's guidelines require, and how many templates the gateway deleted; `count` is null where none of the usual
 * fields has a number (gateway-api.md, "What the contract leaves open"). The item fails where the gateway deleted none.
 */
export function deletedItem({ payload }: Accepted): IDataObject[] | FailedItem {
  const fields = payloadFields(payload) as IDataObject;
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  const count = COUNT_FIELDS.map((name) => typedIdentifier(fields[name])).find(isCount) ?? null;
  const deleted = typeof fields.deleted === 'boolean' ? fields.deleted : count !== 0;
  const json = { ...fields, deleted, count };
  return deleted ? [json] : { error: NO_TEMPLATE, state: 'refused', json };
}

const NO_TEMPLATE: ItemError = {
  kind: 'service',
  message: 'The gateway has no such template',
  description:
    "Nothing was deleted. Choose the template from the list of 'Template', or enter its whole text as 'Template Text'.",
  todo: "choose the template from the list of 'Template', or enter its whole text as 'Template Text'",
};

/** The output of a delete; `count` is null where the gateway doesn't name it. */
export const deletedSchema = z.object({ deleted: z.boolean(), count: z.number().nullable() });
