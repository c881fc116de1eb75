import { asciiForms } from '../text/characters';
import { callingCodeOf, isInPlan, NUMBERING_PLANS } from './numbering-plans';

/** A country whose numbers may be written as they are dialled there. */
export interface Country {
  /** ISO code, such as UA. */
  iso: string;
  callingCode: number;
}

const isoOf = (country: string): string => country.slice(0, 'UA'.length);

/** By ISO code, and by the digits of calling codes. */
const COUNTRIES = new Map<string, Country>();
for (const [code, { countries }] of NUMBERING_PLANS) {
  for (const iso of countries.map(isoOf).reverse()) {
    const country = { iso, callingCode: Number(code) };
    COUNTRIES.set(iso, country).set(code, country);
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
  const { countries = [] } = NUMBERING_PLANS.get(code) ?? {};
  const found = [...countries].reverse().find((country) => {
    const beginning = country.slice('UA='.length);
    return country === isoOf(country) || (beginning !== '' && new RegExp(`^(?:${beginning})`).test(national));
  });
  return { iso: found === undefined ? null : isoOf(found), callingCode: Number(code) };
}

const ARGENTINA = 54;

/** Mobile phones there have a 15 behind the area code where people write them, and a 9 before it when called from abroad. */
const ARGENTINE_MOBILE = /^0?(11|[23]\d{2,3})15/;

/**
 * Returns the numbers, in international format, that digits stand for where people write them as they are dialled in a
 * country; none where its numbering plan has no such numbers.
 */
export function nationalNumbers(digits: string, { callingCode }: Country): number[] {
  const { trunk = '', national = '' } = NUMBERING_PLANS.get(`${callingCode}`) ?? {};
  // Elsewhere 00 stands for a country code to follow.
  if (digits.startsWith('00') && !national.includes('00')) return [];
  const dialled = [digits, digits.replace(new RegExp(`^(?:${trunk})`), '')];
  if (callingCode === ARGENTINA) dialled.push(digits.replace(ARGENTINE_MOBILE, '9$1'));
  return dialled.map((number) => Number(`${callingCode}${number}`)).filter(isInPlan);
}
