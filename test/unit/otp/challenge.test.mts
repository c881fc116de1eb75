import fc from 'fast-check';

import { openChallenge, sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode, equalCodes, spokenCode, typedCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import { compareCode } from '../../../nodes/gateway/otp/verify.ts';
import { shortOrLong } from '../../support/long-form.mts';

const KEYS = deriveOtpKeys('a-key-for-tests');
const OTHERS = deriveOtpKeys('another-key');
const PHONE = 447700900001;
const NOW = Date.UTC(2026, 0, 1);

const challengeOf = (more: object = {}) => ({
  id: 4_711_000_111,
  root: 4_711_000_111,
  phone: PHONE,
  length: 6,
  issuedAt: NOW,
  expiresAt: NOW + 300_000,
  channels: ['sms'],
  ...more,
});

describe('the keys', () => {
  it('differ by purpose and by account, and do not hold the API key', () => {
    const all = [...Object.values(KEYS), ...Object.values(OTHERS)].map((key) => key.toString('hex'));
    expect(new Set(all).size).toBe(6);
    expect(all.join()).not.toContain(Buffer.from('a-key-for-tests').toString('hex'));
  });
});

describe('the code', () => {
  it('follows from id, number and length, and from each of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.integer({ min: 4, max: 8 }), (id, length) => {
        const code = deriveCode(KEYS, { id, phone: PHONE, length });
        expect(code).toMatch(new RegExp(`^\\d{${length}}$`));
        expect(deriveCode(KEYS, { id, phone: PHONE, length })).toBe(code);
      }),
    );
    const codes = [
      deriveCode(KEYS, { id: 1, phone: PHONE, length: 8 }),
      deriveCode(KEYS, { id: 2, phone: PHONE, length: 8 }),
      deriveCode(KEYS, { id: 1, phone: PHONE + 1, length: 8 }),
      deriveCode(OTHERS, { id: 1, phone: PHONE, length: 8 }),
    ];
    expect(new Set(codes).size).toBe(4);
  });

  it('is read digit by digit', () => expect(spokenCode('0123')).toBe('0, 1, 2, 3'));

  it.each([
    [' 12 34-56 ', '123456'],
    ['12–34−56', '123456'],
    ['１２３４５６', '123456'],
    ['٠١٢٣٤٥', '012345'],
    ['۰۱۲۳۴۵', '012345'],
    ['\u200e123456\u200f', '123456'],
    [12345, '012345'],
    ['12345', '12345'],
    [-1, ''],
    [1.5, ''],
    [undefined, ''],
    [{ code: 1 }, ''],
    ['1'.repeat(101), ''],
  ])('is understood as typed: %j', (typed, code) => expect(typedCode(typed, 6)).toBe(code));
});

describe('a challenge', () => {
  it('opens to what was sealed, with the same key only', () => {
    const text = sealChallenge(KEYS, challengeOf({ code: '1234' }));
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(openChallenge(KEYS, text)).toEqual(challengeOf({ code: '1234' }));
    expect(openChallenge(KEYS, ` ${text}\n`)).toEqual(challengeOf({ code: '1234' }));
    expect(openChallenge(OTHERS, text)).toBeUndefined();
  });

  it('is refused with any single bit, character or byte changed', () => {
    const text = sealChallenge(KEYS, challengeOf());
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] ^= 1 << (bit & 7);
      expect(openChallenge(KEYS, changed.toString('base64url'))).toBeUndefined();
    }
    for (let at = 0; at < text.length; at += 1) {
      for (const other of 'ABwx_-=') {
        if (text[at] === other) continue;
        expect(openChallenge(KEYS, text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
      }
    }
  });

  it('differs each time and tells nothing by its length', () => {
    const texts = [
      challengeOf(),
      challengeOf(),
      challengeOf({ phone: 4477009000012, channels: ['telegram', 'viber'] }),
      challengeOf({ code: '1234', channels: ['call'] }),
    ].map((challenge) => sealChallenge(KEYS, challenge));
    expect(new Set(texts).size).toBe(4);
    expect(new Set(texts.map(({ length }) => length)).size).toBe(1);
  });
});

describe('the comparison', () => {
  const text = sealChallenge(KEYS, challengeOf());
  const code = deriveCode(KEYS, challengeOf());
  const compare = (given: object, now = NOW) =>
    compareCode(KEYS, { challenge: text, phone: PHONE, code, ...given }, now);

  it('knows right, wrong, expired, and what is not its own', () => {
    expect(compare({})).toMatchObject({ kind: 'compared', isRight: true });
    expect(compare({ phone: '+44 7700 900001' })).toMatchObject({ kind: 'compared', isRight: true });
    expect(compare({ code: code === '000000' ? '000001' : '000000' })).toMatchObject({ isRight: false });
    expect(compare({}, NOW + 299_999)).toMatchObject({ isRight: true });
    expect(compare({}, NOW + 300_000)).toMatchObject({ kind: 'expired' });
    expect(compare({ phone: PHONE + 1 })).toEqual({ kind: 'invalid' });
    expect(compare({ challenge: '' })).toEqual({ kind: 'invalid' });
  });

  it('never throws, and is right for the code alone, whatever comes in', () => {
    const anything = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(text, code, PHONE, String(PHONE), Number(code)),
    );
    fc.assert(
      fc.property(anything, anything, anything, fc.integer(), (challenge, phone, typed, now) => {
        const result = compareCode(KEYS, { challenge, phone, code: typed }, now);
        if (result.kind !== 'compared') return;
        expect(challenge).toBe(text);
        expect(result.isRight).toBe(typedCode(typed, 6) === code);
      }),
      { numRuns: shortOrLong(1000, 5000) },
    );
  });

  it('finds codes equal exactly where they are', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => equalCodes(a, b) === (a === b)));
  });
});
