/** Random numbers that a seed determines. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** Whether an event of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** One of the values, each with its weight. */
  weighted<T>(values: ReadonlyArray<readonly [weight: number, value: T]>): T;
}

/** Returns a generator (sfc32) for a whole number; `stream` tells generators of one seed apart. */
export function seeded(seed: number, stream = 0): Random {
  let a = seed >>> 0;
  let b = Math.floor(seed / 2 ** 32) ^ Math.imul(stream + 1, 0x9e3779b9);
  let c = 0x243f6a88;
  let counter = 1;
  const word = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) word();

  const next = (): number => word() / 2 ** 32;
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (values) => values[between(0, values.length - 1)],
    weighted(values) {
      let left = next() * values.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of values) {
        left -= weight;
        if (left < 0) return value;
      }
      return values[values.length - 1][1];
    },
  };
}
