/** Numbers as they are dialled at home, with a Default Country. */
import { countryOf, findCountry } from '../../../nodes/gateway/numbers/countries.ts';
import { parsePhone } from '../../../nodes/gateway/numbers/phone.ts';

const read = (value: unknown, home: string) => {
  const result = parsePhone(value, findCountry(home));
  return result.ok ? result.phone : result.reason;
};

it.each<[home: string, phone: number, ...values: unknown[]]>([
  [
    ...(['UA', 380671234567] as const),
    ...['067 123 45 67', '(067) 123-45-67', '67 123 45 67', '0671234567', '671234567', 671234567, 671234567n],
    ...['+380 67 123 45 67', '00380671234567', '380671234567', 380671234567, '38 (067) 123-45-67'],
    ...['(0)67 123 45 67', ' 067.123.45.67 ', '٠٦٧ ١٢٣ ٤٥ ٦٧', "'0671234567", '671234567.0'],
  ],
  ['ua', 380671234567, '067 123 45 67'],
  ['+380', 380671234567, '067 123 45 67'],
  // The country of another number doesn't matter where that has its own.
  [
    ...(['UA', 447700900123] as const),
    ...['+44 7700 900123', '0044 7700 900123', '447700900123', '44 7700 900123', '44 (0)7700 900123'],
  ],
  ['US', 12125550100, '(212) 555-0100', '212-555-0100', '1 212 555 0100', '2125550100', '12125550100'],
  // Nobody writes a country code and the first digit of an area code as one group.
  ['US', 16465550100, '(646) 555-0100', '646-555-0100'],
  ['IT', 390612345678, '06 1234 5678', '0612345678', '39 06 1234 5678', '0039 06 1234 5678'],
  // No number in Italy begins with 00.
  ['IT', 390458203, '00390458203', '0458203'],
  ['HU', 36301234567, '06 30 123 4567'],
  ['RU', 79161234567, '8 (916) 123-45-67', '89161234567', '9161234567'],
  ['LT', 37061234567, '8 612 34567', '0 612 34567'],
  ['BY', 375291234567, '8 029 123-45-67', '029 123-45-67'],
  ['BR', 5551912345678, '(51) 91234-5678', '(051) 91234-5678', '051912345678'],
  ['GG', 447781123456, '07781 123456'],
  // The 15 of mobile phones in Argentina stands behind an area code of two, three or four digits.
  ['AR', 5491123456789, '011 15-2345-6789', '11 15 2345 6789', '+54 9 11 2345-6789', '9 11 2345-6789'],
  ['AR', 5493512345678, '0351 15 234-5678'],
  ['AR', 5492966123456, '02966 15 12-3456', '02966 15123456'],
  ['AR', 541123456789, '011 2345-6789'],
  ['AR', 542901151234, '02901 15-1234'],
  // Elsewhere it is a part of the number.
  ['DE', 4921115123456, '0211 15123456'],
  // Short numbers with their own country code, which without a country might be those of another one.
  ['NO', 4722345678, '47 22 34 56 78', '22 34 56 78'],
])('dialled at home in %s, a number is read as %d', (home, phone, ...values) => {
  for (const value of values) expect([value, read(value, home)]).toEqual([value, phone]);
});

const either = (one: number, other: number) =>
  `may be +${one} or +${other}; write + and the country code in front`;
const CHECK = 'check the country code and the digits after it';
const BRACKETED_ZERO = 'has a 0 in brackets; write the number as it is dialled from abroad';
const DIAL_OUT = 'starts with a dial-out prefix other than 00; write + and the country code instead';
const TOO_LONG = expect.stringContaining('has more than 15 digits') as string;
const notOf = (iso: string) =>
  `isn't a number of ${iso}; if it is one of another country, write + and the country code in front`;

it.each<[home: string, reason: string, ...values: unknown[]]>([
  ['US', either(16465550100, 6465550100), '6465550100', 6465550100, '64 6 555 0100'],
  ['CN', either(8613912345678, 13912345678), '13912345678', '1 391 234 5678'],
  ['RU', either(74951234567, 84951234567), '84951234567'],
  ['DE', either(494722345678, 4722345678), '47 22 34 56 78'],
  // Seven digits of Gabon were dialled with a 0 that is the first of eight now.
  ['GA', either(24107123456, 2417123456), '07 12 34 56'],
  ['KR', either(82003684864620, 3684864620), '003684864620'],
  [
    ...(['UA', notOf('UA')] as const),
    ...['067 123 45', '067 123 45 67 8', '0111234567', '067 123 45 67 067', '1234'],
    // Possible, but not in the numbering plan of South Africa.
    ...['271234567', '27 1234567'],
    // Of Norway, or of a country whose numbers look like that.
    ...['47 22 34 56 78', '(47) 22345678'],
  ],
  ['AR', notOf('AR'), '8 0351 15 234567'],
  ['US', notOf('US'), '011 380 50 123 45 67'],
  // What another country dials inside is nothing to tell of a number of this one.
  ['UA', notOf('UA'), '7 8 916 123-45-67'],
  // The 00 that everybody writes, and a code that is parted.
  ['UA', DIAL_OUT, '005 411 2345 6789'],
  ['UA', TOO_LONG, '067 123 45 67 067 12 34'],
  ['DE', notOf('DE'), '1234'],
  ['UA', `is too short for country code +380; ${CHECK}`, '+380 67 123', '00380 67 123'],
  ['UA', BRACKETED_ZERO, '(0)(0)67 123 45 67', '380 67 (0) 123 45 67'],
  ['UA', 'is not a phone number', 'none', 0, -671234567, 67.5],
  ['UA', 'is empty', '', undefined],
])('%s: refuses with "%s"', (home, reason, ...values) => {
  for (const value of values) expect([value, read(value, home)]).toEqual([value, reason]);
});

it.each<[phone: number, iso: string | null, callingCode: number]>([
  [380671234567, 'UA', 380],
  [18005550100, null, 1],
  [448001234567, null, 44],
  [390669812345, 'VA', 39],
  [590690123456, null, 590],
  [80012345678, null, 800],
  [9990000000, null, 0],
])('%d is a number of %s', (phone, iso, callingCode) => {
  expect(countryOf(phone)).toEqual({ iso, callingCode });
});

it.each(['', 'Ukraine', 'UKR', 'UK', 'XX', '+', '+0', '+38', '+3800', '+800', '380 67', 'U A', '3+80'])(
  'knows no country "%s"',
  (text) => expect(findCountry(text)).toBeUndefined(),
);

it('finds a country past blanks and in other scripts, and the main one of a calling code', () => {
  const ukraine = { iso: 'UA', callingCode: 380 };
  for (const text of [' ua ', 'ＵＡ', '+ 380', '00380', '+٣٨٠']) expect(findCountry(text)).toEqual(ukraine);
  expect(['+1', '7', '0044', '+39'].map((text) => findCountry(text)?.iso)).toEqual(['US', 'RU', 'GB', 'IT']);
});
