import { asciiForms } from '../text/characters';
import { asEntries } from '../text/json';

/** The prefixes of allowed numbers; `wrong` is an entry that isn't a prefix, or a value that isn't a list. */
export type AllowedPrefixes = { ok: true; prefixes: string[] } | { ok: false; wrong: unknown };

/** What people write between digits. */
const SEPARATORS = /[\s().\-/]/g;

/**
 * Reads a list of number prefixes such as "380, 48, 4477": beginnings of phone numbers in international format,
 * separated by commas, with or without a leading plus sign or 00; or an array of them. An empty list allows every number.
 * An entry that isn't a prefix is reported, since the list without this entry could allow nothing or everything; so is a value that
 * isn't a list, such as that of an expression without a value.
 */
export function parsePrefixes(list: unknown): AllowedPrefixes {
  const entries: unknown[] = Array.isArray(list) ? list : [list];
  const isText = (entry: unknown): entry is string | number =>
    typeof entry === 'string' || typeof entry === 'number';
  if (!entries.every(isText)) return { ok: false, wrong: entries.find((entry) => !isText(entry)) };
  const prefixes: string[] = [];
  for (const entry of asEntries(asciiForms(entries.join()))) {
    const prefix = String(entry)
      .replace(SEPARATORS, '')
      .replace(/^(?:\+|00)/, '');
    if (!/^[1-9]\d{0,14}$/.test(prefix)) return { ok: false, wrong: entry };
    prefixes.push(prefix);
  }
  return { ok: true, prefixes };
}
