const MARK = '*';

/**
 * Takes texts that must not be seen. Returns a function that returns a value of plain data with an asterisk in place of
 * each of their characters, in all its texts. The time that masking takes doesn't grow with their number.
 */
export function secretMasker(secrets: Iterable<string>): <T>(plain: T) => T {
  const known = new Set(secrets);
  known.delete('');
  const lengths = [...new Set([...known].map(({ length }) => length))].sort((a, b) => b - a);

  const maskText = (plain: string): string => {
    let masked = '';
    for (let at = 0; at < plain.length; at = masked.length) {
      const longest = lengths.find((length) => known.has(plain.slice(at, at + length)));
      masked += longest === undefined ? plain[at] : MARK.repeat(Math.min(longest, plain.length - at));
    }
    // The same text, and not a copy of it in memory.
    return masked === plain ? plain : masked;
  };

  const mask = (plain: unknown): unknown => {
    if (typeof plain === 'string') return maskText(plain);
    if (Array.isArray(plain)) return plain.map(mask);
    if (typeof plain !== 'object' || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([name, inner]) => [name, mask(inner)]));
  };

  return <T>(plain: T): T => (lengths.length === 0 ? plain : (mask(plain) as T));
}
