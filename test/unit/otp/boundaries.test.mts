/** Codes and challenges at the edges of their rules, and what must stay the same over versions. */
import { openChallenge, sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { calledCode, deriveCode, typedCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys, recordName } from '../../../nodes/gateway/otp/keys.ts';

const KEYS = deriveOtpKeys('a-key-for-tests');
const PHONE = 447700900001;

/** Computed apart from this code, from docs/one-time-passwords.md and the formats below. */
describe('what other processes and later versions have to derive as well', () => {
  it('keys', () => {
    expect(Object.values(KEYS).map((key) => key.toString('hex'))).toEqual([
      '1b74fe82369cbd776582b294059222a3b1023a3528381fb8a99c1feaffa22bae',
      'f607b26690ad851fea25074a413f23cbe288ea3d27dd877322ef7eb48c045c81',
      '7a826caec165309974704a7cc94a8dc6fc3fa0739a012be0cc652cf1ec31a13d',
    ]);
  });

  it.each([
    [1, 4, '7778'],
    [42, 4, '0086'],
    [4_711_000_111, 6, '209672'],
    // The first two 32-bit words are of those that would make some codes likelier than others, so the third one counts.
    [767, 8, '29876796'],
  ])('the code of message %i with %i digits', (id, length, code) => {
    expect(deriveCode(KEYS, { id, phone: PHONE, length })).toBe(code);
    expect(deriveCode(KEYS, { id: String(id), phone: PHONE, length })).toBe(code);
  });

  it('no keys of an empty API key, which anybody could derive', () => {
    expect(() => deriveOtpKeys('')).toThrow('The API key is empty');
  });

  it('names of records', () => {
    expect(recordName(KEYS, 'chain', 5, PHONE)).toBe('qkxrc1bHQEwOiWOaBLMr-A');
    expect(recordName(KEYS, 'chain', '5', PHONE)).not.toBe(recordName(KEYS, 'chain', 5, PHONE));
  });

  it('challenges', () => {
    const text =
      'AQcHBwcHBwcHBwcHBwMxN0dhAjzFDVz30UaFS89UVYQ2WX55d5xpr53WzXcAtsn_pDL2Z7EckTgG3yTobYgzvOCk3eZOGKTOSgKC7b2dHCPafJ5gm-WTMJeTjlxbZvyyJ0cOWH2UmDhohwutJ44mr63obiCeVcEN5M9mnt8jrH_5HiM5Wp48XLutvoLtnAROPWtyps5Eh7kdqSySoA';
    expect(openChallenge(KEYS, text)).toMatchObject({ id: 5, root: 4, phone: PHONE, code: '0815' });
  });
});

describe('a challenge', () => {
  const challenge = { id: 5, root: 5, phone: PHONE, length: 6, issuedAt: 1, expiresAt: 2, channels: ['sms'] };
  const text = sealChallenge(KEYS, challenge);

  it('is read with blanks around it, up to 4096 characters', () => {
    expect(openChallenge(KEYS, text.padEnd(4096))).toEqual(challenge);
    expect(openChallenge(KEYS, text.padEnd(4097))).toBeUndefined();
  });

  it('is refused, and never throws, where it is too short', () => {
    const bytes = Buffer.from(text, 'base64url');
    for (let length = 0; length < bytes.length; length += 1) {
      expect(openChallenge(KEYS, bytes.subarray(0, length).toString('base64url'))).toBeUndefined();
    }
  });

  it('is one text alone: no other that decodes to the same bytes is taken', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const same = [...alphabet].map((last) => `${text.slice(0, -1)}${last}`);
    const taken = [...same, `${text}=`, `${text}==`, text.replaceAll('-', '+').replaceAll('_', '/')].filter(
      (one) => one !== text && openChallenge(KEYS, one) !== undefined,
    );
    expect(taken).toEqual([]);
  });

  it('has a length in steps of 64 bytes', () => {
    const sizeOf = (channels: string[]) =>
      Buffer.from(sealChallenge(KEYS, { ...challenge, channels }), 'base64url').length;
    // The version, the nonce and the tag are 29 bytes.
    for (let length = 0; length < 200; length += 1) {
      const plain = Buffer.from(JSON.stringify({ ...challenge, channels: ['x'.repeat(length)] })).length;
      expect(sizeOf(['x'.repeat(length)])).toBe(29 + 64 * Math.ceil(plain / 64));
    }
  });
});

describe('a typed code', () => {
  it.each([
    [0, '000000'],
    [`${' '.repeat(94)}123456`, '123456'],
    [`${' '.repeat(95)}123456`, ''],
    ['-1', '1'],
    [2 ** 53, ''],
    [123456n, ''],
  ])('%p is %j', (typed, code) => expect(typedCode(typed, 6)).toBe(code));
});

it.each([
  ...['123', '123456789', 'x1234', '1234x', '12a4', '12', '', undefined, 123456789, ['1234']].map(
    (payload) => [payload, undefined],
  ),
  ['1234', '1234'],
  ['12345678', '12345678'],
  ['0042', '0042'],
  [42, '0042'],
  [0, '0000'],
])('the code of a call in %j is %j', (payload, code) => expect(calledCode(payload)).toBe(code));
