/** How a value that came from a gateway is shown in a terminal. */

const MOST_SHOWN = 120;

/** Characters that would steer a terminal or turn the line around. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu;

/** A text from outside in quotation marks: on one line, without control characters, cut where it is long. */
export function quoted(text: string): string {
  const line = text.replace(UNSHOWN, ' ').replace(/\s+/g, ' ').trim();
  return `"${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line}"`;
}

/** What a value is, in words: `missing`, `the text "1"`, `the number 1`, `a list of 2` ... */
export function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'an empty text' : `the text ${quoted(value)}`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  const shown = names.slice(0, 6).map((name) => quoted(name).slice(1, -1));
  return `an object with ${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}
