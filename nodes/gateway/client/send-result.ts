import type { Problem } from '../errors/problem';

/**
 * Why it is unknown whether the gateway took an operation.
 *
 * - `lost`: the request left, and its answer was lost, broken or a fault of the gateway. A gateway finishes such a
 *   request within the settling time, so what `status` doesn't know after that was not taken.
 * - `late`: the gateway was still at work when the time limit was over. It may take the operation at any time, so it is
 *   never sent again in this execution.
 */
export interface Doubt {
  kind: 'lost' | 'late';
  /** When the last request that carried the operation left, in milliseconds since 1970. */
  leftAt: number;
  /** Whether it was sent again already, which happens once. */
  resent?: boolean;
}

/**
 * What is known of one operation after the client is done with it.
 *
 * - `accepted`: the gateway took it. `payload` is the `data` of its result item; for a queued operation
 *   `requestId` is set instead. `duplicate` marks one that was recognised as sent before this execution.
 * - `refused`: the gateway refused this operation, or a request that held it alone.
 * - `unknown`: the gateway may have taken it.
 * - `notSent`: it certainly was not taken.
 */
export type SendResult =
  | { state: 'accepted'; payload: unknown; requestId?: string; duplicate?: true }
  | { state: 'refused'; problem: Problem; payload?: unknown }
  | { state: 'unknown'; problem: Problem; doubt: Doubt }
  | { state: 'notSent'; problem: Problem };

/**
 * What may be done when it is unknown whether a request was taken.
 *
 * - `repeat`: ask again; the operation only reads.
 * - `status`: ask `status` by `id`, and send again what the gateway doesn't know once it has settled.
 * - `none`: nothing; it stays unknown.
 */
export type Recovery = 'repeat' | 'status' | 'none';
