import fc from 'fast-check';

import { parsePhone } from '../../../nodes/gateway/contract/phone.ts';
import { processorTime } from '../../support/processor-time.mts';
import { shortOrLong } from '../../support/long-form.mts';

const accepted = (value: unknown) => {
  const result = parsePhone(value);
  return result.ok ? result.phone : result.reason;
};

describe('phone numbers as people write them', () => {
  it.each([
    ['+380 (50) 123-45-67'],
    ['00380501234567'],
    ['(00380) 50 123 45 67'],
    ['00 (380) 50 123 45 67'],
    ['(+380) 50 123 45 67'],
    ['+(380) 50 123 45 67'],
    ['( +380 50 ) 123 45 67'],
    ['(380) 50 123 45 67'],
    ['+380501234567'],
    ['380501234567'],
    ['380 50 123 45 67'],
    ['38050 123 45 67'],
    ['380.50.123.45.67'],
    ['380501234567.0'],
    ['380501234567.00'],
    ['380501234567,0'],
    ["'+380501234567"],
    ['tel:+380-50-123-45-67'],
    ['TEL: +380 50 123 45 67'],
    ['\u202a+380\u00a050\u00a0123\u00a045\u00a067\u202c'],
    ['+380\u200b501234567'],
    ['+380–50–123–45–67'],
    ['+380−50ー123 45 67'],
    ['＋３８０５０１２３４５６７'],
    ['（＋３８０）　５０－１２３－４５－６７'],
    ['+٣٨٠ ٥٠ ١٢٣ ٤٥ ٦٧'],
    ['۳۸۰۵۰۱۲۳۴۵۶۷'],
    [' 380501234567\n'],
    [380501234567],
    [380501234567n],
    // Ukrainians write the 0 that is dialled at home as the end of the country code.
    ['+38 (050) 123-45-67'],
    ['38 050 123 45 67'],
    ['0038 (050) 123-45-67'],
    ['+38 (0)50 123 45 67'],
    // "(0)" is left out from abroad.
    ['+380 (0)50 123 45 67'],
  ])('reads %p', (value) => {
    expect(accepted(value)).toBe(380501234567);
  });

  it.each([
    ['+44 (0)20 7946 0958', 442079460958],
    ['+44 ( 0 ) 20 7946 0958', 442079460958],
    ['+44(0)2079460958', 442079460958],
    ['+44-(0)-20-7946-0958', 442079460958],
    ['(+44) (0)20 7946 0958', 442079460958],
    ['0044 (0)20 7946 0958', 442079460958],
    ['44 (0)20 7946 0958', 442079460958],
    // Portugal has no 0 to dial, and no longer numbers to mistake it for.
    ['+351 (0)21 000 0000', 351210000000],
    ['2 010 0000 0000', 201000000000],
    // Of Rwanda's numbers some begin with the 0 that is dialled in front of others.
    ['+250 06 000 000', 25006000000],
    ['+39 06 0000 0000', 390600000000],
    ['+800 0000 0000', 80000000000],
    ['1-212-555-0100', 12125550100],
    [' 12125550100', 12125550100],
    ['1 (212) 555-0100', 12125550100],
    ['447700 900123', 447700900123],
    ['+683 4000', 6834000],
    // Two zeros after the country code are not the one that is dialled inside the country.
    ['+27 00 111 1111', 27001111111],
    [10_000_000, 10_000_000],
    ['+44 7700 900123'.padEnd(200), 447700900123],
    ['+49 30 23125-0', 4930231250],
  ])('reads %p', (value, phone) => {
    expect(accepted(value)).toBe(phone);
  });
});

describe('what is refused, and what to do about it', () => {
  const EXPORT_AGAIN = 'format the column as text and export it again';
  const NATIONAL = 'looks like a number without its country code; write + and the country code in front';
  const NO_CODE =
    'has no country code; write + and the country code instead of a leading 0 or dial-out prefix';
  const DIAL_OUT = 'starts with a dial-out prefix other than 00; write + and the country code instead';
  const SEVERAL = 'holds more than one number; use one item for each';
  const ZERO = 'has a 0 in brackets; write the number as it is dialled from abroad';
  const NOT_A_NUMBER = 'is not a phone number';
  const CHECK = 'check the country code and the digits after it';
  const foreign = (character: string) => `holds "${character}", which doesn't belong in a phone number`;
  const trunk = (code: number) =>
    `has a 0 after country code +${code} that is only dialled inside the country; leave it out`;

  it.each([
    // Nothing that could be a number
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['\u200b', 'is empty'],
    [undefined, 'is empty'],
    [null, 'is empty'],
    [true, NOT_A_NUMBER],
    [{}, NOT_A_NUMBER],
    [[380501234567], NOT_A_NUMBER],
    [-380501234567, NOT_A_NUMBER],
    [-380501234567n, NOT_A_NUMBER],
    [0n, NOT_A_NUMBER],
    [0, NOT_A_NUMBER],
    [380501234567.5, NOT_A_NUMBER],
    [Number.NaN, NOT_A_NUMBER],
    [Number.MAX_SAFE_INTEGER + 1, NOT_A_NUMBER],
    ['abc', NOT_A_NUMBER],
    ['+', NOT_A_NUMBER],
    ['()', NOT_A_NUMBER],
    // Characters that a number can't have
    ['38050123456x', foreign('x')],
    ['380501234567²', foreign('²')],
    ['380501234567,', foreign(',')],
    ['380501234567+', foreign('+')],
    ['☎380501234567', foreign('☎')],
    ["380'501234567", foreign("'")],
    ['380501234567.5y', foreign('y')],
    ['380501234567 x5y', foreign('x')],
    // Spreadsheets
    ['3.80501E+11', `was shortened by a spreadsheet; ${EXPORT_AGAIN}`],
    ['3,80501E+11', `was shortened by a spreadsheet; ${EXPORT_AGAIN}`],
    ['38E10', `was shortened by a spreadsheet; ${EXPORT_AGAIN}`],
    ['3.8e11', `was shortened by a spreadsheet; ${EXPORT_AGAIN}`],
    ['4E+11', `was shortened by a spreadsheet; ${EXPORT_AGAIN}`],
    ['x3E+11', SEVERAL],
    ['3.8E+11y', SEVERAL],
    ['№ 380,501', SEVERAL],
    ['380,501,234 y', SEVERAL],
    ['380501234567.55', `was given decimals by a spreadsheet; ${EXPORT_AGAIN}`],
    ['380501234567.05', `was given decimals by a spreadsheet; ${EXPORT_AGAIN}`],
    ['380,501,234,567', `was given commas by a spreadsheet; ${EXPORT_AGAIN}`],
    ['380501234567.5', `was given decimals by a spreadsheet; ${EXPORT_AGAIN}`],
    ['+380501234567.0', `was given decimals by a spreadsheet; ${EXPORT_AGAIN}`],
    // Something else than a number
    ['2024-05-01', 'is a date'],
    ['2024-05-01 10:30', 'is a date'],
    ['31.12.2024', 'is a date'],
    ['12/31/2024', 'is a date'],
    ['192.168.100.100', 'is an IP address'],
    ['49.30.23.125', 'is an IP address'],
    ['+44 7700 900123 ext. 5', 'has an extension; leave it out'],
    ['+44 7700 900123 ext 12', 'has an extension; leave it out'],
    ['tel:+44-7700-900123;ext=5', 'has an extension; leave it out'],
    // Several numbers
    ['380501234567, 380501234568', SEVERAL],
    ['380501234567; 380501234568', SEVERAL],
    ['380501234567\n380501234568', SEVERAL],
    ['380501234567 380501234568', SEVERAL],
    ['+380501234567/+380501234568', SEVERAL],
    ['+380+501234567', SEVERAL],
    ['1234567 7654321', SEVERAL],
    ['+49 30 23125 123/24', SEVERAL],
    ['+49 30 23125 123/4', SEVERAL],
    // No country code
    ['0501234567', NO_CODE],
    ['+0501234567', NO_CODE],
    ['(0)20 7946 0958', NO_CODE],
    ['011 44 7700 900123', NO_CODE],
    ['(212) 555-0100', NATIONAL],
    ['312-555-0100', NATIONAL],
    ['248-555-0100', NATIONAL],
    ['(51) 90000-0000', NATIONAL],
    ['(51) 9 0000-0000', NATIONAL],
    ['51 90000-0000', NATIONAL],
    ['138 0000 0000', NATIONAL],
    ['8 (495) 000-00-00', NATIONAL],
    ['8 10 380 50 123 45 67', NATIONAL],
    ['0011 61 412 345 678', DIAL_OUT],
    ['001161412345678', DIAL_OUT],
    ['005 44 7700 900123', DIAL_OUT],
    ['999 000 000 000', 'has no known country code'],
    [9990000000, 'has no known country code'],
    // A zero that is only dialled at home
    ['+380 (050) 123 45 67', trunk(380)],
    ['+44 020 7946 0958', trunk(44)],
    [3800501234567, trunk(380)],
    ['810380501234567', trunk(81)],
    ['+39 (0)6 0000 0000', ZERO],
    ['+(0)', ZERO],
    ['+(0)44 20 7946 0958', ZERO],
    ['+44 20 (0) 7946 0958', ZERO],
    ['44 20 (0) 7946 0958', ZERO],
    ['+44 (0)(0)20 7946 0958', ZERO],
    // Lengths
    ['00', 'is too short'],
    ['123456', 'is too short'],
    [999_999, 'is too short'],
    [1_000_000, `is too short for country code +1; ${CHECK}`],
    ['380501234567'.padEnd(201), 'is too long for a phone number; use one item for each number'],
    ['1234567890123456', 'is too long'],
    [1e15, 'is too long'],
    [10n ** 20n, 'is too long'],
    ['+380 50 123 45', `is too short for country code +380; ${CHECK}`],
    [2125550100, `is too short for country code +212; ${CHECK}`],
    ['+44 7700 900123 4', `is too long for country code +44; ${CHECK}`],
    ['+44 7700 9001', `has a wrong length for country code +44; ${CHECK}`],
  ])('refuses %p', (value, reason) => {
    expect(parsePhone(value)).toEqual({ ok: false, reason });
  });
});

it('never throws and never gives anything but a number of 7 to 15 digits', () => {
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
