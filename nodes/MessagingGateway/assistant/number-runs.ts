import { parsePhone } from '../../gateway/numbers/phone';
import { fromJson } from '../../gateway/text/json';

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
 * notation is trusted: a string yields each of its readings, and so does a list of which the entries are parts of a number.
 * "1, 9005550123" is 9005550123 and 19005550123. What several arguments hold of one number isn't put together.
 */
export function numbersIn(args: unknown, name = ''): string[] {
  if (Array.isArray(args)) return [...args.flatMap((value) => numbersIn(value)), ...readings(asOne(args))];
  if (typeof args === 'object' && args !== null) {
    return Object.entries(args).flatMap(([key, value]) => [...numbersIn(key), ...numbersIn(value, key)]);
  }
  if (typeof args === 'number' || typeof args === 'bigint') return readings(plainly(args));
  if (typeof args !== 'string') return [];
  const inside = parsed(args);
  // A text for people isn't JSON; what is may be the body of a request.
  if (isTextName(name)) return typeof inside === 'object' ? numbersIn(inside) : [];
  return [
    ...readings(args),
    ...readings(withoutLetters(args)),
    ...readings(calculated(args)),
    ...numbersIn(inside),
  ];
}

/** The object, list or text that a string holds as JSON; undefined where it holds none. */
const parsed = (text: string): unknown => (/^\s*[{["]/.test(text) ? fromJson(text) : undefined);

/** The texts and numbers of a list, as if they were entries of one text. */
const asOne = (list: readonly unknown[]): string =>
  list
    .filter((value) => ['string', 'number', 'bigint'].includes(typeof value))
    .map((value) => (typeof value === 'string' ? withAsciiDigits(value) : plainly(value as number)))
    .filter((text) => digitsIn(text) > lettersIn(text))
    .join(', ');

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const digitsIn = (text: string): number => text.match(/\d/g)?.length ?? 0;
const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** A text of which most is digits without the letters that part them, as in "1900x555x0123"; empty for any other. */
function withoutLetters(text: string): string {
  const ascii = withAsciiDigits(text);
  const letters = lettersIn(ascii);
  if (letters === 0 || UUID.test(text) || digitsIn(ascii) <= letters) return '';
  return ascii.replace(/\p{L}+/gu, ' ');
}

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
