const MARK = '*';

/**
 * Takes texts that must not be seen. Returns a function that returns a value of plain data with an asterisk in place of
 * each of their characters, in all its texts. The time that masking takes doesn't grow with their number.
 */
export function secretMasker(secrets: Iterable<string>): <T>(plain: T) => T {
  const byLength = new Map<number, Set<string>>();
  for (const secret of secrets) {
    if (secret === '') continue;
    const same = byLength.get(secret.length);
    if (same) same.add(secret);
    else byLength.set(secret.length, new Set([secret]));
  }
  const lengths = [...byLength.keys()].sort((a, b) => b - a);

  const maskText = (plain: string): string => {
    const parts: string[] = [];
    let done = 0;
    for (let at = 0; at < plain.length; ) {
      const length = lengths.find((candidate) =>
        byLength.get(candidate)?.has(plain.slice(at, at + candidate)),
      );
      if (length === undefined) {
        at += 1;
        continue;
      }
      parts.push(plain.slice(done, at), MARK.repeat(length));
      at += length;
      done = at;
    }
    return done === 0 ? plain : parts.join('') + plain.slice(done);
  };

  const mask = (plain: unknown): unknown => {
    if (typeof plain === 'string') return maskText(plain);
    if (Array.isArray(plain)) return plain.map(mask);
    if (typeof plain !== 'object' || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([name, inner]) => [name, mask(inner)]));
  };

  return <T>(plain: T): T => (lengths.length === 0 ? plain : (mask(plain) as T));
}
