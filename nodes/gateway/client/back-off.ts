import { isLasting } from '../errors/network';
import type { FailedRequest } from './read-answer';

/** Milliseconds for which a gateway that cannot be reached is tried again. */
const UNREACHABLE_LIMIT = 15_000;
/** Milliseconds for which a gateway that asks for patience gets it, `Retry-After` included. */
const RATE_LIMIT_LIMIT = 120_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/**
 * How long to wait before a request that certainly was not taken is sent again. Waits double from half a second. The
 * function takes why the last request failed; it gives milliseconds, or undefined where waiting doesn't help, or the time
 * limit of the cause is used up.
 */
export function backOff(): (failure: Partial<FailedRequest>) => number | undefined {
  let next = FIRST_WAIT;
  let waited = 0;
  return ({ kind, problem, retryAfter = 0 }) => {
    const isUnreached = kind === 'notReached';
    if (kind === 'rejected' || (isUnreached && problem && isLasting(problem))) return undefined;
    const milliseconds = Math.max(next, 1000 * retryAfter);
    if (waited + milliseconds > (isUnreached ? UNREACHABLE_LIMIT : RATE_LIMIT_LIMIT)) return undefined;
    waited += milliseconds;
    next = Math.min(next * 2, LONGEST_WAIT);
    return milliseconds;
  };
}
