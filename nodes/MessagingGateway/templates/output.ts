import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { typedIdentifier } from '../../gateway/contract/envelope';
import { listEntries, payloadFields } from '../../gateway/contract/payloads';
import { property, shownFor } from '../fields/property';
import type { Item } from '../run/item';
import type { Accepted } from '../sending/row';

/** n8n's usual pair for operations that return many items. */
export const limitProperties: INodeProperties[] = [
  property('Return All', 'returnAll', 'Whether to return all results or only up to a given limit', {
    type: 'boolean',
    default: false,
  }),
  property('Limit', 'limit', 'Max number of results to return', {
    type: 'number',
    default: 50,
    typeOptions: { minValue: 1 },
    ...shownFor({ returnAll: [false] }),
  }),
];

/** A template for SMS; the contract names its fields in words only (gateway-api.md, "Lookups and account"). */
export const smsTemplateSchema = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string().optional(),
  text: z.string().optional(),
  characters: z.number().optional(),
  parts: z.number().optional(),
});

/** Returns one item for each template of the account, up to the limit. */
export function templateItems({ payload }: Accepted, { read }: Pick<Item, 'read'>): IDataObject[] {
  const items = listEntries(payload).map(({ entry }) => payloadFields(entry) as IDataObject);
  if (read('returnAll', false) === true) return items;
  const limit = Number(read('limit', 50));
  return items.slice(0, Number.isFinite(limit) && limit >= 1 ? Math.floor(limit) : 50);
}

const COUNT_FIELDS = ['deleted', 'count', 'number', 'data'];

/**
 * Returns `deleted`, as n8n's guidelines require, and the number of templates that the gateway deleted; null where none of the
 * usual fields has a number (gateway-api.md, "What the contract leaves open").
 */
export function deletedItem({ payload }: Accepted): IDataObject[] {
  const fields = payloadFields(payload) as IDataObject;
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  const count = COUNT_FIELDS.map((name) => typedIdentifier(fields[name])).find(isCount) ?? null;
  const deleted = typeof fields.deleted === 'boolean' ? fields.deleted : count !== 0;
  return [{ ...fields, deleted, count }];
}

/** The output of a delete; `count` is null where the gateway doesn't name it. */
export const deletedSchema = z.object({ deleted: z.boolean(), count: z.number().nullable() });
