import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { MOST_PATIENCE_SECONDS } from '../errors/problem';

/** For how long a gateway that cannot be reached is tried again. */
const UNREACHABLE_LIMIT_MS = 15_000;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Returns the waits before a request that could not leave is made again, which double from half a second: a function that
 * takes why the last try failed, and returns milliseconds; undefined where trying again is of no use.
 */
export function unreachableWaits(): (problem: Problem) => number | undefined {
  let nextMs = FIRST_WAIT_MS;
  let waitedMs = 0;
  return (problem) => {
    const waitMs = Math.min(nextMs, UNREACHABLE_LIMIT_MS - waitedMs);
    if (policyOf(problem).lasting || waitMs <= 0) return undefined;
    waitedMs += waitMs;
    nextMs *= 2;
    return waitMs;
  };
}

/** How long a run waits for a gateway that asks to be left alone: MOST_PATIENCE_SECONDS since it last took a message. */
export class Patience {
  private waitedMs = 0;
  private nextMs = 2 * FIRST_WAIT_MS;

  /** Takes the seconds that the gateway names, if any. Returns milliseconds; undefined where it is too long. */
  wait(retryAfter = 0): number | undefined {
    const waitMs = Math.max(1000 * retryAfter, this.nextMs);
    if (this.waitedMs + waitMs > 1000 * MOST_PATIENCE_SECONDS) return undefined;
    this.waitedMs += waitMs;
    this.nextMs = Math.min(2 * this.nextMs, LONGEST_WAIT_MS);
    return waitMs;
  }

  /** Notes that the gateway took something. */
  reset(): void {
    this.waitedMs = 0;
    this.nextMs = 2 * FIRST_WAIT_MS;
  }
}
