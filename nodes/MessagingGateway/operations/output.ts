import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { typedIdentifier } from '../../gateway/contract/envelope';
import type { Accepted } from './definition';

const identifier = z.union([z.number(), z.string()]);

/** Output of a send (design: `id`, `type`, `phone`, the payload's fields and, when queued, `request_id`). */
export const sendOutputSchema = z.object({
  id: identifier,
  type: z.string(),
  phone: z.number(),
  msg_id: identifier.optional(),
  parts: z.number().optional(),
  request_id: z.string().optional(),
});

/** The fields of a payload that is an object; anything else is kept under `data`. */
export function payloadFields(payload: unknown): IDataObject {
  if (payload === undefined || payload === null) return {};
  if (typeof payload !== 'object' || Array.isArray(payload)) return { data: payload as IDataObject['data'] };
  const fields: IDataObject = { ...(payload as IDataObject) };
  for (const name of ['id', 'msg_id']) {
    if (name in fields) fields[name] = typedIdentifier(fields[name]);
  }
  return fields;
}

/** One item for an operation on a phone number: what was sent, then what the gateway says of it. */
export function sendOutput({ operation, payload, requestId }: Accepted): IDataObject[] {
  const { id, type, phone } = operation;
  const sent: IDataObject = { id, type, phone };
  const queued = requestId === undefined ? {} : { request_id: requestId };
  return [{ ...sent, ...payloadFields(payload), ...sent, ...queued }];
}

/** One item with the payload as it is. */
export const plainOutput = ({ payload }: Accepted): IDataObject[] => [payloadFields(payload)];

interface ListEntry {
  entry: unknown;
  /** Name of the list that it stands in, such as a channel. */
  group?: string;
}

/**
 * The entries of a payload that lists things. The contract does not say how a list is wrapped ("Gaps in the field
 * descriptions"), so a list, an object that holds one list, an object of lists by name, and either of these one level
 * deeper are all understood. An object whose keys are all numbers is a list too, as PHP writes one with gaps.
 */
export function listEntries(payload: unknown): ListEntry[] {
  const whole = asList(payload);
  if (whole) return whole.map((entry) => ({ entry }));
  const found = namedLists(payload);
  return found.length > 0 ? found : valuesOf(payload).flatMap(namedLists);
}

function namedLists(payload: unknown): ListEntry[] {
  if (typeof payload !== 'object' || payload === null) return [];
  const lists = Object.entries(payload).flatMap(([group, value]) => {
    const entries = asList(value);
    return entries ? [{ group, entries }] : [];
  });
  return lists.flatMap(({ group, entries }) =>
    entries.map((entry) => (lists.length === 1 && WRAPPERS.has(group) ? { entry } : { entry, group })),
  );
}

const valuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function asList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

/** Names under which a whole list is commonly wrapped; any other name is a group, such as a channel. */
const WRAPPERS = new Set(['list', 'items', 'data', 'templates', 'senders', 'sender', 'result', 'results']);
