import { isLasting } from '../errors/network';
import type { Problem } from '../errors/problem';

/** Milliseconds for which a gateway that cannot be reached is tried again. */
const UNREACHABLE_LIMIT = 15_000;
/** Milliseconds for which a gateway that asks for patience gets it, `Retry-After` included. */
const RATE_LIMIT_LIMIT = 120_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/**
 * How long to wait before a request that certainly was not taken is sent again. Waits double from half
 * a second; both methods give milliseconds, or undefined when the time limit of their cause is used up.
 */
export function backOff() {
  let next = FIRST_WAIT;
  let waited = 0;

  const wait = (limit: number, atLeast: number): number | undefined => {
    const milliseconds = Math.max(next, atLeast);
    if (waited + milliseconds > limit) return undefined;
    waited += milliseconds;
    next = Math.min(next * 2, LONGEST_WAIT);
    return milliseconds;
  };

  return {
    /** After a connection that failed before anything left. */
    afterUnreachable(problem: Problem): number | undefined {
      return isLasting(problem) ? undefined : wait(UNREACHABLE_LIMIT, 0);
    },
    /** After "too many requests"; `retryAfter` in seconds. */
    afterRateLimit(retryAfter = 0): number | undefined {
      return wait(RATE_LIMIT_LIMIT, retryAfter * 1000);
    },
  };
}
