/** Texts that a server could send to keep a reader busy. */
import { processorTime } from './processor-time.mts';

export const MEGABYTE = 1_000_000;

/** The piece again and again, a megabyte long. */
export const repeated = (piece: string): string =>
  piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);

/**
 * Milliseconds of processor time that reading a megabyte may take. Most takes a tenth of that or less; what takes longer
 * with the square of the length takes minutes.
 */
export const LIMIT = 500;

/** Whether work on a megabyte takes the processor less than the limit, at least in one of several tries. */
export const isQuick = (work: () => unknown): boolean => processorTime(work, LIMIT) < LIMIT;
