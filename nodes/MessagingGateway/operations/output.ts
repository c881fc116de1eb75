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

/**
 * The entries of a payload that lists things. The contract does not say how a list is wrapped, so a list,
 * an object that holds one list and an object of lists by name are all understood.
 */
export function listEntries(payload: unknown): Array<{ entry: unknown; group?: string }> {
  if (Array.isArray(payload)) return payload.map((entry: unknown) => ({ entry }));
  if (typeof payload !== 'object' || payload === null) return [];
  const lists = Object.entries(payload).filter((pair): pair is [string, unknown[]] => Array.isArray(pair[1]));
  return lists.flatMap(([group, entries]) =>
    entries.map((entry) => (lists.length === 1 && WRAPPERS.has(group) ? { entry } : { entry, group })),
  );
}

/** Names under which a whole list is commonly wrapped; any other name is a group, such as a channel. */
const WRAPPERS = new Set(['list', 'items', 'data', 'templates', 'senders', 'sender', 'result', 'results']);
