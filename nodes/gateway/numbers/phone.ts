import { PHONE_DIGITS } from '../contract/wire-fields';
import { asciiForms, QUOTATION_MARKS } from '../text/characters';
import type { Country } from './countries';
import { nationalNumbers } from './countries';
import { callingCodeOf, isInPlan, NUMBERING_PLANS, whyImpossible, whyMisdialled } from './numbering-plans';

type PhoneResult = { ok: true; phone: number } | { ok: false; reason: string };

/** Longer text is refused unread; a phone number with all its marks has far fewer characters. */
const LONGEST_TEXT = 200;

/** Digits of the longest numbers that people write without country code and without 0: mobile phones in Brazil. */
const LONGEST_NATIONAL = 11;

/** The lengths of the groups in which Brazilians write these numbers, as in 11 91234 5678. */
const BRAZILIAN_GROUPS = [2, 5, 4];

const NOT_A_NUMBER = 'is not a phone number';
const APART = 'give each an item of its own, for example with the node Split Out';
const SEVERAL = `holds more than one number; ${APART}`;
const TOO_LONG = `has more than ${PHONE_DIGITS.max} digits, the most that a phone number has; if it holds several numbers, ${APART}`;
const NO_CODE =
  "needs its country code; write + and the country code instead of a leading 0 or dial-out prefix, or add the option 'Default Country'";
const NATIONAL =
  "looks like a number without its country code; write + and the country code in front, or add the option 'Default Country'";
const DIAL_OUT = 'starts with a dial-out prefix other than 00; write + and the country code instead';
const BRACKETED_ZERO = 'has a 0 in brackets; write the number as it is dialled from abroad';
const EXPORT_AGAIN = 'format the column as text and export it again';

/** A number as most databases have it. */
const PLAIN = /^\+?[1-9]\d{0,14}$/;

/** Digits as they are dialled at home or abroad. */
const DIGITS = /^\d{1,20}$/;

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const YEAR = '(?:19|20)\\d\\d';
const DATE = `(?:${DAY}([ ./-])${DAY}\\1${YEAR}|${YEAR}([ ./-])${DAY}\\2${DAY})`;
const OCTET = '(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])';

/** Values that often stand where a phone number belongs, and why they are none. */
const MISTAKEN: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)$/,
    'is what a spreadsheet shows for a broken formula',
  ],
  [/^\d+(?:[.,]\d+)?e\+?\d+$/i, `was shortened by a spreadsheet; ${EXPORT_AGAIN}`],
  [/^\d{1,3}(?:,\d{3})+$/, `was given commas by a spreadsheet; ${EXPORT_AGAIN}`],
  [/^(?:\d{7,}\.\d+|\+\d{7,}\.0)$/, `was given decimals by a spreadsheet; ${EXPORT_AGAIN}`],
  [/(?:ext\.?|x|#|;ext=) ?\d{1,6}$/i, 'has an extension; leave it out'],
  [/\d[^\d+,;|\r\n]*[+,;|\r\n]\D*\d/, SEVERAL],
  [new RegExp(`^${DATE}(?:$|[ T]\\d\\d?:)`), 'is a date'],
  [new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`), 'is an IP address'],
  // "123 45 67/68" stands for two numbers that differ in their last digits.
  [/^[^/]*\/ ?\d\d?$/, SEVERAL],
];

/** A character that is no digit and no separator. People type the minus sign and the Japanese long vowel mark as dashes. */
const FOREIGN = /[^\d\s().\-/\p{Pd}\u2212\u30fc]/u;

/** Blanks and quotation marks, for the class of a pattern. */
const AROUND = `[\\s${QUOTATION_MARKS}]+`;

/** What stands around a number: quotation marks; an apostrophe, by which spreadsheets mark text; ="…", by which exports do. */
const WRAPPING = new RegExp(`^=?${AROUND}|${AROUND}$`, 'g');

/** "(0)", or digits in a row. */
const GROUPS = /\(\s*0\s*\)|\d+/g;

/**
 * Reads a phone number as people write it. Takes digits with spaces, brackets, dots, slashes and dashes, with a
 * leading `+` or `00`, a `tel:` address, the "(0)" after a calling code, what exports put around text, or a plain number. Returns the
 * contract's number (gateway-api.md, "Fields": digits only, international format, no plus sign), or why the value can't be one.
 * Never throws, and guesses nothing: a number without a country code, or with a length that is impossible for its
 * country code, is refused, because the message would be charged and might reach somebody else. With a country `home`,
 * a number may also be written as it is dialled there.
 */
export function parsePhone(value: unknown, home?: Country): PhoneResult {
  if (typeof value === 'string') return readPlain(value, home) ?? readText(value, home);
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (value <= 0 || (typeof value === 'number' && !Number.isSafeInteger(value))) return wrong(NOT_A_NUMBER);
    return home ? parsePhone(String(value), home) : check(String(value));
  }
  return wrong(value === undefined || value === null ? 'is empty' : NOT_A_NUMBER);
}

/** Returns what `readText` does, in half the time, of a number with nothing around or between its digits; undefined for any other text. */
function readPlain(value: string, home?: Country): PhoneResult | undefined {
  if ((home === undefined || value.startsWith('+')) && PLAIN.test(value))
    return check(value.replace('+', ''));
  if (home === undefined || !DIGITS.test(value)) return undefined;
  return readAtHome([value], home, readWithoutPlus([value], false), false);
}

function readText(value: string, home?: Country): PhoneResult {
  if (value.length > LONGEST_TEXT) {
    return wrong(`is too long for a phone number; if it holds several, ${APART}`);
  }
  const text = clean(value);
  if (text === '') return wrong('is empty');
  const mistaken = MISTAKEN.find(([pattern]) => pattern.test(text));
  if (mistaken) return wrong(mistaken[1]);

  const unbracketed = text.replace(/^[\s(]+/, '');
  const hasPlus = unbracketed.startsWith('+');
  const written = hasPlus ? unbracketed.slice(1) : unbracketed;
  const groups = written.match(GROUPS);
  if (groups === null) return wrong(NOT_A_NUMBER);
  const foreign = FOREIGN.exec(written);
  if (foreign) {
    const parts = written.split(FOREIGN).filter(mayBeNumber);
    return wrong(
      parts.length > 1 ? SEVERAL : `holds "${foreign[0]}", which doesn't belong in a phone number`,
    );
  }
  if (groups.filter(mayBeNumber).length > 1) return wrong(SEVERAL);
  if (hasPlus) return readInternational(groups);
  const inBrackets = text.startsWith('(');
  const abroad = readWithoutPlus(groups, inBrackets);
  // Digits with "(0)" have their calling code in front: nobody dials them so at home.
  if (home === undefined || groups.some(isBracketed)) return abroad;
  return readAtHome(groups, home, abroad, inBrackets);
}

function clean(value: string): string {
  return (
    asciiForms(value)
      .trim()
      .replace(WRAPPING, '')
      .replace(/^(?:tel|callto|sms|whatsapp):\s*/i, '')
      // A plus as links write it.
      .replace(/^%2b/i, '+')
      // A spreadsheet's "380501234567.0": the dot is a decimal point, not a separator.
      .replace(/^(\d{7,})[.,]0+$/, '$1')
  );
}

function readInternational(groups: string[]): PhoneResult {
  const resolved = resolveBracketedZero(groups);
  return resolved ? check(resolved.join('')) : wrong(BRACKETED_ZERO);
}

function readWithoutPlus(groups: string[], inBrackets: boolean): PhoneResult {
  // 0011 is Australia's dial-out prefix. It is not 00 and an American number: none of these starts with a 1.
  if (groups.join('').startsWith('0011')) return wrong(DIAL_OUT);
  const hasPrefix = groups[0].startsWith('00');
  const own = hasPrefix ? [groups[0].slice(2), ...groups.slice(1)].filter((group) => group !== '') : groups;
  const resolved = resolveBracketedZero(own);
  if (!resolved) return wrong(BRACKETED_ZERO);

  const digits = resolved.join('');
  const code = callingCodeOf(digits);
  if (code === '' || resolved.length === 1) return check(digits);
  // Nobody writes a country code in two groups, except in "38 050": the 0 ends Ukraine's country code, and is dialled at home too.
  const [first] = resolved;
  if (first.length < code.length && `${first}0` !== code) return wrong(hasPrefix ? DIAL_OUT : NATIONAL);
  if (!hasPrefix && mayBeNational(resolved, digits, first === code && !inBrackets)) return wrong(NATIONAL);
  return check(digits);
}

/**
 * Reads groups of digits that may be written as they are dialled in the country `home`; `abroad` is the same digits read
 * without a country. Only numbers of a numbering plan count, and digits that may be two of them are refused.
 */
function readAtHome(groups: string[], home: Country, abroad: PhoneResult, inBrackets: boolean): PhoneResult {
  const digits = groups.join('').replace(/\D/g, '');
  const hasPrefix = digits.startsWith('00');
  const readings = new Set(nationalNumbers(digits, home));
  const code = inBrackets ? '' : callingCodeOf(digits);
  if (abroad.ok) {
    if (hasPrefix || isInPlan(abroad.phone)) readings.add(abroad.phone);
  } else if (groups[0] === code && (readings.size > 0 || code === String(home.callingCode))) {
    // A short number with the code of `home`; without a country, the same digits may be a number of another country.
    if (isInPlan(Number(digits))) readings.add(Number(digits));
  }
  const [phone, other] = readings;
  if (other !== undefined)
    return wrong(`may be +${phone} or +${other}; write + and the country code in front`);
  if (phone !== undefined) return { ok: true, phone };
  if (hasPrefix || digits.length > PHONE_DIGITS.max) return abroad;
  const misdialled = code === String(home.callingCode) ? whyMisdialled(digits) : undefined;
  return misdialled !== undefined
    ? wrong(misdialled)
    : wrong(
        `isn't a number of ${home.iso}; if it is one of another country, write + and the country code in front`,
      );
}

/**
 * Whether groups of digits without + or 00 may be a number without its country code, such as 248-555-0100, where 248
 * is an area code of Michigan and the country code of the Seychelles. Longer groups can't.
 */
function mayBeNational(groups: string[], digits: string, startsWithCode: boolean): boolean {
  if (digits.length > LONGEST_NATIONAL) return false;
  if (digits.length < LONGEST_NATIONAL) return true;
  return !startsWithCode || isGroupedLike(BRAZILIAN_GROUPS, groups);
}

const isGroupedLike = (lengths: readonly number[], groups: readonly string[]): boolean =>
  groups.length === lengths.length && groups.every((group, place) => group.length === lengths[place]);

/** Leaves "(0)" out, or makes it a digit, where only one of the two readings is right; undefined where neither is. */
function resolveBracketedZero(groups: string[]): string[] | undefined {
  const zeros = groups.filter(isBracketed).length;
  if (zeros === 0) return groups;
  if (zeros > 1 || groups.findIndex(isBracketed) !== 1) return undefined;
  const [code, , ...rest] = groups;
  const kept = [code, '0', ...rest];
  if (NUMBERING_PLANS.has(code)) return check(kept.join('')).ok ? undefined : [code, ...rest];
  // "38 (0)50": the 0 ends the country code, and is dialled at home too.
  return NUMBERING_PLANS.has(`${code}0`) ? kept : undefined;
}

/** Whether a part of a text has the digits of a number of its own. */
const mayBeNumber = (part: string): boolean => part.replace(/\D/g, '').length >= PHONE_DIGITS.min;

const isBracketed = (group: string): boolean => group.startsWith('(');

function check(digits: string): PhoneResult {
  if (digits.length > PHONE_DIGITS.max) return wrong(TOO_LONG);
  const reason = digits.startsWith('0') ? NO_CODE : whyImpossible(digits);
  return reason === undefined ? { ok: true, phone: Number(digits) } : wrong(reason);
}

const wrong = (reason: string): PhoneResult => ({ ok: false, reason });

/**
 * Whether a phone number ends in so many zeros that a spreadsheet may have shortened it: 380501000000 is what is left of
 * 3.80501E+11, with the six digits that a spreadsheet shows and keeps in its exports. Few real numbers look so.
 */
export function looksRounded(phone: number): boolean {
  // Numbers of ten digits and less aren't shortened.
  if (phone < 1e10) return false;
  // A shortened number of eleven digits ends in five zeros, a longer number in six at least.
  return phone % (phone < 1e11 ? 1e5 : 1e6) === 0;
}
