/**
 * The reading of phone numbers, judged by libphonenumber-js over all its regions, calling codes and types of numbers.
 * The library brings patterns instead of examples for most types; the numbers are generated from these.
 */
import fc from '../../support/generated.mts';

import { PHONE_DIGITS } from '../../../nodes/gateway/contract/wire-fields.ts';
import { parsePhone } from '../../../nodes/gateway/numbers/phone.ts';
import {
  CALLING_CODES,
  isPossible,
  libraryNumber,
  NUMBER_TYPES,
  possiblePhone,
  someOfEachType,
  writtenPhone,
} from '../../support/phones.mts';
import { shortOrLong } from '../../support/long-form.mts';

const SEED = 20;

const read = (value: unknown) => {
  const result = parsePhone(value);
  return result.ok ? String(result.phone) : result.reason;
};

const numbers = someOfEachType(shortOrLong(8, 25), SEED);

const digitsOf = (value: string) => value.replace(/\D/g, '');

/** What was not read as it should; a failure shows all of it. */
const misread = (cases: Array<{ value: unknown; digits: string }>) =>
  cases
    .map(({ value, digits }) => ({ value, digits, read: read(value) }))
    .filter((one) => one.read !== one.digits);

it('has numbers of every region and type to judge by', () => {
  expect(NUMBER_TYPES.length).toBeGreaterThan(1000);
  expect(new Set(numbers.map(({ callingCode }) => callingCode)).size).toBe(Object.keys(CALLING_CODES).length);
});

it('reads every number in each format of the library, as digits and as number', () => {
  const cases = numbers.flatMap(({ digits, region }) => {
    const number = libraryNumber(digits, region);
    const formats = (['INTERNATIONAL', 'RFC3966', 'E.164'] as const).map((format) => number.format(format));
    return [...formats, digits, Number(digits)].map((value) => ({ digits, value }));
  });
  expect(misread(cases)).toEqual([]);
});

it('reads a number however it is grouped, in the digits of other scripts, and past invisible marks', () => {
  const FORMS = ['0'.codePointAt(0)!, 0xff10, 0x660, 0x6f0];
  const none = fc.constant(Array<string>(90).fill(''));
  const mark = fc.constantFrom('', '', '\u200b', '\u00ad', '\u200e', '\u2060', '\ufeff');
  fc.assert(
    fc.property(
      writtenPhone,
      fc.constantFrom(...FORMS),
      fc.oneof(none, fc.array(mark, { minLength: 90, maxLength: 90 })),
      ({ value, phone }, form, marks) => {
        const written = [...value].map((character, i) => {
          const other = /\d/.test(character) ? String.fromCodePoint(form + Number(character)) : character;
          return other + (marks[i] ?? '');
        });
        expect(read(written.join(''))).toBe(String(phone));
      },
    ),
    { numRuns: shortOrLong(1500, 7000), seed: SEED },
  );
});

it('leaves "(0)" out after every calling code where the library takes that 0 for what is dialled at home', () => {
  const cases = numbers.filter(({ national, digits, region }) => {
    const atHome = digitsOf(libraryNumber(digits, region).formatNational());
    return !national.startsWith('0') && atHome === `0${national}`;
  });
  expect(new Set(cases.map(({ callingCode }) => callingCode)).size).toBeGreaterThan(80);
  const wrong = misread(
    cases.flatMap(({ callingCode, national, digits }) => [
      { digits, value: `+${callingCode} (0)${national}` },
      { digits, value: `00${callingCode}(0)${national}` },
    ]),
  );
  // When Gabon's numbers grew from seven digits to eight, some grew by that very 0.
  expect(wrong.filter(({ digits }) => !digits.startsWith('241'))).toEqual([]);
  for (const one of wrong) expect(one.read).toContain('has a 0 in brackets');
});

/*
 * Of a number without its country code nobody can always tell: its digits may be those of a number of another country
 * in international format. To demand that all are refused would be wrong: no number without a plus sign could be read
 * any more. What can be demanded:
 *
 * - Whatever is read has the digits that were written, and the library takes them, with a plus sign in front, for a
 *   possible number. Nothing is left out, filled in or moved.
 * - What is grouped as at home is never read as the number of somebody else. That holds for mobile phones, and for
 *   whatever has no more than ten digits; longer numbers of other types (freephone, voicemail, extensions of offices)
 *   look like those with a country code, and aren't what messages are sent to.
 */
describe('in national format', () => {
  const written = numbers.map(({ national, region, callingCode, ...number }) => {
    const found = libraryNumber(number.digits, region);
    const atHome = found.formatNational();
    /** Without the 0 or the 8 that is dialled in front at home. */
    const bare = found.formatInternational().slice(callingCode.length + 2);
    return { ...number, national, atHome, bare };
  });

  it('a number is refused, or has the digits of a possible number', () => {
    const all = written.flatMap(({ national, atHome, bare }) => [national, atHome, bare, digitsOf(atHome)]);
    const wrong = all.filter((value) => {
      const result = parsePhone(value);
      if (!result.ok) return false;
      const digits = String(result.phone);
      return digits !== digitsOf(value).replace(/^00/, '') || !isPossible(digits);
    });
    expect(wrong).toEqual([]);
  });

  it('a grouped number is never read as the number of somebody else', () => {
    const values = written.flatMap(({ isMobile, national, digits, atHome, bare }) => [
      ...(isMobile || national.length <= 10 ? [{ value: atHome, digits }] : []),
      ...(national.length <= 10 ? [{ value: bare, digits }] : []),
    ]);
    const grouped = values.filter(({ value }) => /\d\D+\d/.test(value));
    expect(grouped.length).toBeGreaterThan(values.length / 2);
    expect(misread(grouped).filter(({ value }) => parsePhone(value).ok)).toEqual([]);
  });
});

it("never takes a country's dial-out prefix for a part of the number", () => {
  const targets = ['447700900123', '380501234567', '12125550100'];
  const regions = [...new Set(NUMBER_TYPES.flatMap(({ region }) => region ?? []))];
  const wrong = targets.flatMap((digits) =>
    regions.flatMap((fromCountry) => {
      const value = libraryNumber(digits, undefined).format('IDD', { fromCountry }) as string | undefined;
      return value !== undefined && parsePhone(value).ok && read(value) !== digits
        ? [{ fromCountry, value }]
        : [];
    }),
  );
  expect(wrong).toEqual([]);
});

const isDialledAtHome = (reason: string): boolean => /^has an? \d+ after country code/.test(reason);

describe('lengths', () => {
  const LENGTHS = Array.from({ length: 18 }, (_, length) => length);

  /** Some national numbers of that many digits. */
  const nationals = (length: number) =>
    length === 0
      ? ['']
      : fc.sample(fc.stringMatching(new RegExp(`^\\d{${length}}$`)), { numRuns: 5, seed: SEED });

  it.each(Object.keys(CALLING_CODES))('after +%s are those that the library has', (callingCode) => {
    const wrong = LENGTHS.flatMap(nationals).filter((national) => {
      const digits = callingCode + national;
      const possible =
        digits.length >= PHONE_DIGITS.min && digits.length <= PHONE_DIGITS.max && isPossible(digits);
      const result = parsePhone(digits);
      // What is dialled at home, and of which it isn't certain that it belongs to the number, is refused as well.
      const doubtful = !result.ok && isDialledAtHome(result.reason);
      return result.ok !== possible && !(possible && doubtful);
    });
    expect(wrong).toEqual([]);
  });

  it('what is dialled at home is refused after the calling code only where the library leaves it out too', () => {
    const refused = numbers.filter(({ digits }) => isDialledAtHome(read(digits)));
    expect(refused).toEqual([]);
    const prefix = fc.constantFrom('0', '8', '80', '06', '1');
    fc.assert(
      fc.property(possiblePhone, prefix, ({ callingCode, national }, trunk) => {
        const result = parsePhone(`+${callingCode}${trunk}${national}`);
        fc.pre(
          !result.ok && result.reason.startsWith(`has a${trunk.startsWith('8') ? 'n' : ''} ${trunk} after`),
        );
        expect(isPossible(callingCode + national)).toBe(true);
      }),
      { numRuns: 1000, seed: SEED },
    );
  });
});

it('knows no other calling codes', () => {
  const known = Object.keys(CALLING_CODES);
  const heads = Array.from({ length: 900 }, (_, i) => String(100 + i));
  const unknown = heads.filter((head) => !known.some((code) => head.startsWith(code)));
  expect(unknown.length).toBeGreaterThan(50);
  for (const head of unknown) {
    for (const length of [4, 7, 9, 12]) {
      expect(read(`+${head}${'1'.repeat(length)}`)).toBe('has no known country code');
    }
  }
});
