import type { WireOperation } from '../contract/operations';
import type { Report } from '../delivery/reports';
import type { Problem } from '../errors/problem';
import type { Endpoint } from './transport';

/** An operation, from before its departure until its outcome is known. */
export interface Row {
  operation: WireOperation;
  endpoint: Endpoint;

  /** Whether the user chose the `id`: the gateway may have an older message under it. */
  hasOwnId?: boolean;

  /** Whether the `id` stands for a Send Once Key: any run may have sent the message of that key. */
  hasKey?: boolean;

  /** Whether another Retry of the execution may have sent it since its state was saved. */
  mayBeSent?: boolean;

  /** Whether the execution that a Retry repeats had begun to send the rows of this run. */
  wasBegun?: boolean;

  /** Whether it left in this try. */
  leftNow?: true;

  /** The departures of the row in this execution; undefined for a row that never left. */
  departures?: Departures;

  state: RowState;
}

/** Rows of a batch that leave for the first time share one object, which is never changed in place: 10,000 copies would cost 1 MB. */
export interface Departures {
  count: number;

  /** When the last exchange with this row ended, or began if its end is unknown: milliseconds since 1970. */
  lastAtMs: number;

  /** Whether a request with this row timed out, or broke on the way to a queue: the gateway may still take the row. */
  mayComeLate?: true;
}

/**
 * The states of a row. The journal keeps them together with the departures, and the next try goes on from there.
 * - `ready`: it may leave.
 * - `accepted`: the gateway took it. `payload` is the `data` of its result, `requestId` the receipt of a queue, `report` the
 *   answer of `status`; `duplicate`: the message may be older than this execution.
 * - `refused`: the gateway refused it.
 * - `notSent`: this execution hasn't sent it, or the gateway certainly didn't take it.
 * - `unknown`: the gateway may have taken it.
 */
export type RowState = { is: 'ready' } | AcceptedState | NotAccepted;

export interface AcceptedState {
  is: 'accepted';
  payload?: unknown;
  requestId?: string;
  report?: Report;
  duplicate?: true;
}

/** The states in which a row can end. */
export type FinalState = Exclude<RowState, { is: 'ready' }>;

/** The states of a row that was not accepted, as far as is known. */
export interface NotAccepted {
  is: 'refused' | 'notSent' | 'unknown';
  problem: Problem;

  /** The answer of `status` about the row, if there was one. */
  report?: Report;
}

/** The state of every row that never left: one object, since a run may have very many. */
export const READY: RowState = { is: 'ready' };

/** The state that is kept of a row during its request. */
export const UNDER_WAY: NotAccepted = { is: 'unknown', problem: { kind: 'notTold' } };
