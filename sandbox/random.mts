/** Seeded random numbers, so that a run with faults and shuffles can be repeated exactly. */
export type Random = () => number;

/**
 * Makes a generator of numbers in [0, 1).
 * @param seed any whole number; the same seed gives the same sequence
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Draws from a range, or returns a fixed number as it is. */
export function draw(value: number | [number, number], random: Random): number {
  return typeof value === 'number' ? value : value[0] + random() * (value[1] - value[0]);
}
