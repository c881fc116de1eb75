const MARK = '*';

/** The beginning of each seal in a callback address (callback/message-facts.ts). */
export const SEAL_MARK = 'mgseal1_';
const SEAL = new RegExp(`${SEAL_MARK}[\\w-]*`, 'g');

/** Fields that name a message or a request, and not a person. */
export const IDENTIFIER_FIELDS: readonly string[] = ['id', 'msg_id', 'request_id'];
const IDENTIFIER = /^[\w-]{1,64}$/;

/** Fields whose word decides what the client does next. The word stays, though a short secret may be a part of it. */
const STATE_FIELDS = ['is', 'kind'];
const STATE_WORD = /^[a-zA-Z]{1,20}$/;

/** Fields whose number is never a secret; `retryAfter` has the seconds that a client waits (errors/problem.ts). */
const NUMERIC_FIELDS = [...IDENTIFIER_FIELDS, 'retryAfter'];

/**
 * Takes texts that must not be seen. Returns a function that masks them in plain data: each of their characters, and each character
 * of a seal, becomes an asterisk in all texts, and in numbers that are such a text. The time that masking takes doesn't grow with
 * the number of secrets. An identifier keeps its digits, also those that a code has by chance: without them, its message would be
 * lost.
 */
export function secretMasker(secrets: readonly string[]): <T>(plain: T) => T {
  if (secrets.length === 0) return (plain) => plain;
  // A pattern finds all seals: the seals of 10,000 messages, as secrets, would have too many lengths to look for.
  const known = secrets.filter((secret) => secret !== '' && !secret.startsWith(SEAL_MARK));
  const maskText = maskOf(known);
  const texts = new Set(known);
  const maskIdentifier = maskOf(known.filter((secret) => !/^\d+$/.test(secret)));

  const mask = (plain: unknown, name = ''): unknown => {
    if (typeof plain === 'string') {
      if (STATE_FIELDS.includes(name) && STATE_WORD.test(plain)) return plain;
      const isIdentifier = IDENTIFIER_FIELDS.includes(name) && IDENTIFIER.test(plain);
      return isIdentifier ? maskIdentifier(plain) : maskText(plain);
    }
    if (typeof plain === 'number' && texts.has(`${plain}`) && !NUMERIC_FIELDS.includes(name))
      return maskText(`${plain}`);
    if (Array.isArray(plain)) return plain.map((entry) => mask(entry));
    if (typeof plain !== 'object' || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([key, inner]) => [key, mask(inner, key)]));
  };

  return <T>(plain: T): T => mask(plain) as T;
}

/** Returns the function that masks these texts, and seals, in another text. */
function maskOf(secrets: readonly string[]): (text: string) => string {
  const known = new Set(secrets);
  const lengths = [...new Set(secrets.map(({ length }) => length))].sort((a, b) => b - a);
  return (text) => {
    const unsealed = text.replace(SEAL, (seal) => MARK.repeat(seal.length));
    let masked = '';
    for (let at = 0; at < text.length; at = masked.length) {
      const longest = lengths.find((length) => known.has(unsealed.slice(at, at + length)));
      masked += longest === undefined ? unsealed[at] : MARK.repeat(Math.min(longest, text.length - at));
    }
    // A text without secrets is returned itself: a copy of it would take memory.
    return masked === text ? text : masked;
  };
}

/** The mark that stands where the key stood. */
const MASK = '[API key]';

/** Characters of the shortest key that is masked: ordinary words and numbers contain shorter ones. */
const SHORTEST_KEY = 6;

/** Names that HTML has for characters of keys. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
};

/** Signs that mean something to a pattern. */
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/** Backslashes before an escape: a text of JSON that stands in another text of JSON has each backslash twice. */
const BACKSLASHES = '\\\\{0,8}';

/** A run of backslashes longer than any program writes: in one of millions, each would begin a try of all ways. */
const LONG_RUN = '\\'.repeat(32);

/** The backslashes in front of a key, all that are left of a run: a try begins nowhere else within them. */
const LEADING = '(?<!\\\\)\\\\{1,32}';

/** The signs with which each way begins to write a character as anything but itself; a blank may be a plus sign. */
const ESCAPING = /[\\%&+]/;

/** A number in hexadecimal digits, in capital or small letters. */
const hex = (code: number, digits: number): string =>
  code
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/**
 * Returns the pattern of a character of the key in each way in which programs write the character: as it is, or escaped for JSON,
 * HTML, a URL or a log. That of the first character takes the backslashes in front, too.
 */
function spelled(character: string, place: number): string {
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const utf8 = Array.from(Buffer.from(character));
  const name = HTML_NAMES[character];
  const own = character.replace(SPECIAL, '\\$&');
  const backslashes = place === 0 ? LEADING : `${BACKSLASHES}\\\\`;
  const behindBackslashes = [
    // JSON, as .NET, Go, PHP and Python write it.
    units.map((unit) => `u${hex(unit, 4)}`).join(`${BACKSLASHES}\\\\`),
    `U${hex(code, 8)}`,
    ...(code < 256 ? [`x${hex(code, 2)}`] : []),
    utf8.map((byte) => `x${hex(byte, 2)}`).join('\\\\'),
    // Quotes, slashes and backslashes may have backslashes in front; the first of a run is one of them.
    ...(/[/"'&]/.test(character) ? [own] : character === '\\' ? [place === 0 ? '' : own] : []),
  ];
  const ways = [
    ...(place === 0 && character === '\\' ? [] : [own]),
    `${backslashes}(?:${behindBackslashes.join('|')})`,
    // A URL, once and twice.
    utf8.map((byte) => `%(?:25)?${hex(byte, 2)}`).join(''),
    // HTML; a page may escape the ampersand too.
    `&(?:amp;)?(?:#0{0,4}${code}|#[xX]0{0,4}${hex(code, 1)}${name === undefined ? '' : `|${name}`});?`,
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${ways.join('|')})`;
}

/**
 * Returns a function that masks the API key in a text from a server, which may repeat the request and with it the key
 * (gateway-api.md, "API key"), however the text spells its characters: a program that parses the text finds no key either. Keys
 * under 6 characters are not looked for. The time grows with the length of the text and no faster.
 */
export function keyRedactor(apiKey: string): (text: string) => string {
  // Half of a surrogate pair becomes U+FFFD: the half itself can't be sent, nor written in a URL.
  const key = Buffer.from(apiKey.trim()).toString();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const pattern = new RegExp(Array.from(key, spelled).join(''), 'g');
  // Nearly no answer has either: to look for these takes a tenth of the time of the pattern.
  return (text) => {
    if (!text.includes(key) && !ESCAPING.test(text)) return text;
    const [first, ...others] = text.split(LONG_RUN);
    // The last backslash of a long run may be the first of an escape.
    const parts = [first, ...others.map((part) => `\\${part}`)];
    return parts.map((part) => part.replace(pattern, MASK)).join(LONG_RUN.slice(1));
  };
}
