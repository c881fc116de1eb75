import { readList } from '../contract/readers';
import { isObject } from '../text/json';
import { payloadFields } from './fields';
import { listEntries } from './lists';

/** A sender of the account, with all that the gateway says of it. `channel` is set where that is known. */
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
export const readSenders = (payload: unknown): Sender[] =>
  entriesOf(payload).flatMap(({ sender }) => (sender === undefined ? [] : [sender]));

/** The payload of `sender` with its senders as one list; entries without a name, and other fields, are as they came. */
export function sendersPayload(payload: unknown): Record<string, unknown> & { senders: unknown[] } {
  const fields = readList(payload) ? {} : payloadFields(payload);
  const senders = entriesOf(payload).map(({ entry, sender }) =>
    isObject(entry) ? { ...sender, ...entry, ...(sender && { name: sender.name }) } : (sender ?? entry),
  );
  return { ...fields, senders };
}

/** The entries of a payload, each with the sender that it names, if it names one. */
function entriesOf(payload: unknown): Array<{ entry: unknown; sender?: Sender }> {
  return listEntries(payload).map(({ entry, group }) => {
    const name = isObject(entry) ? firstText(entry, NAME_FIELDS) : textOf(entry);
    if (name === undefined) return { entry };
    const channel = (isObject(entry) ? firstText(entry, CHANNEL_FIELDS) : undefined) ?? group;
    return { entry, sender: { name, ...(channel !== undefined && { channel }) } };
  });
}

const firstText = (entry: Record<string, unknown>, fields: string[]): string | undefined =>
  fields.map((field) => textOf(entry[field])).find((text) => text !== undefined);

/** Returns a text; PHP makes a number of a sender that has digits alone, such as a short code. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
