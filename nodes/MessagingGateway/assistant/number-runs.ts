import { fromJson } from '../../gateway/contract/json';
import { parsePhone } from '../../gateway/numbers/phone';

/** Digits of the shortest and of the longest phone number. */
const FEWEST = 7;
const MOST = 15;

/** Last word of the names of arguments that hold a text for people, in which numbers may stand. */
const TEXT_NAME = /(?:^|[^a-z])(?:message|text|body|caption)$/i;
const CAMEL_TEXT_NAME = /[a-z0-9](?:Message|Text|Body|Caption)$/;

const isTextName = (name: string): boolean => TEXT_NAME.test(name) || CAMEL_TEXT_NAME.test(name);

/**
 * Returns all numbers of 7 to 15 digits in the keys and values of a tool's arguments, except in texts, without a leading
 * 00. The contract names none of these arguments, and their values may come from an agent, so neither a name nor a
 * notation is trusted: a string yields each of its readings. "1, 9005550123" is 9005550123 and 19005550123.
 */
export function numbersIn(args: unknown, name = ''): string[] {
  if (Array.isArray(args)) return args.flatMap((value) => numbersIn(value));
  if (typeof args === 'object' && args !== null) {
    return Object.entries(args).flatMap(([key, value]) => [...numbersIn(key), ...numbersIn(value, key)]);
  }
  if (typeof args === 'number' || typeof args === 'bigint') return readings(plainly(args));
  if (typeof args !== 'string' || isTextName(name)) return [];
  return [...readings(args), ...readings(calculated(args)), ...numbersIn(parsed(args))];
}

/** The object, list or text that a string holds as JSON; undefined where it holds none. */
const parsed = (text: string): unknown => (/^\s*[{["]/.test(text) ? fromJson(text) : undefined);

/** A number without an exponent. */
const plainly = (value: number | bigint): string =>
  Number.isInteger(value) ? BigInt(value).toString() : String(value);

/** What JavaScript takes a text for, such as "0x46d0e5b4b" or "1.9005550123e10"; empty where it isn't a number. */
function calculated(text: string): string {
  const number = /^[\s+]*[\d.]/.test(text) ? Number(text.trim().replace(/_/g, '')) : NaN;
  return Number.isFinite(number) ? plainly(number) : '';
}

/** Digits with anything but letters between them, and the plus before them. */
const STRETCH = /\+?\d(?:[^\p{L}]*\d)?/gu;
/** What separates the entries of a list, in addition to a plus before a digit. */
const LIST_MARKS = /[,;|\n\r\t"'`{}[\]<>:=&]+|(?=\+)/;

function readings(text: string): string[] {
  const ascii = withAsciiDigits(text);
  return Array.from(ascii.matchAll(STRETCH), ([stretch]) => readStretch(stretch)).flat();
}

/** Every join of neighbouring groups of digits. A list of which each entry is a phone number as it stands has these. */
function readStretch(stretch: string): string[] {
  const entries = stretch
    .split(LIST_MARKS)
    .filter((entry) => /\d/.test(entry))
    .map((entry) => parsePhone(entry));
  const groups = entries.every((entry) => entry.ok)
    ? entries.map(({ phone }) => String(phone))
    : (stretch.match(/\d+/g) ?? []);
  const found: string[] = [];
  for (const start of groups.keys()) {
    let joined = '';
    for (const group of groups.slice(start, start + MOST)) {
      joined += group;
      // As in 00 44 7700; a single 0 begins a national number, of which nobody knows the country.
      const number = joined.replace(/^00+/, '');
      if (number.length > MOST) break;
      if (number.length >= FEWEST) found.push(number);
    }
  }
  return found;
}

/** Returns text with the digits of every script as ASCII, and without what nobody sees. */
function withAsciiDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** The digits of a script follow each other from 0 to 9. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
