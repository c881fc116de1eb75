import fc from '../../support/generated.mts';

import { parsePhone } from '../../../nodes/gateway/numbers/phone.ts';
import { processorTime } from '../../support/processor-time.mts';
import { shortOrLong } from '../../support/long-form.mts';

const accepted = (value: unknown) => {
  const result = parsePhone(value);
  return result.ok ? result.phone : result.reason;
};

describe('phone numbers as people write them', () => {
  it.each([
    ...['+380 (50) 123-45-67', '00380501234567', '(00380) 50 123 45 67', '00 (380) 50 123 45 67'],
    ...['(+380) 50 123 45 67', '+(380) 50 123 45 67', '( +380 50 ) 123 45 67', '(380) 50 123 45 67'],
    ...['+380501234567', '380501234567', '380 50 123 45 67', '38050 123 45 67', '380.50.123.45.67'],
    ...['380501234567.0', '380501234567.00', '380501234567,0', "'+380501234567", 'tel:+380-50-123-45-67'],
    ...['TEL: +380 50 123 45 67', '\u202a+380\u00a050\u00a0123\u00a045\u00a067\u202c', '+380\u200b501234567'],
    ...['+380–50–123–45–67', '+380−50ー123 45 67', '＋３８０５０１２３４５６７'],
    ...[
      '（＋３８０）　５０－１２３－４５－６７',
      '+٣٨٠ ٥٠ ١٢٣ ٤٥ ٦٧',
      '۳۸۰۵۰۱۲۳۴۵۶۷',
      ' 380501234567\n',
      380501234567,
      380501234567n,
    ],
    // Ukrainians write the 0 that is dialled at home as the end of the country code.
    ...['+38 (050) 123-45-67', '38 050 123 45 67', '0038 (050) 123-45-67', '+38 (0)50 123 45 67'],
    // Slashes separate groups, but for one before a last digit or two.
    ...['+380 50/1234567', '+380/50/123/45/67'],
    // "(0)" is left out from abroad.
    '+380 (0)50 123 45 67',
  ])('%p is read with its country code', (value) => expect(accepted(value)).toBe(380501234567));

  it.each<[phone: number, ...values: unknown[]]>([
    [442079460958, '+44 ( 0 ) 20 7946 0958', '+44(0)2079460958', '+44-(0)-20-7946-0958'],
    [442079460958, '(+44) (0)20 7946 0958', '0044 (0)20 7946 0958', '44 (0)20 7946 0958'],
    // Portugal has no 0 to dial, and no longer numbers to mistake it for.
    [351210000000, '+351 (0)21 000 0000'],
    [201000000000, '2 010 0000 0000'],
    // Of Rwanda's numbers some begin with the 0 that is dialled in front of others.
    [25006000000, '+250 06 000 000'],
    [390600000000, '+39 06 0000 0000'],
    [80000000000, '+800 0000 0000'],
    [12125550100, '1-212-555-0100', ' 12125550100', '1 (212) 555-0100'],
    [447700900123, '447700 900123', '+44 7700 900123'.padEnd(200)],
    [6834000, '+683 4000'],
    // Two zeros after the country code are not the one that is dialled inside the country.
    [27001111111, '+27 00 111 1111'],
    [10_000_000, 10_000_000],
    [4930231250, '+49 30 23125-0'],
    // The prefix of calls inside Belarus, or the first digits of a number: nobody can tell.
    [375881234567, '+375 88 123 45 67'],
    [375808123456, '+375 808 12 34 56'],
    // In quotation marks of an export of an export, behind a blank.
    [447700900123, ' ="+447700900123" ', `""'447700900123'""`],
  ])('%d is read from each of its notations', (phone, ...values) => {
    for (const value of values) expect([value, accepted(value)]).toEqual([value, phone]);
  });
});

describe('what is refused, and what to do about it', () => {
  const EXPORT_AGAIN = 'format the column as text and export it again';
  const NATIONAL =
    "looks like a number without its country code; write + and the country code in front, or add the option 'Default Country'";
  const NO_CODE =
    "needs its country code; write + and the country code instead of a leading 0 or dial-out prefix, or add the option 'Default Country'";
  const DIAL_OUT = 'starts with a dial-out prefix other than 00; write + and the country code instead';
  const APART = 'give each an item of its own, for example with the node Split Out';
  const SEVERAL = `holds more than one number; ${APART}`;
  const TOO_LONG = `has more than 15 digits, the most that a phone number has; if it holds several numbers, ${APART}`;
  const ZERO = 'has a 0 in brackets; write the number as it is dialled from abroad';
  const NOT_A_NUMBER = 'is not a phone number';
  const CHECK = 'check the country code and the digits after it';
  const foreign = (character: string) => `holds "${character}", which doesn't belong in a phone number`;
  const trunk = (code: number) =>
    `has a 0 after country code +${code} that isn't dialled from abroad; leave it out`;

  it.each<[reason: string, ...values: unknown[]]>([
    ['is empty', '', '   ', '\u200b', undefined, null],
    [NOT_A_NUMBER, true, {}, [380501234567], -380501234567, -380501234567n, 0n, 0, 380501234567.5],
    [NOT_A_NUMBER, Number.NaN, Number.MAX_SAFE_INTEGER + 1, 'abc', '+', '()'],
    // Characters that a number can't have
    [foreign('x'), '38050123456x', '380501234567 x5y'],
    [foreign('²'), '380501234567²'],
    [foreign('#'), '380501234567 #REF!', '#REF! 380501234567'],
    [foreign(','), '380501234567,'],
    [foreign('+'), '380501234567+'],
    [foreign('☎'), '☎380501234567'],
    [foreign("'"), "380'501234567"],
    [foreign('y'), '380501234567.5y'],
    [foreign('t'), '380 tel:501234567'],
    [foreign('%'), '380%2b501234567'],
    // Spreadsheets
    [`was shortened by a spreadsheet; ${EXPORT_AGAIN}`, '3,80501E+11', '38E10', '3.8e11'],
    [`was given decimals by a spreadsheet; ${EXPORT_AGAIN}`, '380501234567.55', '380501234567.05'],
    [`was given decimals by a spreadsheet; ${EXPORT_AGAIN}`, '380501234567.5', '+380501234567.0'],
    [`was given commas by a spreadsheet; ${EXPORT_AGAIN}`, '380,501,234,567'],
    // Something else than a number
    ['is a date', '2024-05-01', '2024-05-01 10:30', '31.12.2024', '12/31/2024'],
    ['is what a spreadsheet shows for a broken formula', '#N/A', '#REF!', '#DIV/0!'],
    ['is an IP address', '192.168.100.100', '49.30.23.125'],
    ['has an extension; leave it out', '+44 7700 900123 ext. 5', '+44 7700 900123 ext 12'],
    ['has an extension; leave it out', 'tel:+44-7700-900123;ext=5'],
    // Several numbers
    [SEVERAL, 'x3E+11', '3.8E+11y', '№ 380,501', '380,501,234 y', '380501234567, 380501234568'],
    [SEVERAL, '380501234567; 380501234568', '380501234567\n380501234568', '380501234567 380501234568'],
    [SEVERAL, '+380501234567/+380501234568', '+380+501234567', '1234567 7654321'],
    [SEVERAL, '+44 7700 900101 or 07700 900102', '067 123 45 01 (Anna) 067 123 45 02'],
    [SEVERAL, '+49 30 23125 123/24', '+49 30 23125 123/4', '380501234567, 68'],
    // No country code
    [NO_CODE, '0501234567', '+0501234567', '(0)20 7946 0958', '011 44 7700 900123'],
    [
      NATIONAL,
      '(212) 555-0100',
      '312-555-0100',
      '248-555-0100',
      '(51) 90000-0000',
      '(51) 9 0000-0000',
      '51 90000-0000',
    ],
    [NATIONAL, '138 0000 0000', '8 (495) 000-00-00', '8 10 380 50 123 45 67', '50 1234567.89'],
    [DIAL_OUT, '0011 61 412 345 678', '001161412345678', '005 44 7700 900123'],
    ['has no known country code', '999 000 000 000', 9990000000],
    // A zero that is only dialled at home
    [trunk(380), '+380 (050) 123 45 67', 3800501234567],
    [trunk(44), '+44 020 7946 0958'],
    [trunk(81), '810380501234567'],
    [ZERO, '+39 (0)6 0000 0000', '+(0)', '+(0)44 20 7946 0958', '+44 20 (0) 7946 0958'],
    [ZERO, '44 20 (0) 7946 0958', '+44 (0)(0)20 7946 0958'],
    // Lengths
    ['is too short', '00', '123456', 999_999],
    [`is too short for country code +1; ${CHECK}`, 1_000_000],
    [`is too long for a phone number; if it holds several, ${APART}`, '380501234567'.padEnd(201)],
    [TOO_LONG, '1234567890123456', '0000123456789012345', 1e15, 10n ** 20n],
    [TOO_LONG, '+380 67 123 45 01 / 067 123 45 02', '067 123 45 01 067 123 45 02'],
    [`is too short for country code +380; ${CHECK}`, '+380 50 123 45'],
    [`is too short for country code +212; ${CHECK}`, 2125550100],
    [`is too long for country code +44; ${CHECK}`, '+44 7700 900123 4'],
    [`has a wrong length for country code +44; ${CHECK}`, '+44 7700 9001'],
  ])('the reason says that a number %s', (reason, ...values) => {
    for (const value of values) expect([value, parsePhone(value)]).toEqual([value, { ok: false, reason }]);
  });
});

it('never throws, and reads nothing but numbers of 7 to 15 digits', () => {
  const pieces = [...'0123456789+-./() ,;|x#e²\n\u200b０٣', '(0)', '(0)', '00', '44', '380', 'tel:'];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join(''));
  const start = fc
    .tuple(fc.constantFrom('', '+', '00', '+(0)', '+44 (0)'), text)
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.anything({ withBigInt: true }), text, start), (value) => {
      const result = parsePhone(value);
      if (result.ok) expect(String(result.phone)).toMatch(/^[1-9]\d{6,14}$/);
      else expect(result.reason).not.toBe('');
    }),
    { numRuns: shortOrLong(5000, 20_000), seed: 20 },
  );
});

it('returns at once from whatever length of text', () => {
  const pieces = ['9', ' ', '(', '+', '(0', '1,', '1.', '1/', '( ', 'x1', 'ext', '0e', '\u200b', '²', '０'];
  // Up to 200 characters a text is read, beyond it is refused unread.
  for (const length of [190, 1_000_000]) {
    for (const piece of pieces) {
      const text = `1${piece.repeat(length / piece.length)}`;
      expect(parsePhone(text).ok).toBe(false);
      expect(processorTime(() => parsePhone(text), 50)).toBeLessThan(50);
    }
  }
});
