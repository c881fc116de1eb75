import { CALLING_CODES } from './calling-codes';
import { PHONE_DIGITS } from '../contract/limits';

const POWERS = Array.from({ length: PHONE_DIGITS.max + 1 }, (_, exponent) => 10 ** exponent);

/** By the first three digits of a number: the calling code among them, or 0. No code is the beginning of another. */
const CODE_OF = new Uint16Array(1000);
/** By calling code: bit n is set where n digits may follow. */
const LENGTHS = new Uint32Array(1000);
/** By calling code: 1 where numbers are dialled with a 0 in front inside the country only. */
const TRUNK_ZERO = new Uint8Array(1000);

/** How numbers with a calling code are written at home. */
export interface NumberingPlan {
  /** What is dialled in front of them, a regular expression; `-` where that is nothing. */
  trunk: string;
  /** A regular expression that the digits after the calling code match. */
  national: string;
  /** ISO codes of the countries, the main one first, each with `=` and how its numbers begin where there are several. */
  countries: readonly string[];
}

const PLANS = new Map<number, NumberingPlan>();

for (const line of CALLING_CODES.trim().split('\n')) {
  const [digits, trunk, lengths, national, ...countries] = line.split(' ');
  const code = Number(digits);
  const width = 10 ** (3 - digits.length);
  CODE_OF.fill(code, code * width, (code + 1) * width);
  PLANS.set(code, { trunk, national, countries });
  if (matches('0', trunk)) TRUNK_ZERO[code] = 1;
  for (const range of lengths.split(',')) {
    const [first, last = first] = range.split('-').map(Number);
    for (let length = first; length <= last; length += 1) LENGTHS[code] |= 1 << length;
  }
}

/** Returns the plan of each calling code. */
export const NUMBERING_PLANS: ReadonlyMap<number, NumberingPlan> = PLANS;

/**
 * Finds out why a whole number can't be a phone number in international format. Takes a whole number above 0;
 * returns the reason, or undefined for a possible phone number.
 *
 * Checks the calling code and the length, and refuses a 0 between the two that may be one too many. Ranges inside a
 * numbering plan aren't checked: they change, and customers with new numbers would be lost.
 */
export function whyImpossible(phone: number): string | undefined {
  if (phone < POWERS[PHONE_DIGITS.min - 1]) return 'is too short';
  if (phone >= POWERS[PHONE_DIGITS.max]) return 'is too long';
  let digits: number = PHONE_DIGITS.min;
  while (phone >= POWERS[digits]) digits += 1;
  const code = CODE_OF[Math.floor(phone / POWERS[digits - 3])];
  if (code === 0) return 'has no known country code';

  const national = digits - String(code).length;
  if (TRUNK_ZERO[code] === 1 && hasLength(code, national - 1)) {
    // Two zeros are no trunk prefix: a few countries have numbers that begin so.
    const firstTwo = Math.floor(phone / POWERS[national - 2]) % 100;
    if (firstTwo > 0 && firstTwo < 10) {
      return `has a 0 after country code +${code} that is only dialled inside the country; leave it out`;
    }
  }
  return hasLength(code, national) ? undefined : whyWrongLength(code, national);
}

const hasLength = (code: number, national: number): boolean => ((LENGTHS[code] >>> national) & 1) === 1;

function whyWrongLength(code: number, national: number): string {
  const lengths = LENGTHS[code];
  const longer = lengths >>> national !== 0;
  const shorter = (lengths & ((1 << national) - 1)) !== 0;
  const wrong = longer && shorter ? 'has a wrong length' : longer ? 'is too short' : 'is too long';
  return `${wrong} for country code +${code}; check the country code and the digits after it`;
}

/** The calling code that digits in international format begin with; empty where there is none. */
export function callingCodeOf(digits: string): string {
  const code = CODE_OF[Number(digits.slice(0, 3).padEnd(3, '0'))];
  return code === 0 || digits.startsWith('0') ? '' : String(code);
}

/** Whether a calling code has numbers like these digits behind it, by the ranges of its numbering plan. */
export function isInPlan(phone: number): boolean {
  const code = callingCodeOf(String(phone));
  const { national = '' } = PLANS.get(Number(code)) ?? {};
  return whyImpossible(phone) === undefined && matches(String(phone).slice(code.length), national);
}

/** Whether these digits, at least one, are a calling code, the whole of it and no more. */
export const isCallingCode = (digits: string): boolean => callingCodeOf(digits) === digits;

/** Whether all of a text matches a regular expression. */
export function matches(text: string, pattern: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}
