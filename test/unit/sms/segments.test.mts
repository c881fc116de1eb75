import fc from '../../support/generated.mts';

import { measureSms } from '../../../nodes/gateway/sms/segments.ts';
import { smsCount } from '../../../sandbox/sms.mts';

/** The characters of the basic multilingual plane. */
const CHARACTERS = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
const GSM = CHARACTERS.filter((character) => measureSms(character).encoding === 'GSM-7');

/** Encoding, units, segments. */
const brief = (text: string) => {
  const { encoding, units, segments } = measureSms(text);
  return [encoding, units, segments];
};

/** The same as the sandbox counts them, which has a table and a count of its own. */
const inSandbox = (text: string) => {
  const { encoding, units, parts } = smsCount(text);
  return [encoding, units, parts];
};

describe('measureSms', () => {
  it('knows the 127 characters of the default alphabet and the 10 of the extension table, and no others', () => {
    const wrong = CHARACTERS.filter((one) => String(brief(one)) !== String(inSandbox(one)));
    expect(wrong).toEqual([]);
    const units = GSM.map((one) => measureSms(one).units);
    expect([1, 2].map((size) => units.filter((one) => one === size).length)).toEqual([127, 10]);
  });

  it.each([
    ['nothing', '', ['GSM-7', 0, 0]],
    ['a full segment', 'a'.repeat(160), ['GSM-7', 160, 1]],
    ['one letter more than a segment', 'a'.repeat(161), ['GSM-7', 161, 2]],
    ['153 euro signs: 306 units, yet a third segment', '€'.repeat(153), ['GSM-7', 306, 3]],
    ['an extension character across the border', 'a'.repeat(152) + '€' + 'a'.repeat(152), ['GSM-7', 306, 3]],
    ['a full segment of UCS-2', 'я'.repeat(70), ['UCS-2', 70, 1]],
    ['an emoji makes text UCS-2', 'a'.repeat(69) + '😀', ['UCS-2', 71, 2]],
    ['a surrogate pair across the border', 'я'.repeat(66) + '😀' + 'я'.repeat(66), ['UCS-2', 134, 3]],
    ['half a surrogate pair', '\ud83d', ['UCS-2', 1, 1]],
  ])('counts %s, and so does the sandbox', (_, text, expected) => {
    expect([brief(text), inSandbox(text)]).toEqual([expected, expected]);
  });

  it('says how many units a segment has', () => {
    const texts = ['', 'a'.repeat(200), 'я', 'я'.repeat(100)];
    expect(texts.map((text) => measureSms(text).unitsPerSegment)).toEqual([160, 153, 70, 67]);
  });

  const gsmText = fc.string({ unit: fc.constantFrom(...GSM), maxLength: 800 });
  /** Runs of a character, which reach the borders of segments. */
  const runs = fc
    .array(fc.tuple(fc.constantFrom(...'a€я😀çÇ^\n'), fc.nat(170)), { maxLength: 4 })
    .map((all) => all.map(([one, count]) => one.repeat(count)).join(''));
  const anyText = fc.oneof(gsmText, fc.string({ unit: 'binary', maxLength: 400 }), runs);

  it('counts every text as the sandbox does, and never splits a character between segments', () => {
    const counted = fc.property(anyText, (text) => expect(brief(text)).toEqual(inSandbox(text)));
    fc.assert(counted, { numRuns: 1000 });
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
