import fc from '../../support/generated.mts';

import { keyRedactor, secretMasker } from '../../../nodes/gateway/text/secrets.ts';

const LENGTHS = { minLength: 8, maxLength: 64 };
const key = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
    fc.string({ ...LENGTHS, unit: 'grapheme' }),
    fc.string(LENGTHS),
  )
  .filter((text) => text === text.trim() && text.length >= 8 && !/\p{Surrogate}/u.test(text));

/** Ways in which a server may write a key, by name. */
const WRITTEN: Array<[name: string, write: (key: string) => string]> = [
  ['as it is', (text) => text],
  ['in JSON', (text) => JSON.stringify({ auth: text })],
  ['in JSON with escaped slashes', (text) => JSON.stringify({ auth: text }).replaceAll('/', '\\/')],
  ['in a URL', (text) => `?auth=${encodeURIComponent(text)}&x=1`],
];

describe('keyRedactor', () => {
  it.each(WRITTEN)('takes the key out %s', (_, write) => {
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (apiKey, before, after) => {
        const written = write(apiKey);
        const redacted = keyRedactor(apiKey)(`${before} ${written} ${after}`);
        expect(redacted).toContain('[API key]');
        expect(redacted).not.toContain(written);
      }),
    );
  });

  it('takes out each occurrence and leaves the rest, and all for a key that is none', () => {
    const written = '"auth":"s3cret/key+1", again s3cret%2Fkey%2B1! Access denied';
    const redacted = '"auth":"[API key]", again [API key]! Access denied';
    expect(keyRedactor('s3cret/key+1')(written)).toBe(redacted);
    for (const none of ['', ' ', 'abcde'])
      expect(keyRedactor(none)('abcde Access denied')).toBe('abcde Access denied');
  });
});

it('searches megabytes for a key that repeats itself to their end', () => {
  const apiKey = `${'a'.repeat(47)}b`;
  const text = 'a'.repeat(1_000_000);
  expect(keyRedactor(apiKey)(`${text}${apiKey}`)).toBe(`${text}[API key]`);
});

describe('secrets', () => {
  it('are masked with as many asterisks, everywhere in plain data', () => {
    const value = secretMasker(['123456', '1, 2, 3', '']);
    const data = {
      text: 'Code 123456 or 1, 2, 3.',
      list: ['0123456', { deep: '123456123456' }],
      id: 123456,
      echo: 123456,
      parts: 1,
    };
    const list = ['0******', { deep: '************' }];
    expect(value(data)).toEqual({
      text: 'Code ****** or *******.',
      list,
      id: 123456,
      echo: '******',
      parts: 1,
    });
    expect(secretMasker([])(data)).toBe(data);
  });

  it('leaves identifiers their digits, which a code may have by chance, and nothing else', () => {
    const mask = secretMasker(['1234', '1 2 3 4', 'k3yOfALink']);
    const ids = { id: 91234, msg_id: '901234567890123456789', request_id: 'a1234-b' };
    expect(mask({ ...ids, results: [ids] })).toEqual({ ...ids, results: [ids] });
    expect(
      mask({ request_id: 'Your code: 1234', msg_id: 'k3yOfALink', id: { text: '1234' }, error: '1234' }),
    ).toEqual({
      request_id: 'Your code: ****',
      msg_id: '**********',
      id: { text: '****' },
      error: '****',
    });
  });

  it('are left in no text', () => {
    const code = fc.stringMatching(/^\d{4,8}$/);
    const text = fc.array(fc.oneof(code, fc.string())).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(code, { minLength: 1 }), text, (secrets, written) => {
        const masked = secretMasker(secrets)(written);
        expect(secrets.filter((secret) => masked.includes(secret))).toEqual([]);
        expect(masked).toHaveLength(written.length);
      }),
    );
  });
});
