/**
 * Readers of booleans and lists as gateways write them, in answers as in callbacks. Many are written in PHP, where a list with
 * gaps becomes an object keyed by index, and a form has no type but text.
 */

/** Returns true or false for 1, 0 and these words in any case as well; undefined for anything else, empty text included. */
export function readFlag(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 1 || word === '1' || word === 'true') return true;
  if (word === false || word === 0 || word === '0' || word === 'false') return false;
  return undefined;
}

/** An index as PHP has one: no sign, no leading zero. Up to 9 digits, so that all engines keep its order. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Returns the entries of a list with their places, in the order of these; an object counts where all its keys are indices,
 * also with gaps or beginning at 1, and one without keys as an empty list. Undefined for anything else.
 */
export function placedEntries(value: unknown): Array<[index: number, entry: unknown]> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key in value) if (!INDEX.test(key)) return undefined;
  return Object.entries(value).map(([key, entry]: [string, unknown]) => [Number(key), entry]);
}

/** Returns a list, or an object keyed by index as one without its gaps; undefined for anything else. */
export function readList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  return placedEntries(value)?.map(([, entry]) => entry);
}
