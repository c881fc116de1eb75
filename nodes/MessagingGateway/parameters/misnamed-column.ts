import { withoutUnseen } from '../../gateway/text/characters';
import { LONGEST_NAME, MAX_COLUMNS } from '../../gateway/text/gate';
import { isObject } from '../../gateway/text/json';

/** The column that a placeholder takes from its item, in any spelling. */
const COLUMN =
  /\$(?:json|input\.(?:item|first\(\)|last\(\))\.json)(?:\?\.)?(?:\.?([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*'((?:[^'\\]|\\.)*)'|\[\s*"((?:[^"\\]|\\.)*)")/gu;

/** A name as a person tells it from others: without its blanks, its case and what nobody sees. */
const asSeen = (name: string): string =>
  withoutUnseen(name.normalize('NFKC'))
    .replace(/[\s_-]+/g, '')
    .toLowerCase();

/** Characters by which the spelling of a name may be longer than the name: marks and blanks, half as much again, and a few. */
const longestSpelling = (name: string): number => 2 * name.length + 10;

/** Finds, for the rows of a run, which columns were probably meant. */
export class MisnamedColumns {
  private readonly known = new Map<string, string | undefined>();

  /** Names that may still be compared: rows may have millions, each of which a stranger wrote. */
  private left = MAX_COLUMNS;

  /**
   * Says which column was probably meant where a placeholder names one that an item doesn't have, and the item has one that looks
   * like it: in other letters, with blanks, with one letter more, less or another, with two letters that changed places, or with a
   * character that nobody sees, such as the byte order mark with which exports begin. Undefined where nothing is like it. Takes a
   * text with the placeholders, and the item's `json`. Items with the same columns are compared once.
   */
  meantBy(placeholders: string, json: unknown): string | undefined {
    const names = isObject(json) ? Object.keys(json) : [];
    if (names.length > MAX_COLUMNS) return undefined;
    const row = JSON.stringify([placeholders, names]);
    if (!this.known.has(row) && this.left >= names.length) {
      this.left -= names.length;
      this.known.set(row, meantAmong(names, placeholders));
    }
    return this.known.get(row);
  }
}

function meantAmong(names: string[], placeholders: string): string | undefined {
  for (const [, plain, single, double] of placeholders.matchAll(COLUMN)) {
    const wanted = (plain ?? single ?? double).replace(/\\(.)/g, '$1');
    if (wanted.length > LONGEST_NAME || names.includes(wanted)) continue;
    const seen = asSeen(wanted);
    const similar = names
      .filter(({ length }) => length <= longestSpelling(wanted))
      .map((name) => ({ name, asSeen: asSeen(name) }));
    const meant =
      similar.find((one) => one.asSeen === seen) ?? similar.find((one) => isMistyped(seen, one.asSeen));
    if (meant === undefined) continue;
    const name = withoutUnseen(meant.name);
    return name === wanted
      ? `the name of the column "${wanted}" has a character that nobody sees: drag the column from the input into the field`
      : `the column is called "${name}"`;
  }
  return undefined;
}

/** Names shorter than this differ by a letter because they are others, such as `id` and `ip`. */
const SHORTEST_MISTYPED = 4;

/** Whether two names differ by one letter, or by two letters that changed places. */
function isMistyped(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < SHORTEST_MISTYPED) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const max = Math.min(one.length, other.length) - start;
  while (end < max && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return Math.max(a.length, b.length) < 2 || (a.length === 2 && b === a[1] + a[0]);
}
