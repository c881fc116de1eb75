/** What stands where the key stood. */
const MASK = '[API key]';

/** A shorter key would be found in ordinary words and numbers, and mask them. */
const SHORTEST_KEY = 6;

/**
 * Returns a function that takes the API key out of any text that came back from a server: a server, or a proxy on
 * the way, may repeat the request, which carries the key (gateway-api.md, "Authentication").
 *
 * The key is found as it is, and as JSON, URLs, forms and web pages write it, character by character and also inside
 * one another, and in base64 (at any place of a longer text) and hexadecimal. Keys under 6 characters are not looked
 * for.
 */
export function keyRedactor(apiKey: string): (text: string) => string {
  const key = apiKey.trim();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const sources = [
    Array.from(key, anyForm).join(''),
    anyCase(Buffer.from(key).toString('hex')),
    ...base64Forms(key),
  ];
  const pattern = new RegExp(sources.join('|'), 'g');
  return (text) => text.replace(pattern, MASK);
}

const JSON_LETTERS: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** A regular expression of all forms of one character. */
function anyForm(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const point = character.codePointAt(0) ?? 0;
  const bytes = Array.from(Buffer.from(character), hexOf);
  const forms = [
    // JSON may put backslashes in front, and JSON inside JSON more of them.
    character === '\\' ? '\\\\+' : `${/["/]/.test(character) ? '\\\\*' : ''}${escapeRegExp(character)}`,
    units.map((unit) => `\\\\+u${anyCase(hexOf(unit).padStart(4, '0'))}`).join(''),
    bytes.map((byte) => `%(?:25)*${anyCase(byte)}`).join(''),
    `&#(?:0*${point}|[xX]0*${anyCase(point.toString(16))});`,
  ];
  if (character in JSON_LETTERS) forms.push(`\\\\+${JSON_LETTERS[character]}`);
  if (character in HTML_NAMES) forms.push(`&${HTML_NAMES[character]};`);
  if (character === ' ') forms.push('\\+');
  return `(?:${forms.join('|')})`;
}

const hexOf = (value: number): string => value.toString(16).padStart(2, '0');

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/**
 * Base64 takes three bytes at a time, so a key in the middle of a text is written in one of three ways. Of each, the
 * part that only depends on the key is looked for.
 */
function base64Forms(key: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(key)]);
    const own = bytes
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));

    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map(escapeRegExp);
  });
}
