import { withoutUnseen } from '../../gateway/text/characters';
import { isObject } from '../../gateway/text/json';

/** The fields of an item that an expression names: `$json.name` and `$json['name']`. */
const NAMED = /\$json(?:\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(["'])(.+?)\2\s*\])/gu;

/** A name as a person tells it from others: without its blanks, its case and what nobody sees. */
const asSeen = (name: string): string =>
  withoutUnseen(name.normalize('NFKC'))
    .replace(/[\s_-]+/g, '')
    .toLowerCase();

/**
 * Says which field was probably meant where an expression names a field that an item doesn't have, and the item has one that
 * looks like it: in other letters, with blanks, or with a character that nobody sees, such as the byte order mark with which
 * exports begin. Undefined where nothing is like it. Takes the source of an expression, and the item's `json`.
 */
export function misnamedColumn(source: string, json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const names = Object.keys(json);
  for (const [, dotted, , bracketed] of source.matchAll(NAMED)) {
    const wanted = dotted ?? bracketed;
    if (Object.hasOwn(json, wanted)) continue;
    const seen = asSeen(wanted);
    const meant = names.find((name) => asSeen(name) === seen);
    if (meant === undefined) continue;
    return withoutUnseen(meant) === wanted
      ? `the name of the column "${wanted}" has a character that nobody sees: drag the column from the input into the field`
      : `the column is called "${withoutUnseen(meant)}"`;
  }
  return undefined;
}
