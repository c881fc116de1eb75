import type { Problem } from '../errors/problem';

/**
 * Why it is unknown whether the gateway took an operation.
 *
 * - `answered`: the gateway answered and refused the whole request, in words that prove nothing. Its work is over.
 * - `lost`: the exchange broke. A gateway finishes such a request within 30 seconds.
 * - `late`: the gateway was still at work when the time limit was over. It may take the operation at any time, so it is
 *   never sent again in this execution.
 */
export interface Doubt {
  kind: 'answered' | 'lost' | 'late';
  /** When the last request that carried the operation left, in milliseconds since 1970. */
  leftAt: number;
  /** Milliseconds that were waited since the exchange ended; counted, since a clock may be set. */
  waited?: number;
}

/**
 * What is known of one operation after the client is done with it.
 *
 * - `accepted`: the gateway took it. `payload` is the `data` of its result item; for a queued operation
 *   `requestId` is set instead. `duplicate` marks one that may have been sent before this execution.
 * - `refused`: the gateway refused this operation, or a request that held it alone, and did not take it.
 * - `unknown`: the gateway may have taken it.
 * - `notSent`: it certainly was not taken.
 */
export type SendResult =
  | { state: 'accepted'; payload: unknown; requestId?: string; duplicate?: true }
  | { state: 'refused'; problem: Problem; payload?: unknown }
  | { state: 'unknown'; problem: Problem; doubt: Doubt }
  | { state: 'notSent'; problem: Problem };

/**
 * How it is found out whether a request was taken.
 *
 * - `repeat`: the operation only reads, so it is asked again.
 * - `status`: words prove nothing; `status` is asked by `id`.
 * - `none`: what the gateway says is believed; what was lost stays unknown.
 */
export type Recovery = 'repeat' | 'status' | 'none';
