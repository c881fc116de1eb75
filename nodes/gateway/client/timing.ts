import { isLasting } from '../errors/network';
import type { Problem } from '../errors/problem';
import { MOST_PATIENCE_SECONDS } from '../errors/retry-after';

/** By how much `status` may lag behind an answer, and the time between two answers that prove an absence. */
export const LAG_MS = 2000;

/** Time after a broken exchange by which a gateway has finished with the request. */
export const SETTLING_MS = 30_000;

/** For how long a gateway that wants to be left alone is waited for in one go. */
export const MOST_PATIENCE_MS = 1000 * MOST_PATIENCE_SECONDS;

/** Time after which a gateway may have forgotten a message, so that its not knowing it proves nothing. */
export const FORGOTTEN_MS = 12 * 3_600_000;

/** Time after a broken exchange until `status` is asked first, and the longest pause between two looks at a row. */
export const FIRST_LOOK_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** How much earlier a row may be asked about, together with one that is due. */
export const TOGETHER_MS = 500;

/** The pause between two looks after the pause before: two seconds, and then twice as long each time, up to eight. */
export const nextPauseMs = (pauseMs: number): number =>
  Math.min(Math.max(2 * pauseMs, LAG_MS), LONGEST_PAUSE_MS);

/** For how long a gateway that cannot be reached is tried again. */
const UNREACHABLE_LIMIT_MS = 15_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * How long to wait before a request that certainly was not taken is made again. Waits double from half a second. The
 * function takes why the last request failed, with `retryAfter` in seconds; it returns milliseconds, or undefined where
 * waiting doesn't help, or the time limit of the cause is used up.
 */
export function backOff(): (failure: { problem: Problem; retryAfter?: number }) => number | undefined {
  let nextMs = FIRST_WAIT_MS;
  let waitedMs = 0;
  return ({ problem, retryAfter = 0 }) => {
    const isUnreached = ['unreachable', 'tls', 'blocked', 'cancelled'].includes(problem.kind);
    if (isUnreached && isLasting(problem)) return undefined;
    const waitMs = Math.max(nextMs, 1000 * retryAfter);
    if (waitedMs + waitMs > (isUnreached ? UNREACHABLE_LIMIT_MS : MOST_PATIENCE_MS)) return undefined;
    waitedMs += waitMs;
    nextMs = Math.min(nextMs * 2, LONGEST_WAIT_MS);
    return waitMs;
  };
}
