import fc from 'fast-check';

import { keyRedactor } from '../../../nodes/gateway/errors/redact.ts';
import { isQuick, repeated } from '../../support/hostile-texts.mts';

const key = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
  fc
    .string({ minLength: 8, maxLength: 64, unit: 'grapheme' })
    .filter((text) => text === text.trim() && text.length >= 8),
  fc.string({ minLength: 8, maxLength: 64 }).filter((text) => text === text.trim()),
);

const lowerPercent = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

/** Ways in which a server may write a key, by name. */
const WRITTEN: Array<[name: string, write: (key: string) => string]> = [
  ['as it is', (text) => text],
  ['in JSON', (text) => JSON.stringify({ auth: text })],
  ['in JSON inside JSON', (text) => JSON.stringify({ body: JSON.stringify({ auth: text }) })],
  ['in JSON with escaped slashes', (text) => JSON.stringify({ auth: text }).replaceAll('/', '\\/')],
  [
    'in JSON as escapes',
    (text) =>
      Array.from(
        { length: text.length },
        (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
      ).join(''),
  ],
  ['in a URL', (text) => `?auth=${encodeURIComponent(text)}&x=1`],
  ['in a URL in lower case', (text) => `?auth=${lowerPercent(encodeURIComponent(text))}&x=1`],
  ['in a URL inside a URL', (text) => encodeURIComponent(`?auth=${encodeURIComponent(text)}`)],
  ['in a form', (text) => `auth=${encodeURIComponent(text).replaceAll('%20', '+')}`],
  [
    'in a web page',
    (text) =>
      `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')}</p>`,
  ],
  ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['in upper-case hexadecimal', (text) => Buffer.from(text).toString('hex').toUpperCase()],
];

describe('keyRedactor', () => {
  it.each(WRITTEN)('takes the key out %s', (_, write) => {
    fc.assert(
      fc.property(key.filter(wellFormed), fc.string(), fc.string(), (apiKey, before, after) => {
        const written = write(apiKey);
        const redacted = keyRedactor(apiKey)(`${before} ${written} ${after}`);
        expect(redacted).toContain('[API key]');
        expect(redacted).not.toContain(written);
      }),
    );
  });

  it.each(['base64', 'base64url'] as const)(
    'takes the key out of %s, wherever it stands in the text',
    (encoding) => {
      fc.assert(
        fc.property(
          key.filter(wellFormed),
          fc.string({ maxLength: 8 }),
          fc.string({ maxLength: 8 }),
          (apiKey, a, b) => {
            const bearer = Buffer.from(`${a}${apiKey}${b}`).toString(encoding);
            const redacted = keyRedactor(apiKey)(bearer);
            expect(redacted).toContain('[API key]');
            // What stays can't be read back to more than the ends of the key.
            for (const part of redacted.split('[API key]')) {
              expect(Buffer.from(part, encoding).toString()).not.toContain(apiKey.slice(2, -2));
            }
          },
        ),
      );
    },
  );

  it('takes out each occurrence and leaves the rest', () => {
    const redact = keyRedactor('s3cret/key+1');
    expect(redact('"auth":"s3cret/key+1", again s3cret%2Fkey%2B1, s3cret%2fkey%2b1!')).toBe(
      '"auth":"[API key]", again [API key], [API key]!',
    );
    expect(redact('Access denied')).toBe('Access denied');
  });

  it.each(['', ' ', 'abcde'])('leaves texts alone for the key %j', (apiKey) => {
    expect(keyRedactor(apiKey)('abcde Access denied')).toBe('abcde Access denied');
  });

  it('takes out keys with backslashes, of which JSON makes more', () => {
    const apiKey = 'a\\\\b\\cd"/e';
    for (const text of [apiKey, JSON.stringify(apiKey), JSON.stringify(JSON.stringify(apiKey))]) {
      expect(keyRedactor(apiKey)(`<${text}>`)).toMatch(/^<(\\?")*\[API key\](\\*")*>$/);
    }
  });
});

describe('a long text of anything', () => {
  const inForms = (apiKey: string, skip: number) => {
    const forms = Array.from(apiKey.repeat(3), (character, i) => {
      const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
      return [character, `\\u00${hex}`, `%${hex}`, `%25${hex}`, `&#0${character.charCodeAt(0)};`][
        (i * 7 + skip) % 5
      ];
    });
    return forms.filter((_, i) => i % apiKey.length !== skip % apiKey.length).join('');
  };

  const KEYS = [
    '0123456789abcdef0123456789abcdef',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    '\\\\\\\\a\\\\\\\\b\\\\\\\\c',
    '%25%25%25%2541',
    '000000&#0000;a',
    'u0061\\u0061\\u',
  ];
  const pieces = (apiKey: string): string[] => [
    'x',
    '\\',
    '\\u00',
    '%25',
    '%',
    '&#0',
    '0',
    '25',
    apiKey,
    apiKey.slice(0, -1),
    apiKey.slice(1),
    `${apiKey[0]}${'\\'.repeat(1000)}`,
    `${apiKey.slice(0, -1)}${'\\'.repeat(1000)}u`,
    `${apiKey.slice(0, -1)}%${'25'.repeat(1000)}`,
    `${apiKey.slice(0, -1)}&#${'0'.repeat(1000)}`,
    Array.from(apiKey, (_, i) => inForms(apiKey, i)).join(''),
    Buffer.from(apiKey.slice(0, -3)).toString('base64'),
  ];

  it.each(KEYS)('is searched for %j in no time', (apiKey) => {
    for (const piece of pieces(apiKey)) {
      const text = repeated(piece);
      const quick = isQuick(() => keyRedactor(apiKey)(text));
      expect({ piece: piece.slice(0, 40), quick }).toEqual({
        piece: piece.slice(0, 40),
        quick: true,
      });
    }
  });

  it('is searched to its end', () => {
    const apiKey = KEYS[0];
    for (const piece of pieces(apiKey)) {
      expect(keyRedactor(apiKey)(`${repeated(piece)} ${apiKey}`)).toMatch(/\[API key\]$/);
    }
  });

  it('is searched with the keys and texts that a generator finds', () => {
    const apiKeys = fc
      .array(fc.constantFrom('a', '\\', '%', '25', '&', '#', '0', 'u', '"', ';'), {
        minLength: 8,
        maxLength: 40,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        apiKeys,
        fc.nat(40),
        fc.array(fc.nat(16), { minLength: 1, maxLength: 6 }),
        (apiKey, skip, order) => {
          const all = [...pieces(apiKey), inForms(apiKey, skip)];
          const text = repeated(order.map((i) => all[i % all.length]).join(''));
          expect(isQuick(() => keyRedactor(apiKey)(text))).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });
});
