const MARK = '*';

/** How what is sealed into a callback address begins (callback/sealed-fields.ts). */
export const SEAL_MARK = 'mgseal1_';
const SEAL = new RegExp(`${SEAL_MARK}[\\w-]*`, 'g');
const maskSeals = (text: string): string =>
  text.includes(SEAL_MARK) ? text.replace(SEAL, (seal) => MARK.repeat(seal.length)) : text;

/**
 * Takes texts that must not be seen. Returns a function that returns a value of plain data with an asterisk in place of
 * each of their characters, in all its texts. The time that masking takes doesn't grow with their number. Seals, of which
 * each message has its own, are known by their mark: where there is one among the secrets, all of them are masked.
 */
export function secretMasker(secrets: Iterable<string>): <T>(plain: T) => T {
  const known = new Set<string>();
  let hasSeals = false;
  for (const secret of secrets) {
    if (secret.startsWith(SEAL_MARK)) hasSeals = true;
    else if (secret !== '') known.add(secret);
  }
  const lengths = [...new Set([...known].map(({ length }) => length))].sort((a, b) => b - a);

  const maskKnown = (plain: string): string => {
    if (lengths.length === 0) return plain;
    let masked = '';
    for (let at = 0; at < plain.length; at = masked.length) {
      const longest = lengths.find((length) => known.has(plain.slice(at, at + length)));
      masked += longest === undefined ? plain[at] : MARK.repeat(Math.min(longest, plain.length - at));
    }
    // The same text, and not a copy of it in memory.
    return masked === plain ? plain : masked;
  };

  const maskText = hasSeals ? (plain: string) => maskKnown(maskSeals(plain)) : maskKnown;

  const mask = (plain: unknown): unknown => {
    if (typeof plain === 'string') return maskText(plain);
    if (Array.isArray(plain)) return plain.map(mask);
    if (typeof plain !== 'object' || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([name, inner]) => [name, mask(inner)]));
  };

  return <T>(plain: T): T => (lengths.length === 0 && !hasSeals ? plain : (mask(plain) as T));
}
