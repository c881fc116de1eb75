import type { WireOperation } from '../contract/operations';
import type { Report } from '../delivery/reports';
import type { Problem } from '../errors/problem';
import type { Endpoint } from './transport';

/** An operation on its way, from before it leaves until its final state. */
export interface Row {
  operation: WireOperation;
  endpoint: Endpoint;

  /** Whether the user chose the `id`: the gateway may have an older message under it. */
  hasOwnId?: boolean;

  /** Whether the `id` stands for a Send Once Key: any run may have sent the message of that key. */
  hasKey?: boolean;

  /** Whether another Retry of the execution may have sent the row since n8n saved its state. */
  mayHaveBeenSent?: boolean;

  /** Whether the retried execution, of which this one is a Retry, had begun this run, so that its rows may have left. */
  wasBegun?: boolean;

  /** The departures of the row in this execution and in the one that it repeats; undefined for a row that never left. */
  departures?: Departures;

  /** When `status` last said, in this try, that the gateway doesn't have the row: milliseconds since 1970. */
  absentAtMs?: number;

  state: RowState;
}

/**
 * The requests with which a row left. Rows of a batch that leave for the first time share one object, which nobody changes: 10,000
 * copies would cost 1 MB.
 */
export interface Departures {
  count: number;

  /** The execution in which the row left last. */
  execution: string;

  /** When the last exchange with this row ended, or began if its end is unknown: milliseconds since 1970. */
  lastAtMs: number;

  /** Whether a request with this row timed out, or broke or met a fault on the way to a queue: the gateway may still take the row. */
  mayComeLate?: true;
}

/**
 * The states of a row, the only part of a row that changes besides its departures.
 * - `ready`: the row may leave.
 * - `accepted`: the gateway took the row. `payload` is the `data` of its result, `requestId` the receipt of a queue, `report` the
 *   answer of `status`; `duplicate`: the message may be older than this execution.
 * - `refused`: the gateway refused the row.
 * - `notSent`: this execution hasn't sent the row, or the gateway certainly didn't take the row.
 * - `unknown`: the gateway may have taken the row.
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

/** The states of a row that was not accepted, as far as is known. The journal keeps no others, and a later try goes on from them. */
export interface NotAccepted {
  is: 'refused' | 'notSent' | 'unknown';
  problem: Problem;

  /** The answer of `status` about the row, if there was one. */
  report?: Report;
}

/** The state of every row that never left: one object, since a run may have very many. */
export const READY: RowState = { is: 'ready' };

/** The state that the journal has of a row during its request. */
export const UNDER_WAY: NotAccepted = { is: 'unknown', problem: { kind: 'notTold' } };
