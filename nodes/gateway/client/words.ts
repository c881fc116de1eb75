import { policyOf } from '../errors/catalogue';
import { WITHOUT_REASON } from '../errors/entries';
import type { Problem } from '../errors/problem';

/**
 * Whether a problem says no more than that something went wrong: it names no reason, or a fault. Such a problem is no refusal: the
 * gateway may have taken the message before the fault.
 */
export function isFault(problem: Problem): boolean {
  if (problem.kind !== 'operation' && problem.kind !== 'request') return false;
  return WITHOUT_REASON.test(problem.text) || policyOf(problem).about === 'fault';
}

/** Whether a refusal asks to wait: a limiter, or a gateway that is down for a while. */
export function asksToWait(problem: Problem): boolean {
  const cause = policyOf(problem).failure?.cause;
  return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** Whether the key was refused, which stands for all requests (gateway-api.md, "Refusals"). */
export const isKeyRefused = (problem: Problem): boolean => policyOf(problem).about === 'key';

/** Whether a request was refused for its size. */
export const isTooLarge = (problem: Problem): boolean => policyOf(problem).about === 'size';

/** Whether an operation, or its request, was refused as a duplicate. */
export const isDuplicateRefusal = (problem: Problem): boolean => policyOf(problem).about === 'duplicate';
