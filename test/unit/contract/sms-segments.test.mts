import fc from 'fast-check';

import { measureSms } from '../../../nodes/gateway/contract/sms-segments.ts';

// Written out once more by code point, from the table of 3GPP TS 23.038, so that a slip in the module shows.
const BASIC_CODES = [
  0x40, 0xa3, 0x24, 0xa5, 0xe8, 0xe9, 0xf9, 0xec, 0xf2, 0xc7, 0x0a, 0xd8, 0xf8, 0x0d, 0xc5, 0xe5, 0x394, 0x5f,
  0x3a6, 0x393, 0x39b, 0x3a9, 0x3a0, 0x3a8, 0x3a3, 0x398, 0x39e, 0xc6, 0xe6, 0xdf, 0xc9, 0x20, 0x21, 0x22,
  0x23, 0xa4, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e,
  0x3f, 0xa1, 0xc4, 0xd6, 0xd1, 0xdc, 0xa7, 0xbf, 0xe4, 0xf6, 0xf1, 0xfc, 0xe0,
];
for (let i = 0; i < 10; i++) BASIC_CODES.push(0x30 + i);
for (let i = 0; i < 26; i++) BASIC_CODES.push(0x41 + i, 0x61 + i);
const BASIC = String.fromCodePoint(...BASIC_CODES);
const EXTENSION_CODES = [0x0c, 0x5e, 0x7b, 0x7d, 0x5c, 0x5b, 0x7e, 0x5d, 0x7c, 0x20ac];
const EXTENSION = String.fromCodePoint(...EXTENSION_CODES);

/** Encoding, units, segments. */
const brief = (text: string) => {
  const { encoding, units, segments } = measureSms(text);
  return [encoding, units, segments];
};

describe('measureSms', () => {
  it('knows the 127 characters of the default alphabet and the 10 of the extension table', () => {
    expect(new Set(BASIC).size).toBe(127);
    for (const character of BASIC) expect(brief(character)).toEqual(['GSM-7', 1, 1]);
    for (const character of EXTENSION) expect(brief(character)).toEqual(['GSM-7', 2, 1]);
  });

  it('counts no other character of the basic multilingual plane as GSM-7', () => {
    const known = new Set(BASIC + EXTENSION);
    let others = 0;
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      if (!known.has(character) && measureSms(character).encoding === 'UCS-2') others++;
    }
    expect(others).toBe(0x10000 - 137);
  });

  it.each([
    ['nothing', '', ['GSM-7', 0, 0]],
    ['a full segment', 'a'.repeat(160), ['GSM-7', 160, 1]],
    ['one letter more than a segment', 'a'.repeat(161), ['GSM-7', 161, 2]],
    ['153 euro signs: 306 units, yet a third segment', '€'.repeat(153), ['GSM-7', 306, 3]],
    ['an extension character across the border', 'a'.repeat(152) + '€' + 'a'.repeat(152), ['GSM-7', 306, 3]],
    ['an emoji makes text UCS-2', 'a'.repeat(69) + '😀', ['UCS-2', 71, 2]],
    ['a surrogate pair across the border', 'я'.repeat(66) + '😀' + 'я'.repeat(66), ['UCS-2', 134, 3]],
    ['half a surrogate pair', '\ud83d', ['UCS-2', 1, 1]],
  ])('counts %s', (_, text, expected) => {
    expect(brief(text)).toEqual(expected);
  });

  it('says how many units a segment has', () => {
    const texts = ['', 'a'.repeat(200), 'я', 'я'.repeat(100)];
    expect(texts.map((text) => measureSms(text).unitsPerSegment)).toEqual([160, 153, 70, 67]);
  });

  const gsmText = fc.string({ unit: fc.constantFrom(...(BASIC + EXTENSION)), maxLength: 800 });
  const anyText = fc.oneof(gsmText, fc.string({ unit: 'binary', maxLength: 400 }));

  it('never splits a character between segments', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, units, segments } = measureSms(text);
        const size = (c: string) => (encoding === 'UCS-2' ? c.length : EXTENSION.includes(c) ? 2 : 1);
        const total = [...text].reduce((sum, c) => sum + size(c), 0);
        expect(units).toBe(total);
        const [single, several] = encoding === 'UCS-2' ? [70, 67] : [160, 153];
        const laid: number[] = [];
        const limit = total <= single ? single : several;
        for (const c of text) {
          if (laid.length === 0 || laid[laid.length - 1] + size(c) > limit) laid.push(0);
          laid[laid.length - 1] += size(c);
        }
        expect(segments).toBe(laid.length);
      }),
    );
  });

  it('says truly how many units are left', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { segments, unitsLeft } = measureSms(text);
        const filled = measureSms(text + 'a'.repeat(unitsLeft));
        expect(filled.segments).toBe(Math.max(segments, 1));
        expect(measureSms(text + 'a'.repeat(unitsLeft + 1)).segments).toBeGreaterThan(filled.segments);
      }),
    );
  });
});
