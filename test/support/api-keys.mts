/** API keys with signs that programs escape, and how the programs of servers write such a key. */

export const API_KEYS = [
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

/** How a key is written in an answer, by whose program writes the key. */
export const KEY_SPELLINGS: Record<string, (key: string) => string> = {
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
