import { asciiForms } from '../text/characters';
import { callingCodeOf, isInPlan, NUMBERING_PLANS } from './numbering-plans';

/** A country whose numbers may be written as they are dialled there. */
export interface Country {
  /** ISO code, such as UA. */
  iso: string;
  callingCode: number;
}

/** By ISO code, and by the digits of calling codes. */
const COUNTRIES = new Map<string, Country>();
for (const [code, { countries }] of NUMBERING_PLANS) {
  for (const [place, iso] of Object.keys(countries).entries()) {
    const country = { iso, callingCode: Number(code) };
    COUNTRIES.set(iso, country);
    if (place === 0) COUNTRIES.set(code, country);
  }
}

/** Finds a country by its ISO code in any case, or by a calling code, which stands for the main country that has it. */
export const findCountry = (text: string): Country | undefined =>
  COUNTRIES.get(
    asciiForms(text)
      .trim()
      .toUpperCase()
      .replace(/^(?:\+|00) ?(?=\d)/, ''),
  );

/** Returns calling code and country of a number; the ISO code is null where the number doesn't show it. */
export function countryOf(phone: number): { iso: string | null; callingCode: number } {
  const code = callingCodeOf(String(phone));
  const national = String(phone).slice(code.length);
  const countries = Object.entries(NUMBERING_PLANS.get(code)?.countries ?? {});
  const found = countries.reverse().find(([, beginning]) => beginning?.test(national) === true);
  return { iso: found?.[0] ?? null, callingCode: Number(code) };
}

const ARGENTINA = 54;

/**
 * A number of a mobile phone in Argentina, as people write it: area code, 15, and the number. From abroad, a 9 is dialled in front of the
 * area code, and no 15.
 */
const ARGENTINE_MOBILE = /^0?(11|[23]\d{2,3})15/;

/**
 * Returns the numbers, in international format, that digits stand for where people write them as they are dialled in a
 * country; none where its numbering plan has no such numbers.
 */
export function nationalNumbers(digits: string, { callingCode }: Country): number[] {
  const plan = NUMBERING_PLANS.get(`${callingCode}`);
  if (plan === undefined) return [];
  // 00 stands for a country code to follow, except where a country has numbers that begin so.
  if (digits.startsWith('00') && !plan.national.source.includes('00')) return [];
  const dialled = [digits, plan.trunk === undefined ? digits : digits.replace(plan.trunk, '')];
  if (callingCode === ARGENTINA) dialled.push(digits.replace(ARGENTINE_MOBILE, '9$1'));
  return dialled.map((number) => Number(`${callingCode}${number}`)).filter(isInPlan);
}
