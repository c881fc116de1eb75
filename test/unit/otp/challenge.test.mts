/** Keys, codes and challenges: what they are, what must stay the same over versions, and what is refused. */
import crypto from 'node:crypto';

import fc from '../../support/generated.mts';

import { compareCode, openChallenge, sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import {
  calledCode,
  deriveCode,
  deriveOtpKeys,
  purposeName,
  recordName,
  spokenCode,
  typedCode,
} from '../../../nodes/gateway/otp/code.ts';
import { titled } from '../../corpus/case.mts';
import { CODES } from '../../corpus/codes.mts';
import { shortOrLong } from '../../support/long-form.mts';

const KEYS = deriveOtpKeys('a-key-for-tests');
const OTHERS = deriveOtpKeys('another-key');
const PHONE = 447700900001;
const NOW = Date.UTC(2026, 0, 1);
const PURPOSE = purposeName(KEYS, 'login', '');

const challengeOf = (more: object = {}) => ({
  ...{ id: 4_711_000_111, root: 4_711_000_111, phone: PHONE, length: 6 },
  ...{ issuedAt: NOW, expiresAt: NOW + 300_000, purpose: PURPOSE },
  ...more,
});

/** Computed apart from this code, from docs/one-time-passwords.md and the formats below. */
describe('Other processes and later versions', () => {
  it('They derive the same keys, each for its purpose and account.', () => {
    const hex = (keys: object) => Object.values(keys).map((key: Buffer) => key.toString('hex'));
    expect(hex(KEYS)).toEqual([
      '1b74fe82369cbd776582b294059222a3b1023a3528381fb8a99c1feaffa22bae',
      'f607b26690ad851fea25074a413f23cbe288ea3d27dd877322ef7eb48c045c81',
      '7a826caec165309974704a7cc94a8dc6fc3fa0739a012be0cc652cf1ec31a13d',
    ]);
    expect(hex(OTHERS).some((key) => hex(KEYS).includes(key))).toBe(false);
  });

  it.each([
    [1, 4, '7778'],
    [42, 4, '0086'],
    [4_711_000_111, 6, '209672'],
    // The first two 32-bit words are of those that would make some codes likelier than others, so the third one counts.
    [767, 8, '29876796'],
  ])('They derive the same code of message %i with %i digits.', (id, length, code) => {
    expect(deriveCode(KEYS, { id, phone: PHONE, length })).toBe(code);
    expect(deriveCode(KEYS, { id: String(id), phone: PHONE, length })).toBe(code);
    for (const [keys, phone] of [[OTHERS, PHONE] as const, [KEYS, PHONE + 1] as const]) {
      expect(deriveCode(keys, { id, phone, length })).not.toBe(code);
    }
  });

  it('They take the first word below the bound, in the next block where one has none.', () => {
    const bound = 4_294_000_000;
    // The first block has no word that is usable, and the second one begins with the bound itself.
    const words = [Array<number>(8).fill(2 ** 32 - 1), [bound, bound - 1, 5, 5, 5, 5, 5, 5]];
    const hmac = {
      update: (text: string) => {
        const [, , , block] = JSON.parse(text) as [string, number, number, number];
        const digest = Buffer.alloc(32);
        words[block].forEach((word, at) => digest.writeUInt32BE(word, 4 * at));
        return { digest: () => digest };
      },
    };
    jest.spyOn(crypto, 'createHmac').mockReturnValue(hmac as unknown as crypto.Hmac);
    expect(deriveCode(KEYS, { id: 1, phone: PHONE, length: 6 })).toBe('999999');
    jest.restoreAllMocks();
  });

  it('They derive the same names of records.', () => {
    expect(recordName(KEYS, 'chain', 5, PHONE)).toBe('qkxrc1bHQEwOiWOaBLMr-A');
    expect(recordName(KEYS, 'chain', '5', PHONE)).not.toBe(recordName(KEYS, 'chain', 5, PHONE));
  });

  it('They open a challenge that was sealed before.', () => {
    const text =
      'BwcHBwcHBwcHBwcHAzE3R2ECPMUNXPfRRoVLz1RVhDZZfnl3nGmvndbNdwC2yf-kMvZnsRyROAbfJOhtiDO84KTd5k4YpM5KAoLtvZ0cI9p8nmCb5ZMwl5OdQUh4_aQuFhZAVpTXe2eETZUplmfw8bx5OMG4jUOnQPXbFiLmlSls3016';
    expect(openChallenge(KEYS, text)).toMatchObject({ id: 5, root: 4, phone: PHONE, code: '0815' });
  });
});

describe('A challenge', () => {
  const text = sealChallenge(KEYS, challengeOf());
  const bytes = Buffer.from(text, 'base64url');

  it('opens to what was sealed, with the same key only, with blanks around it, up to 4096 characters.', () => {
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(openChallenge(KEYS, ` ${text}\n`)).toEqual(challengeOf());
    expect(openChallenge(KEYS, text.padEnd(4096))).toEqual(challengeOf());
    expect(openChallenge(KEYS, text.padEnd(4097))).toBeUndefined();
    expect(openChallenge(OTHERS, text)).toBeUndefined();
  });

  it('is refused with any bit changed, any byte missing at the end, or written in any other way.', () => {
    const changed = Array.from({ length: 8 * bytes.length }, (_, bit) => {
      const other = Buffer.from(bytes);
      other[bit >> 3] ^= 1 << (bit & 7);
      return other.toString('base64url');
    });
    const short = Array.from(bytes, (_, length) => bytes.subarray(0, length).toString('base64url'));
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // Several texts decode to the same bytes.
    const same = [...alphabet].map((last) => `${text.slice(0, -1)}${last}`);
    const written = [`${text}=`, `${text}==`, text.replaceAll('-', '+').replaceAll('_', '/')];
    const others = [...changed, ...short, ...same, ...written].filter((one) => one !== text);
    expect(others.filter((one) => openChallenge(KEYS, one) !== undefined)).toEqual([]);
  });

  it('differs each time, and tells nothing in its text.', () => {
    expect(sealChallenge(KEYS, challengeOf())).not.toBe(text);
    for (const part of [deriveCode(KEYS, challengeOf()), String(PHONE), 'phone']) {
      expect(bytes.toString('latin1')).not.toContain(part);
    }
  });
});

it.each(titled(CODES))('A code as it is typed: %s', (_, { input: { typed, length }, right }) =>
  expect(typedCode(typed, length)).toBe(right),
);

it.each<[unknown, string | undefined]>([
  [`${' '.repeat(994)}123456`, '123456'],
  [`${' '.repeat(995)}123456`, undefined],
  [0, '000000'],
  ...[-1, 1.5, 2 ** 53, 123456n, undefined, null, true, { code: 123456 }, [[1], 2], [{}]].map(
    (none): [unknown, undefined] => [none, undefined],
  ),
])('A code of six digits in %p is %p.', (typed, code) => expect(typedCode(typed, 6)).toBe(code));

it('A code is found in every script, and between whatever is no digit.', () => {
  const zeros = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(code)),
  );
  // Unicode 15 has 680 digits; each tenth is the zero of its script.
  expect(zeros.length).toBeGreaterThanOrEqual(680);
  const scripts = zeros.filter((_, i) => i % 10 === 0);
  const between = fc.string({ unit: 'binary', maxLength: 5 }).filter((text) => !/\p{Nd}/u.test(text));
  const code = fc.array(fc.nat({ max: 9 }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(
      code,
      fc.constantFrom(...scripts),
      fc.array(between, { minLength: 7 }),
      (digits, zero, noise) => {
        const written = digits.map((digit) => String.fromCodePoint(zero + digit));
        const typed = written.map((digit, i) => `${noise[i]}${digit}`).join('') + noise[6];
        expect(typedCode(typed, 6)).toBe(digits.join(''));
      },
    ),
  );
});

it('The code of a call is text of four digits, or a number that lost its zeros.', () => {
  for (const code of ['1234', '0042']) expect(calledCode(code)).toBe(code);
  expect([42, 0].map(calledCode)).toEqual(['0042', '0000']);
  const others = ['123', '12345', '123456789', 'x1234', '1234x', '12a4', '', undefined, 123456789, ['1234']];
  expect(others.filter((payload) => calledCode(payload) !== undefined)).toEqual([]);
});

it('A purpose is the same in each notation of Unicode, and another one for each workflow.', () => {
  const [composed, decomposed] = ['caf\u00e9', ' cafe\u0301 '].map((text) => purposeName(KEYS, text, 'a'));
  expect(composed).toBe(decomposed);
  expect(composed).toBe(purposeName(KEYS, 'caf\u00e9', 'b'));
  const others = [
    ['CAF\u00c9', 'a'],
    [undefined, 'a'],
    [undefined, 'b'],
    ['a', 'a'],
  ] as const;
  const names = others.map(([text, workflow]) => purposeName(KEYS, text, workflow));
  expect(new Set([composed, ...names]).size).toBe(5);
});

it('A code is read digit by digit.', () => expect(spokenCode('0123')).toBe('0, 1, 2, 3'));

describe('The comparison', () => {
  const text = sealChallenge(KEYS, challengeOf());
  const code = deriveCode(KEYS, challengeOf());
  const compare = (given: object, now = NOW) =>
    compareCode(KEYS, { challenge: text, phone: PHONE, code, purpose: PURPOSE, ...given }, now);

  it('knows right, wrong, expired, and what is not its own.', () => {
    expect(compare({})).toMatchObject({ is: 'right' });
    expect(compare({ phone: '+44 7700 900001' })).toMatchObject({ is: 'right' });
    expect(compare({ code: code === '000000' ? '000001' : '000000' })).toMatchObject({ is: 'wrong' });
    expect(compare({}, NOW + 299_999)).toMatchObject({ is: 'right' });
    expect(compare({}, NOW + 300_000)).toMatchObject({ is: 'expired' });
    expect(compare({ code: '12345' })).toMatchObject({ is: 'notACode' });
    expect(compare({ code: '12345' }, NOW + 300_000)).toMatchObject({ is: 'expired' });
    const invalid = { is: 'otherChallenge' };
    expect(compare({ phone: PHONE + 1 })).toEqual(invalid);
    expect(compare({ challenge: '', purpose: '' })).toEqual(invalid);
    for (const purpose of [purposeName(KEYS, 'newsletter', ''), purposeName(KEYS, undefined, 'login'), ''])
      expect(compare({ purpose })).toEqual({ is: 'otherPurpose' });
    const called = sealChallenge(KEYS, challengeOf({ code: '0815', length: 4 }));
    expect(compare({ challenge: called, code: 815 })).toMatchObject({ is: 'right' });
  });

  it('never throws, and is right for the code alone, whatever comes in.', () => {
    const anything = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(text, code, PHONE, String(PHONE), Number(code)),
    );
    fc.assert(
      fc.property(anything, anything, anything, fc.integer(), (challenge, phone, typed, now) => {
        const result = compareCode(KEYS, { challenge, phone, code: typed, purpose: PURPOSE }, now);
        if (result.is !== 'right' && result.is !== 'wrong') return;
        expect(challenge).toBe(text);
        expect(result.is === 'right').toBe(typedCode(typed, 6) === code);
      }),
      { numRuns: shortOrLong(1000, 5000) },
    );
  });
});
