/** Texts that a server could send to keep a reader busy. */

export const MEGABYTE = 1_000_000;

/** The piece again and again, a megabyte long. */
export const repeated = (piece: string): string =>
  piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);

/**
 * Milliseconds that the work takes, the best of three times: other processes of the machine only make it slower.
 * The work gets a new copy each time where it is made by `prepare`.
 */
export function milliseconds<T>(prepare: () => T, work: (prepared: T) => void): number {
  const times = [1, 2, 3].map(() => {
    const prepared = prepare();
    const start = performance.now();
    work(prepared);
    return performance.now() - start;
  });
  return Math.min(...times);
}
