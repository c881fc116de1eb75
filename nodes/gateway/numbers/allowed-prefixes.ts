import { asciiForms } from '../text/characters';

/** Which numbers may be sent to; `wrong` is an entry of the list that isn't a prefix. */
export type AllowedPrefixes = { ok: true; prefixes: string[] } | { ok: false; wrong: string };

const SEPARATORS = /[,;\r\n]/;
const MARKS = /[\s().\-/]/g;

/**
 * Reads a list of number prefixes such as "380, 48, 4477": beginnings of phone numbers in international format,
 * separated by commas, with or without a leading plus sign or 00. An empty list allows every number. An entry that
 * isn't a prefix is reported instead of left out, since without it the list could allow nothing or everything.
 */
export function parsePrefixes(list: unknown): AllowedPrefixes {
  const text = typeof list === 'string' || typeof list === 'number' ? asciiForms(String(list)) : '';
  const prefixes: string[] = [];
  for (const entry of text.split(SEPARATORS)) {
    const written = entry.replace(MARKS, '');
    if (written === '') continue;
    const prefix = written.replace(/^(?:\+|00)/, '');
    if (!/^[1-9]\d{0,14}$/.test(prefix)) return { ok: false, wrong: entry.trim() };
    prefixes.push(prefix);
  }
  return { ok: true, prefixes };
}

/** Whether a number, digits only, begins with one of the prefixes; any number does where there are none. */
export const hasPrefix = (prefixes: readonly string[], phone: number | string): boolean =>
  prefixes.length === 0 || prefixes.some((prefix) => String(phone).startsWith(prefix));
