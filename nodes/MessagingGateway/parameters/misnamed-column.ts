import { withoutUnseen } from '../../gateway/text/characters';
import { LONGEST_NAME } from '../../gateway/text/gate';
import { isObject } from '../../gateway/text/json';

/** The column that a placeholder takes from its item, in any spelling. */
const COLUMN =
  /\$(?:json|input\.(?:item|first\(\)|last\(\))\.json)(?:\?\.)?(?:\.?([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*'((?:[^'\\]|\\.)*)'|\[\s*"((?:[^"\\]|\\.)*)")/gu;

/** A name as a person tells it from others: without its blanks, its case and what nobody sees; undefined for a long one. */
function asSeen(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  return withoutUnseen(name.normalize('NFKC'))
    .replace(/[\s_-]+/g, '')
    .toLowerCase();
}

/**
 * Says which column was probably meant where a placeholder names one that an item doesn't have, and the item has one that looks
 * like it: in other letters, with blanks, with one letter more, less or another, with two letters that changed places, or with a
 * character that nobody sees, such as the byte order mark with which exports begin. Undefined where nothing is like it. Takes a
 * text with the placeholders, and the item's `json`.
 */
export function misnamedColumn(placeholders: string, json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  for (const [, plain, single, double] of placeholders.matchAll(COLUMN)) {
    const wanted = (plain ?? single ?? double).replace(/\\(.)/g, '$1');
    const seen = asSeen(wanted);
    if (seen === undefined || Object.hasOwn(json, wanted)) continue;
    const names = Object.keys(json).map((name) => ({ name, asSeen: asSeen(name) }));
    const meant =
      names.find((one) => one.asSeen === seen) ??
      names.find((one) => one.asSeen !== undefined && isMistyped(seen, one.asSeen));
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
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return Math.max(a.length, b.length) < 2 || (a.length === 2 && b === a[1] + a[0]);
}
