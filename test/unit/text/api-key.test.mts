/** The API key in answers of servers: masked in each spelling that their programs have, and so in all that is parsed of them. */
import { fromForeignJson } from '../../../nodes/gateway/text/json.ts';
import { keyRedactor } from '../../../nodes/gateway/text/secrets.ts';

const KEYS = [
  'abc+def/ghi==',
  'a<b>c&d"e\'f',
  'ключ-доступу-2',
  'key with blanks',
  'back\\slash/key',
  'emoji-😀-key',
  'plain0123456789',
  'x.y*z(1)[2]{3}^$',
];

const u = (text: string, digits: (code: number) => string) =>
  Array.from({ length: text.length }, (_, i) => digits(text.charCodeAt(i))).join('');
const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');
const isPlain = (code: number) => code > 47 && code < 123 && /\w/.test(String.fromCharCode(code));
const escapedU = (text: string, isUpper: boolean) =>
  u(text, (code) => {
    const digits = hex(code, 4);
    return isPlain(code) ? String.fromCharCode(code) : `\\u${isUpper ? digits.toUpperCase() : digits}`;
  });
const json = (text: string) => JSON.stringify(text).slice(1, -1);

const SPELLINGS: Record<string, (key: string) => string> = {
  'as it is': (key) => key,
  JSON: json,
  'JSON of PHP': (key) => json(key).replaceAll('/', '\\/'),
  'JSON of Python, with small digits': (key) => escapedU(key, false),
  'JSON of .NET, with capital digits': (key) => escapedU(key, true),
  'each character escaped, as Go may': (key) => u(key, (code) => `\\u${hex(code, 4)}`),
  'JSON in a text of JSON': (key) => json(json(key)),
  'escapes in a text of JSON': (key) => json(escapedU(key, true)),
  'a URL': encodeURIComponent,
  'a URL with small digits': (key) => encodeURIComponent(key).replace(/%../g, (one) => one.toLowerCase()),
  'HTML with numbers': (key) => Array.from(key, (one) => `&#${one.codePointAt(0)};`).join(''),
  'HTML with hexadecimal numbers': (key) =>
    Array.from(key, (one) => `&#x${hex(one.codePointAt(0) ?? 0, 2)};`).join(''),
  'HTML with names': (key) =>
    key
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
};

/** A value as it is after each text of JSON in it was parsed too, as the connector's contents are. */
function parsed(text: string): string {
  const value = fromForeignJson(text);
  const inner = fromForeignJson(String((value as { note?: unknown } | undefined)?.note));
  return JSON.stringify([value, inner]) ?? '';
}

describe.each(KEYS)('the key %s', (key) => {
  it.each(Object.entries(SPELLINGS))('is masked as %s', (_, spell) => {
    const text = `before ${spell(key)} after`;
    expect(keyRedactor(key)(text)).toBe('before [API key] after');
  });

  it.each([
    ['once', (spelled: string) => `{"note":"${spelled}"}`],
    ['twice', (spelled: string) => `{"note":${JSON.stringify(`{"inner":"${spelled}"}`)}}`],
  ])('is in nothing that is parsed %s', (__, wrap) => {
    for (const spell of [json, SPELLINGS['JSON of PHP'], SPELLINGS['each character escaped, as Go may']]) {
      const masked = keyRedactor(key)(wrap(spell(key)));
      expect(parsed(wrap(spell(key)))).toContain(json(key));
      expect(parsed(masked)).not.toContain(json(key));
    }
  });
});

it.each(['\\', 'a', '%25', '&amp;', 'abc', '\\u0061', '&#97;'])('reads 8 MB of "%s" in no time', (unit) => {
  const text = unit.repeat(8_000_000 / unit.length);
  const start = process.threadCpuUsage();
  keyRedactor('abc+def/ghi==')(text);
  keyRedactor('\\abc+def/')(text);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(2500);
});

it('leaves other texts, and short keys, as they are', () => {
  const text = '{"id":123456,"msg_id":"7"}';
  expect(keyRedactor('abcdef')(text)).toBe(text);
  expect(keyRedactor('12345')(text)).toBe(text);
});
