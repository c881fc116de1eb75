import { PHONE_DIGITS } from '../contract/wire-fields';
import { CALLING_CODES } from './calling-codes';

type NumberingPlan = (typeof CALLING_CODES)[string] & {
  /** Whether a 0 in front of these numbers is dialled inside the country only. */
  hasTrunkZero: boolean;
};

/** The plan of each calling code. */
export const NUMBERING_PLANS: ReadonlyMap<string, NumberingPlan> = new Map(
  Object.entries(CALLING_CODES).map(([code, numbers]) => [
    code,
    { ...numbers, hasTrunkZero: numbers.trunk?.exec('0')?.[0] === '0' },
  ]),
);

/**
 * Returns, as a verb phrase, what stands behind the calling code of these digits and isn't dialled from abroad. Undefined where the
 * numbering plan has numbers that begin so, and where the digits without that are no number either.
 */
export function whyMisdialled(digits: string): string | undefined {
  const code = callingCodeOf(digits);
  const plan = NUMBERING_PLANS.get(code);
  const rest = digits.slice(code.length);
  const [prefix] = plan?.trunk?.exec(rest) ?? [];
  if (plan === undefined || prefix === undefined || plan.national.test(rest)) return undefined;
  const own = rest.slice(prefix.length);
  // Where numbers begin with the digit of the prefix too, only a digit too many shows that the prefix is one.
  const isOneTooMany = !plan.lengths.includes(rest.length) || !own.startsWith(prefix.charAt(0));
  return isOneTooMany && plan.national.test(own) ? leaveOut(prefix, code) : undefined;
}

const leaveOut = (prefix: string, code: string): string =>
  `has ${prefix.startsWith('8') ? 'an' : 'a'} ${prefix} after country code +${code} that isn't dialled from abroad; leave it out`;

/**
 * Returns, as a verb phrase, why digits that don't begin with 0 can't be a phone number in international format; undefined for a
 * possible one. Checks the calling code and the length, and refuses a 0 behind the calling code that may be one too many. Ranges
 * inside a numbering plan aren't checked: they change, and customers with new numbers would be lost.
 */
export function whyImpossible(digits: string): string | undefined {
  if (digits.length < PHONE_DIGITS.min) return 'is too short';
  const code = callingCodeOf(digits);
  const plan = NUMBERING_PLANS.get(code);
  if (plan === undefined) return 'has no known country code';
  const { trunk, hasTrunkZero, lengths } = plan;
  const length = digits.length - code.length;
  // Two zeros are no trunk prefix: numbers of a few countries begin with them.
  if (hasTrunkZero && lengths.includes(length - 1) && /^0[^0]/.test(digits.slice(code.length))) {
    return leaveOut('0', code);
  }
  // Where nothing but a 0 is dialled in front, the check above is enough: each message of a run comes here.
  const misdialled = trunk?.source === '^0' ? undefined : whyMisdialled(digits);
  if (misdialled !== undefined || lengths.includes(length)) return misdialled;
  const longer = lengths.some((one) => one > length);
  const shorter = lengths.some((one) => one < length);
  const wrong = longer && shorter ? 'has a wrong length' : longer ? 'is too short' : 'is too long';
  return `${wrong} for country code +${code}; check the country code and the digits after it`;
}

/** The calling code that digits in international format begin with; empty where there is none. */
export function callingCodeOf(digits: string): string {
  for (let length = 1; length <= 3; length++) {
    const code = digits.slice(0, length);
    if (NUMBERING_PLANS.has(code)) return code;
  }
  return '';
}

/** Whether a phone number is in one of the ranges of its numbering plan. */
export function isInPlan(phone: number): boolean {
  const digits = String(phone);
  const code = callingCodeOf(digits);
  const isOfPlan = NUMBERING_PLANS.get(code)?.national.test(digits.slice(code.length)) === true;
  return isOfPlan && whyImpossible(digits) === undefined;
}
