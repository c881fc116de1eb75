import fc from './generated.mts';
import { PhoneNumber } from 'libphonenumber-js/core';
import type { CountryCode, E164Number } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import { PHONE_DIGITS } from '../../nodes/gateway/contract/wire-fields.ts';

/** The place of mobile phones among the types of the metadata. */
const MOBILE = 1;

const PLANS = [
  ...Object.entries(metadata.countries).map(([region, plan]) => ({ region: region as CountryCode, plan })),
  ...Object.values(metadata.nonGeographic).map((plan) => ({ region: undefined, plan })),
] as Array<{ region: CountryCode | undefined; plan: unknown[] }>;

/** Kinds of numbers, without a region for calling codes that belong to no country, and what their national part matches. */
export const NUMBER_TYPES = PLANS.flatMap(({ region, plan }) => {
  const types = (plan[11] || []) as Array<[pattern: string] | 0>;
  return types.flatMap((found, i) => {
    if (found === 0 || found[0] === '') return [];
    const pattern = new RegExp(`^(?:${found[0]})$`);
    return [{ callingCode: String(plan[0]), region, isMobile: i === MOBILE, pattern }];
  });
});

/** Regions by calling code. */
export const CALLING_CODES: Record<string, Array<CountryCode | undefined>> = {};
for (const { region, plan } of PLANS) (CALLING_CODES[plan[0] as string] ??= []).push(region);

/** Whether the library takes the digits for a possible number of any region that has their calling code. */
export function isPossible(digits: string): boolean {
  const callingCode = Object.keys(CALLING_CODES).find((code) => digits.startsWith(code));
  if (callingCode === undefined || digits === callingCode) return false;
  return CALLING_CODES[callingCode].some((region) => libraryNumber(digits, region).isPossible());
}

/** A number as the library has it; in international format, without a plus sign. */
export function libraryNumber(digits: string, region: CountryCode | undefined): PhoneNumber {
  const number = new PhoneNumber(`+${digits}` as E164Number, metadata);
  number.country = region;
  return number;
}

/** Some numbers of every region and type that the contract's limits let through, with the digits that are read. */
export function someOfEachType(numRuns: number, seed: number) {
  return NUMBER_TYPES.flatMap(({ pattern, ...type }) =>
    fc
      .sample(fc.stringMatching(pattern), { numRuns, seed })
      .map((national) => ({ ...type, national, digits: type.callingCode + national }))
      .filter(({ digits }) => digits.length >= PHONE_DIGITS.min && digits.length <= PHONE_DIGITS.max),
  );
}

/** Calling code and national number of a possible phone number. */
export const possiblePhone = fc
  .record({
    callingCode: fc.constantFrom(...Object.keys(CALLING_CODES)),
    national: fc.stringMatching(/^[1-9]\d{3,14}$/),
  })
  .filter(({ callingCode, national }) => {
    const { length } = callingCode + national;
    return length >= PHONE_DIGITS.min && length <= PHONE_DIGITS.max && isPossible(callingCode + national);
  });

const separator = fc.constantFrom(' ', '-', '.', '/', ' - ', ' (', ') ', '\u00a0', '\u2009', '–', '−', 'ー');

/** A possible phone number, and how somebody writes it: a prefix, the calling code, and groups of digits. */
export const writtenPhone = fc
  .record({
    prefix: fc.constantFrom('+', '00', '+ ', '(+', '00 ', '(00', 'tel:+', "'+", '\u202a+'),
    parts: possiblePhone,
    groups: fc.array(fc.tuple(separator, fc.integer({ min: 1, max: 4 })), { minLength: 15, maxLength: 15 }),
  })
  .map(({ prefix, parts: { callingCode, national }, groups }) => {
    let value = prefix + callingCode;
    let at = 0;
    for (const [between, size] of groups) {
      if (at >= national.length) break;
      value += between + national.slice(at, at + size);
      at += size;
    }
    return { value, phone: Number(callingCode + national) };
  })
  // "(0)" is a notation of its own, so is a single slash before one or two digits, and 0011 is Australia's prefix.
  .filter(({ value }) => !/\(\s*0\s*\)|^[^/]*\/\d\d?$|^\D*001\D*1/.test(value));
