const MARK = '*';

/** Masks secrets in what is shown or kept. */
export interface SecretMasker {
  /** Returns a text with an asterisk in place of each character of a secret. */
  text(text: string): string;
  /** Returns a value of plain data with the secrets masked in all its texts; the value itself where there are none. */
  value<T>(value: T): T;
}

/** Takes texts that must not be seen. The time that masking takes doesn't grow with their number. */
export function secretMasker(secrets: Iterable<string>): SecretMasker {
  const byLength = new Map<number, Set<string>>();
  for (const secret of secrets) {
    if (secret === '') continue;
    const same = byLength.get(secret.length);
    if (same) same.add(secret);
    else byLength.set(secret.length, new Set([secret]));
  }
  const lengths = [...byLength.keys()].sort((a, b) => b - a);

  const text = (plain: string): string => {
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

  const value = (plain: unknown): unknown => {
    if (typeof plain === 'string') return text(plain);
    if (Array.isArray(plain)) return plain.map(value);
    if (typeof plain !== 'object' || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([name, inner]) => [name, value(inner)]));
  };

  return { text, value: <T>(plain: T): T => (lengths.length === 0 ? plain : (value(plain) as T)) };
}
