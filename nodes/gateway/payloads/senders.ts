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
    const name =
      typeof entry === 'string' ? entry : isObject(entry) ? firstString(entry, NAME_FIELDS) : undefined;
    if (name === undefined) return { entry };
    const channel = (isObject(entry) ? firstString(entry, CHANNEL_FIELDS) : undefined) ?? group;
    return { entry, sender: { name, ...(channel !== undefined && { channel }) } };
  });
}

function firstString(entry: object, fields: string[]): string | undefined {
  const values = fields.map((field) => (entry as Record<string, unknown>)[field]);
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
