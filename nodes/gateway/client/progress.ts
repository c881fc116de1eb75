import type { Problem } from '../errors/problem';
import type { Verdict } from './response';
import { asksToWait, isTooLarge } from './words';

/** Operations in the first request, and in the largest. */
const FIRST_SIZE = 100;
const LARGEST_SIZE = 1000;

/** A full request that is taken within this time lets the next one be larger. */
const QUICK_MS = 1000;

/** The number of parts in which the rows of a refused request leave again. */
const PARTS = 4;

/** Refused requests in a row, and broken ones, after which a run ends. */
const MOST_REFUSED = 16;
const MOST_BROKEN = 2;

/** The progress of a run: how large its next request is, and whether it goes on at all. */
export class Progress {
  /** Operations in the next request at most. */
  size: number;

  /** Why the run ended, once it has. */
  ended: Problem | undefined;

  private largest: number;
  private refused = 0;
  private broken = 0;

  /** Takes the number of operations that the user set for a request, if any. */
  constructor(batchSize?: number) {
    this.size = batchSize ?? FIRST_SIZE;
    this.largest = batchSize ?? LARGEST_SIZE;
  }

  /** Learns from a request of `size` operations that took so many milliseconds. */
  learn(verdict: Verdict, size: number, tookMs: number): void {
    if (verdict.kind === 'results') {
      this.broken = 0;
      if (verdict.items.some(({ is }) => is === 'accepted')) this.refused = 0;
      if (size >= this.size && tookMs < QUICK_MS) this.size = Math.min(2 * this.size, this.largest);
      return;
    }
    const { kind, problem } = verdict;
    this.refused = kind === 'refused' ? this.refused + 1 : this.refused;
    this.broken = kind === 'broken' || kind === 'late' ? this.broken + 1 : 0;
    if (isTooLarge(problem)) this.largest = Math.max(1, Math.min(this.largest, size - 1));
    if (kind === 'late' || isTooLarge(problem) || asksToWait(problem)) this.size = partOf(size);
    this.size = Math.min(this.size, this.largest);
    const isOver = kind === 'notReached' || kind === 'closed' || this.refused >= MOST_REFUSED;
    if (isOver || this.broken >= MOST_BROKEN) this.ended = problem;
  }
}

/** How many rows of a refused request of `size` leave together again. */
export const partOf = (size: number): number => Math.ceil(size / PARTS);
