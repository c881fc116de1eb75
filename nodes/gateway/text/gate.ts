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

/** Brackets and commas in JSON of others, of which each begins a value: 100 for each operation of the largest batch. To make millions of values holds n8n. */
export const MOST_VALUES = 1_000_000;

/** Events in one answer of the connector, and tools in one list. */
export const MOST_ENTRIES = 1000;

/** Characters of a name of a field or a column: a longer one is nobody's. */
export const LONGEST_NAME = 200;

/** Names of columns among which a run looks for the one that was meant: those of some rows, far more than any table has. */
export const MOST_COLUMNS = 1000;

/** A text that has more characters than may come in; `name` is that of the parameter that holds the text. */
export interface Excess {
  name: string;
  length: number;
  most: number;
}

/** Whether a value is a list or an object of JSON: dates and the like have no text of people. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/**
 * Returns the first text in a value that is longer than it may be; undefined where there is none. `mostOf` returns how many
 * characters a parameter may have, by its name; undefined for a name that is no parameter's: its text counts among those of the
 * parameter around it.
 */
export function excessIn(
  value: unknown,
  name: string,
  mostOf: (name: string) => number | undefined,
): Excess | undefined {
  const most = mostOf(name) ?? LONGEST_VALUE.list;
  let length = 0;
  const walk = (inner: unknown): Excess | undefined => {
    if (typeof inner === 'string') length += inner.length;
    if (!isPlain(inner)) return length > most ? { name, length, most } : undefined;
    for (const [key, one] of Object.entries(inner)) {
      const isParameter = !Array.isArray(inner) && mostOf(key) !== undefined;
      if (!isParameter && !Array.isArray(inner)) length += key.length;
      const excess = isParameter ? excessIn(one, key, mostOf) : walk(one);
      if (excess !== undefined) return excess;
    }
    return length > most ? { name, length, most } : undefined;
  };
  return walk(value);
}
