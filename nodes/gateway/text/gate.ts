/**
 * The gate: how long a text from outside may be, once for all that comes in. Whatever reads such a text behind the gate needs no
 * bound of its own, as long as its work grows with the length of the text and no faster. `test/unit/build/gate.test.mts` shows that
 * nothing comes in elsewhere.
 */

/** Characters that a value of a parameter may have, by what it is. */
export const LONGEST_VALUE = {
  /** A text for people. */
  text: 20_000,

  /** A name, a key, a code, a number or a link. */
  word: 4000,

  /** JSON, or a list. */
  list: 1_000_000,
} as const;

/** Bytes of a call from outside, far more than any callback or form has. */
export const LARGEST_BODY = 1_000_000;

/** Characters of all the items that one call from outside may become. */
export const LONGEST_EVENTS = 8_000_000;

/** Characters of one answer, by who gives it. */
export const LONGEST_ANSWER_OF = {
  /** The gateway: 800 for each operation of the largest batch. */
  gateway: 8_000_000,

  /** The connector: the list of its tools, or the result of one tool. */
  connector: 2_000_000,

  /** The connector's health: two switches and a name. */
  health: 10_000,
} as const;

/**
 * Values in a text of JSON from outside, counted by the brackets and commas in front of them: 100 for each operation of the largest
 * batch. Parsing millions of values would hold up all of n8n.
 */
export const MAX_VALUES = 1_000_000;

/** Events in one answer of the connector, and tools in one list. */
export const MAX_ENTRIES = 1000;

/** Numbers in a Stop List, which a public form may fill: reading one takes up to two microseconds. */
export const MAX_STOPPED = 50_000;

/** Characters of the name of a field or a column, more than anybody gives one. */
export const LONGEST_NAME = 200;

/** Names of columns among which a run looks for the one that was meant: those of some rows, far more than any table has. */
export const MAX_COLUMNS = 1000;

/** A text that has more characters than may come in; `name` is that of the parameter that holds the text. */
export interface Excess {
  name: string;
  length: number;
  max: number;
}

/** Whether a value is a list or an object as JSON has them: a date, say, has no fields to look into. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/**
 * Returns the first text in a value that is longer than it may be; undefined where there is none. `maxOf` returns how many
 * characters a parameter may have, by its name; undefined for a name that is no parameter's: its text counts among those of the
 * parameter around it.
 */
export function excessIn(
  value: unknown,
  name: string,
  maxOf: (name: string) => number | undefined,
): Excess | undefined {
  const max = maxOf(name) ?? LONGEST_VALUE.list;
  let length = 0;
  const walk = (inner: unknown): Excess | undefined => {
    if (typeof inner === 'string') length += inner.length;
    const isList = Array.isArray(inner);
    for (const [key, entry] of isPlain(inner) ? Object.entries(inner) : []) {
      const isParameter = !isList && maxOf(key) !== undefined;
      if (!isList && !isParameter) length += key.length;
      const excess = isParameter ? excessIn(entry, key, maxOf) : walk(entry);
      if (excess !== undefined) return excess;
    }
    return length > max ? { name, length, max } : undefined;
  };
  return walk(value);
}
