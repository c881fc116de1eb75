import { readList } from '../contract/readers';
import { isObject } from '../text/json';

export interface ListEntry {
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
