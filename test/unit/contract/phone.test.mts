import fc from 'fast-check';

import { parsePhone } from '../../../nodes/gateway/contract/phone.ts';

const accepted = (value: unknown) => {
  const result = parsePhone(value);
  return result.ok ? result.phone : undefined;
};

describe('phone numbers as people write them', () => {
  it.each([
    ['+380 (50) 123-45-67'],
    ['00380501234567'],
    ['(00380) 50 123 45 67'],
    ['380501234567'],
    ['380.50.123.45.67'],
    ['380501234567.0'],
    ['tel:+380-50-123-45-67'],
    ['\u202a+380\u00a050\u00a0123\u00a045\u00a067\u202c'],
    ['+380–50–123–45–67'],
    ['＋３８０５０１２３４５６７'],
    [' 380501234567\n'],
    [380501234567],
    [380501234567n],
  ])('reads %p', (value) => {
    expect(accepted(value)).toBe(380501234567);
  });

  it('drops the (0) of a British number', () => {
    expect(accepted('+44 (0)20 7946 0958')).toBe(442079460958);
  });

  it.each([
    [''],
    ['   '],
    [undefined],
    [null],
    ['0501234567'],
    ['+0501234567'],
    ['abc'],
    ['38050123456x'],
    ['+380+501234567'],
    ['380501234567, 380501234568'],
    ['380501234567; 380501234568'],
    ['380501234567\n380501234568'],
    ['3.80501E+11'],
    ['380501234567.5'],
    ['123456'],
    ['1234567890123456'],
    [-380501234567],
    [380501234567.5],
    [Number.NaN],
    [Number.MAX_SAFE_INTEGER + 1],
    [true],
    [{}],
    [[380501234567]],
  ])('refuses %p and says why', (value) => {
    const result = parsePhone(value);
    expect(result).toEqual({ ok: false, reason: expect.any(String) });
  });
});

const number = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 14 }))
  .map(([first, rest]) => `${first}${rest.join('')}`);
const separator = fc.constantFrom('', ' ', '-', '.', ' (', ') ', '/', '\u00a0', '–');

it('reads any number however it is spaced, and gives its digits', () => {
  fc.assert(
    fc.property(number, fc.array(separator, { maxLength: 20 }), fc.constantFrom('+', '00', 'tel:+'), (digits, gaps, prefix) => {
      const written = [...digits].map((digit, i) => `${i === 0 ? '' : (gaps[i] ?? '')}${digit}`).join('');
      // "(0)" in front of a local number is a notation of its own.
      fc.pre(!written.includes('(0)'));
      expect(accepted(`${prefix}${written}`)).toBe(Number(digits));
    }),
  );
});

it('never throws and never gives anything but a number of 7 to 15 digits', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true }), (value) => {
      const result = parsePhone(value);
      if (result.ok) expect(String(result.phone)).toMatch(/^[1-9]\d{6,14}$/);
      else expect(result.reason).not.toBe('');
    }),
  );
});
