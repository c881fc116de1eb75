import { payloadFields } from './fields';
import { asList, listEntries } from './lists';

/** A sender of the account. `channel` is set where the gateway says it. */
export interface Sender {
  name: string;
  channel?: string;
}

const NAME_FIELDS = ['name', 'signature', 'sender', 'alpha_name', 'alphaname', 'title', 'value'];
const CHANNEL_FIELDS = ['channel', 'type', 'service'];

/**
 * Reads the payload of `sender` (gateway-api.md, "Lookups and account"). The contract doesn't show its fields,
 * so names, objects, and lists of either by channel are understood; entries without a name are ignored.
 */
export function readSenders(payload: unknown): Sender[] {
  const entries = listEntries(payload);
  const senders = entries.flatMap(({ entry, group }): Sender[] => {
    if (typeof entry === 'string') return [{ name: entry, channel: group }];
    if (typeof entry !== 'object' || entry === null) return [];
    const name = firstString(entry, NAME_FIELDS);
    return name === undefined ? [] : [{ name, channel: firstString(entry, CHANNEL_FIELDS) ?? group }];
  });
  return senders.map(({ name, channel }) => (channel === undefined ? { name } : { name, channel }));
}

/** The payload of `sender` with its senders as one list; other fields are kept. */
export function sendersPayload(payload: unknown): Record<string, unknown> & { senders: Sender[] } {
  const fields = asList(payload) ? {} : payloadFields(payload);
  return { ...fields, senders: readSenders(payload) };
}

function firstString(entry: object, fields: string[]): string | undefined {
  const values = fields.map((field) => (entry as Record<string, unknown>)[field]);
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
