import { isObject } from '../text/json';
import { readList, typedIdentifier } from './envelope';

/**
 * The fields of a payload that is an object, with typed identifiers; any other payload is kept under `data`
 * (gateway-api.md, "Synchronous answers": extra properties are allowed). Returns the payload itself where it has them
 * already: a run has one for each message.
 */
export function payloadFields(payload: unknown): Record<string, unknown> {
  if (payload === undefined || payload === null) return {};
  if (typeof payload !== 'object' || Array.isArray(payload)) return { data: payload };
  const fields = payload as Record<string, unknown>;
  const id = typedIdentifier(fields.id);
  const messageId = typedIdentifier(fields.msg_id);
  if (id === fields.id && messageId === fields.msg_id) return fields;
  return { ...fields, ...('id' in fields && { id }), ...('msg_id' in fields && { msg_id: messageId }) };
}

interface ListEntry {
  entry: unknown;

  /** Name of the list that holds the entry, such as a channel; missing where the name only says that it's a list. */
  group?: string;
}

/**
 * The entries of a payload that lists something. The contract doesn't show how a list is wrapped (gateway-api.md,
 * "What the contract leaves open"), so all of these are understood: a list, an object that holds a list, an object of
 * lists by name, and each of them inside another object.
 */
export function listEntries(payload: unknown): ListEntry[] {
  const list = readList(payload);
  if (list) return list.map((entry) => ({ entry }));
  if (!isObject(payload)) return [];
  const entries = entriesOfLists(payload);
  if (entries) return entries;
  const inner = Object.entries(payload).filter((pair): pair is [string, object] => isObject(pair[1]));
  const wrapped = inner.filter(([name]) => WRAPPERS.has(name));
  return (wrapped.length > 0 ? wrapped : inner).flatMap(([, object]) => entriesOfLists(object) ?? []);
}

/** The entries of the lists that an object holds; undefined where it holds none. */
function entriesOfLists(object: object): ListEntry[] | undefined {
  const lists = Object.entries(object).flatMap(([group, value]) => {
    const list = readList(value);
    return list ? [{ group, list }] : [];
  });
  if (lists.length === 0) return undefined;
  return lists.flatMap(({ group, list }) =>
    list.map((entry) => (lists.length === 1 && WRAPPERS.has(group) ? { entry } : { entry, group })),
  );
}

/** Names under which lists are commonly wrapped; any other name is a group, such as a channel. */
const WRAPPERS = new Set(['list', 'items', 'data', 'templates', 'senders', 'sender', 'result', 'results']);

/** A sender of the account. `channel` is set where the gateway names the channel. */
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
  senderEntries(payload).flatMap(({ sender }) => (sender === undefined ? [] : [sender]));

/** Returns the payload of `sender` with its senders as one list. Entries without a name, and other fields, are as they came. */
export function sendersPayload(payload: unknown): Record<string, unknown> & { senders: unknown[] } {
  const fields = readList(payload) ? {} : payloadFields(payload);
  // A `channel` that the entry itself has counts more than the name of its list.
  const senders = senderEntries(payload).map(({ entry, sender }) =>
    isObject(entry) ? { ...sender, ...entry, ...(sender && { name: sender.name }) } : (sender ?? entry),
  );
  return { ...fields, senders };
}

/** The entries of a payload, each with the sender that it names, if it names one. */
function senderEntries(payload: unknown): Array<{ entry: unknown; sender?: Sender }> {
  return listEntries(payload).map(({ entry, group }) => {
    const name = isObject(entry) ? firstText(entry, NAME_FIELDS) : textIn(entry);
    if (name === undefined) return { entry };
    const channel = (isObject(entry) ? firstText(entry, CHANNEL_FIELDS) : undefined) ?? group;
    return { entry, sender: { name, ...(channel !== undefined && { channel }) } };
  });
}

const firstText = (entry: Record<string, unknown>, fields: string[]): string | undefined =>
  fields.map((field) => textIn(entry[field])).find((text) => text !== undefined);

/** Returns a text; PHP makes a number of a sender that has digits alone, such as a short code. */
const textIn = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
