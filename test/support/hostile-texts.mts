/** Texts that a server could send to keep a reader busy. */
import { shortOrLong } from './long-form.mts';
import { processorTime } from './processor-time.mts';

/** Their length: enough for time that grows with its square to be seen. */
export const LENGTH = shortOrLong(250_000, 1_000_000);

/** The piece again and again, up to that length. */
export const repeated = (piece: string): string =>
  piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);

/**
 * Milliseconds of processor time that reading such a text may take. Most takes a tenth of that or less; time that grows
 * with the square of the length is at least several seconds.
 */
export const LIMIT = shortOrLong(200, 600);

/** Whether work on such a text takes the processor less than the limit, at least in one of several tries. */
export const isQuick = (work: () => unknown): boolean => processorTime(work, LIMIT) < LIMIT;
