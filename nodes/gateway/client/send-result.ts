import type { Problem } from '../errors/problem';

/**
 * What is known of one operation after the client is done with it.
 *
 * - `accepted`: the gateway took it. `payload` is the `data` of its result item; for a queued operation
 *   `requestId` is set instead.
 * - `refused`: the gateway said no to this operation, or to a request that held it alone.
 * - `unknown`: the request may have been taken, and the gateway could not be asked. Never sent again.
 * - `notSent`: it certainly was not taken.
 */
export type SendResult =
  | { state: 'accepted'; payload: unknown; requestId?: string; duplicate?: boolean }
  | { state: 'refused'; problem: Problem; payload?: unknown }
  | { state: 'unknown'; problem: Problem }
  | { state: 'notSent'; problem: Problem };

/**
 * What may be done when it is not known whether a request was taken.
 *
 * - `repeat`: ask again; the operation only reads.
 * - `status`: ask `status` by `id`, and send again what the gateway does not know.
 * - `none`: nothing; the outcome stays unknown.
 */
export type Recovery = 'repeat' | 'status' | 'none';
