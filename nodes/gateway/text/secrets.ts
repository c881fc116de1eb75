const MARK = '*';

/** How what is sealed into a callback address begins (callback/sealed-fields.ts). */
export const SEAL_MARK = 'mgseal1_';
const SEAL = new RegExp(`${SEAL_MARK}[\\w-]*`, 'g');
const maskSeals = (text: string): string =>
  text.includes(SEAL_MARK) ? text.replace(SEAL, (seal) => MARK.repeat(seal.length)) : text;

/** Fields that name a message or a request, and how such a name looks. */
const IDENTIFIERS = ['id', 'msg_id', 'request_id'];
const IDENTIFIER = /^[\w-]{1,64}$/;

/**
 * Takes texts that must not be seen. Returns a function that returns a value of plain data with an asterisk in place of
 * each of their characters, in all its texts. The time that masking takes doesn't grow with their number. Seals, of which
 * each message has its own, are known by their mark: where there is one among the secrets, all of them are masked. An
 * identifier keeps its digits, also those that a code has by chance: without them, its message would be lost.
 */
export function secretMasker(secrets: Iterable<string>): <T>(plain: T) => T {
  const known = new Set<string>();
  let hasSeals = false;
  for (const secret of secrets) {
    if (secret.startsWith(SEAL_MARK)) hasSeals = true;
    else if (secret !== '') known.add(secret);
  }
  if (known.size === 0 && !hasSeals) return (plain) => plain;
  const withSeals = (maskKnown: Mask): Mask => (hasSeals ? (text) => maskKnown(maskSeals(text)) : maskKnown);
  const maskText = withSeals(maskOf(known));
  const maskIdentifier = withSeals(maskOf(new Set([...known].filter((secret) => !/^\d+$/.test(secret)))));

  const mask = (plain: unknown, name = ''): unknown => {
    if (typeof plain === 'string') {
      const isIdentifier = IDENTIFIERS.includes(name) && IDENTIFIER.test(plain);
      return isIdentifier ? maskIdentifier(plain) : maskText(plain);
    }
    if (Array.isArray(plain)) return plain.map((entry) => mask(entry));
    if (typeof plain !== 'object' || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([key, inner]) => [key, mask(inner, key)]));
  };

  return <T>(plain: T): T => mask(plain) as T;
}

type Mask = (text: string) => string;

/** Returns what masks these texts in another one. */
function maskOf(known: ReadonlySet<string>): Mask {
  const lengths = [...new Set([...known].map(({ length }) => length))].sort((a, b) => b - a);
  if (lengths.length === 0) return (text) => text;
  return (text) => {
    let masked = '';
    for (let at = 0; at < text.length; at = masked.length) {
      const longest = lengths.find((length) => known.has(text.slice(at, at + length)));
      masked += longest === undefined ? text[at] : MARK.repeat(Math.min(longest, text.length - at));
    }
    // The same text, and not a copy of it in memory.
    return masked === text ? text : masked;
  };
}
