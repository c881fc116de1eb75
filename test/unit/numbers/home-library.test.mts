/**
 * Numbers as they are dialled at home, judged by libphonenumber-js over all its regions and types of numbers: with the right
 * country they are read or refused, and nothing is ever read as another number.
 */
import fc from '../../support/generated.mts';
import type { CountryCode } from 'libphonenumber-js/core';
import parseByLibrary from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';

import { countryOf, findCountry } from '../../../nodes/gateway/numbers/countries.ts';
import { parsePhone } from '../../../nodes/gateway/numbers/phone.ts';
import { shortOrLong } from '../../support/long-form.mts';
import { isPossible, libraryNumber, someOfEachType } from '../../support/phones.mts';

const SEED = 27;
const REGIONS = Object.keys(metadata.countries) as CountryCode[];

const numbers = someOfEachType(shortOrLong(2, 12), SEED).flatMap(({ region, ...number }) =>
  region !== undefined && libraryNumber(number.digits, region).isValid() ? [{ ...number, region }] : [],
);

const digitsOf = (value: string) => value.replace(/\D/g, '');
const separated = (value: string, by: string) => value.replace(/[^\d+]+/g, by).replace(/^-|-$/g, '');

/** How people write a number: with spaces and brackets, with other marks, and with none. */
function writtenAs({ digits, region, callingCode }: (typeof numbers)[number]) {
  const number = libraryNumber(digits, region);
  const atHome = number.formatNational();
  const international = number.formatInternational();
  const bare = international.slice(callingCode.length + 2);
  return {
    atHome: [atHome, bare].flatMap((one) => [one, separated(one, '-'), digitsOf(one)]),
    withPlus: [international, `+${digits}`],
    withPrefix: [`00${digits}`],
    withoutPlus: [digits, international.slice(1)],
  };
}

/** What became of notations of a number: how many were read as it, and which as another one. */
function tally(values: Array<{ value: string; digits: string; home: string | undefined }>) {
  const read = values.map((one) => ({
    ...one,
    result: parsePhone(one.value, one.home === undefined ? undefined : findCountry(one.home)),
  }));
  const isRight = ({ result, digits }: (typeof read)[number]) => result.ok && String(result.phone) === digits;
  return {
    share: read.filter(isRight).length / read.length,
    others: read.filter((one) => one.result.ok && !isRight(one)),
    reasons: new Set(read.flatMap(({ result }) => (result.ok ? [] : [result.reason.replace(/\d+/g, '#')]))),
  };
}

const EITHER = 'may be +# or +#; write + and the country code in front';

it('reads at least 95 in 100 numbers as they are dialled at home, refuses the others, and names what they may be', () => {
  const { share, others, reasons } = tally(
    numbers.flatMap((number) =>
      writtenAs(number).atHome.map((value) => ({ value, digits: number.digits, home: number.region })),
    ),
  );
  expect(new Set(numbers.map(({ region }) => region)).size).toBe(REGIONS.length);
  expect(others).toEqual([]);
  expect([...reasons]).toEqual([EITHER]);
  expect(share).toBeGreaterThan(0.95);
});

it('reads every number with a plus sign whatever the country, and none in international format as another', () => {
  const homesOf = (at: number, region: string) => [
    undefined,
    region,
    ...[1, 2, 3, 4, 5].map((n) => REGIONS[(at + 41 * n) % REGIONS.length]),
  ];
  const cases = numbers.map((number, at) => ({
    ...writtenAs(number),
    ...number,
    homes: homesOf(at, number.region),
  }));
  const all = (of: (one: (typeof cases)[number]) => string[]) =>
    tally(
      cases.flatMap((one) => of(one).flatMap((value) => one.homes.map((home) => ({ ...one, value, home })))),
    );
  expect(all(({ withPlus }) => withPlus)).toMatchObject({ share: 1, others: [] });
  const prefixed = all(({ withPrefix }) => withPrefix);
  // A few countries have numbers that begin with 00.
  expect([...prefixed.reasons]).toEqual([EITHER]);
  expect(prefixed.others).toEqual([]);
  expect(prefixed.share).toBeGreaterThan(0.98);
  const bare = all(({ withoutPlus }) => withoutPlus);
  expect(bare.others).toEqual([]);
  expect(bare.share).toBeGreaterThan(0.8);
});

it('reads what was written, without the digits that are dialled at home only, as the library does', () => {
  const digits = fc.tuple(fc.constantFrom('', '0', '8', '1', '06'), fc.stringMatching(/^\d{5,13}$/));
  let read = 0;
  fc.assert(
    fc.property(digits, fc.constantFrom(...REGIONS), ([first, rest], home) => {
      const text = first + rest;
      const result = parsePhone(text, findCountry(home));
      if (!result.ok) return;
      read += 1;
      const phone = String(result.phone);
      expect(isPossible(phone)).toBe(true);
      const found = parseByLibrary(text, home);
      // The library takes what isn't valid at home, too, for a number of the country.
      if (found?.isValid()) expect(phone).toBe(found.number.slice(1));
      else expect([phone, phone.endsWith(text.replace(/^0+/, '').slice(2))]).toEqual([phone, true]);
    }),
    { numRuns: shortOrLong(3000, 30_000), seed: SEED },
  );
  expect(read).toBeGreaterThan(300);
});

it('knows the country of most numbers, and says of none what the library does not say', () => {
  const found = numbers.map(({ digits }) => ({
    digits,
    ...countryOf(Number(digits)),
    right: parseByLibrary(`+${digits}`)?.country,
  }));
  const known = found.filter(({ iso }) => iso !== null);
  expect(known.filter(({ iso, right }) => iso !== right)).toEqual([]);
  expect(known.length / found.length).toBeGreaterThan(0.85);
  // All but those that can't be told apart, and the Western Sahara, which the library doesn't tell apart either.
  const missing = REGIONS.filter((region) => !known.some(({ iso }) => iso === region));
  expect(missing).toEqual(['BL', 'CC', 'CX', 'EH', 'GP', 'MF']);
});

it('finds every country by its ISO code in any case, and the main one of every calling code', () => {
  for (const [code, regions] of Object.entries(metadata.country_calling_codes)) {
    const callingCode = Number(code);
    for (const iso of regions) {
      expect([findCountry(iso), findCountry(iso.toLowerCase())]).toEqual(Array(2).fill({ iso, callingCode }));
    }
    for (const text of [`+${code}`, code])
      expect(findCountry(text)).toEqual({ iso: regions[0], callingCode });
  }
});
