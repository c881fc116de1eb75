import type { WireOperation } from '../contract/operations';
import type { Report } from '../delivery/reports';
import { canonicalStatus } from '../delivery/statuses';
import type { Problem } from '../errors/problem';
import type { Cause } from './rules';
import type { Endpoint } from './transport';

/**
 * One operation, from before it leaves until it is known what became of it.
 *
 * A row that stands for nothing to send has no state here: what is settled before (an invalid item, one that is only
 * checked, that repeats another, or is left out) gets its result in `sending/prepare.ts` and never becomes a row.
 */
export interface Row {
  operation: WireOperation;
  endpoint: Endpoint;

  /** Whether the user chose the `id`, so that a message which the gateway has under it may be older. */
  hasOwnId?: boolean;

  /** Whether the `id` stands for a key, so that any run may have sent it. */
  sendOnce?: boolean;

  state: RowState;
}

/** What happened to a row in this execution. */
export interface Past {
  /** It left, so that an `id` that is refused as a duplicate may be that of this very row. */
  left?: true;

  /** It left more than once: what `status` says may be of the time before. */
  again?: true;

  /** For what it was sent once more in this try, which is done once for each. */
  resent?: readonly Cause[];

  /** `status` called it REJECTED, and it may leave all the same: the next REJECTED may be the old one. */
  rejected?: true;

  /** What `status` said of the message of its key before it left, so that no row of this execution can be meant. */
  before?: 'sent' | 'refused';
}

/**
 * All states of a row. The journal keeps them as they are; the next try goes on from there (begin.ts).
 * - `ready`: it may leave. `refusal` is set where it goes out again after a refusal, together with others or after a pause.
 * - `asking`: it may have been taken, or has to be asked about before it leaves: `status` is asked (rules.ts).
 * - `accepted`: the gateway took it, which is proven. `payload` is the `data` of its result; `requestId` is set where a queue
 *   took it, `report` where `status` said so, `duplicate` where the message may be older than this execution.
 * - `refused`: the gateway refused it, and nothing contradicts that. `report` is what `status` says of it, if anything.
 * - `notSent`: it certainly was not taken, and would have been sent.
 * - `unknown`: the gateway may have taken it. `asking` is what a later try goes on with.
 */
export type RowState =
  | { is: 'ready'; past: Past; refusal?: Refusal }
  | Asking
  | { is: 'accepted'; payload?: unknown; requestId?: string; report?: Report; duplicate?: true; past: Past }
  | { is: 'refused'; problem: Problem; past: Past; payload?: unknown; report?: Report }
  | { is: 'notSent'; problem: Problem; past: Past }
  | { is: 'unknown'; problem: Problem; past: Past; asking: Asking; report?: Report };

/** The final states of a row that was not accepted, as far as is known. */
export type NotAccepted = Extract<RowState, { is: 'refused' | 'notSent' | 'unknown' }>;

/** A refusal after which a row is sent again. */
export interface Refusal {
  problem: Problem;

  /** Operations in the request that was refused. */
  size: number;

  /** Whether it leaves in smaller parts; after a pause; or, after that, like any other. */
  then: 'parts' | 'waits' | 'whole';
}

export interface Asking {
  is: 'asking';
  cause: Cause;
  problem: Problem;
  past: Past;

  /** When the last request that carried it left, in milliseconds since 1970. */
  leftAtMs: number;

  /** Time that was waited since the exchange ended; counted, since a clock may be set. */
  waitedMs: number;

  /** When it is asked about next, in time waited, and the pause before that. */
  nextAtMs: number;
  pauseMs: number;

  /** Answers that said neither that it is there nor that it isn't, when the gateway's work was over. */
  unclear: number;

  /** Since when the gateway says the same of it as of ids that nobody sent, in time waited, and what it says. */
  absence?: { sinceMs: number; words: string };

  /** A state that says no more than that it is there: it never leaves again. */
  seen?: Report;

  /** Operations in the request that was refused. */
  size: number;
  payload?: unknown;
}

/** The words of a state that isn't listed, for people; undefined where there are none. */
export function statusWordsOf(report: Report | undefined): string | undefined {
  return canonicalStatus(report?.status) === '' ? undefined : String(report?.status).trim();
}
