/** Texts that a server could send to keep a reader busy. */

export const MEGABYTE = 1_000_000;

/** The piece again and again, a megabyte long. */
export const repeated = (piece: string): string =>
  piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);

/** Milliseconds that reading a megabyte may take. */
const LIMIT = 100;
const TRIES = 8;

/**
 * Whether the work is done within the limit, at least in one of several tries: other processes of the machine only make
 * it slower. What takes many times as long is not tried again.
 * @param prepare makes what the work takes, anew for each try
 */
export function isQuick<T>(prepare: () => T, work: (prepared: T) => void): boolean {
  for (let i = 0; i < TRIES; i++) {
    const prepared = prepare();
    const start = performance.now();
    work(prepared);
    const time = performance.now() - start;
    if (time < LIMIT) return true;
    if (time > 10 * LIMIT) return false;
  }
  return false;
}
