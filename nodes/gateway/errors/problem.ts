import type { WireType } from '../contract/operations';

/**
 * What went wrong, as plain data: the gateway's words or a fact about the network, and never the request, its options
 * or a raw error, since they hold the API key.
 * - `envelope`: the whole request was refused; `status` where it came with a real HTTP code, `retryAfter` in seconds.
 * - `item`: one operation was refused.
 * - `http`: an HTTP code without an answer of the gateway; `retryAfter` in seconds.
 * - `rejected`: `status` says that the message was rejected; `text`: the reason that it gives.
 * - `notGateway`: an answer that doesn't have the contract's shape, such as a web page, or has more than can be read.
 * - `blocked`: n8n refused to make the request, in its own words: nothing left this machine.
 * - `unreachable`: no connection was made, so nothing was received; `code` is Node's.
 * - `timeout`, `connectionLost`: no answer came, though the request may have been received.
 * - `mismatch`: the results of the answer aren't those of the operations, by their number or by their ids.
 * - `unknownOutcome`: an earlier run could not find out whether the gateway took the operation.
 * - `notTold`: the gateway doesn't say whether it was sent before with the same `id`.
 * - `cancelled`: the execution was stopped before the operation was sent.
 */
export type Problem =
  | { kind: 'envelope'; text: string; status?: number; retryAfter?: number }
  | { kind: 'item'; text: string; wireType: WireType }
  | { kind: 'http'; status: number; retryAfter?: number }
  | { kind: 'rejected'; text?: string }
  | { kind: 'notGateway'; contentType?: string; status?: number; isTooLong?: true }
  | { kind: 'blocked'; text: string }
  | { kind: 'unreachable'; code: string }
  | { kind: 'timeout' }
  | { kind: 'connectionLost'; code: string }
  | { kind: 'mismatch' }
  | { kind: 'unknownOutcome' }
  | { kind: 'notTold' }
  | { kind: 'cancelled' };

/** For how long a server that wants to be left alone is waited for. */
export const MOST_PATIENCE_SECONDS = 120;

/** The cause of a failure, in the shape of NodeApiError's option `failure` (n8n 2.37 and later). */
export interface FailureCause {
  cause: 'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';

  /** Set for causes that pass. */
  retryAfterMs?: number;
}

/** What a problem means to a client. */
export interface Policy {
  /** Stable name of the entry in the catalogue. */
  code: string;

  /** Only where the response proves the cause. */
  failure?: FailureCause;

  /** The reason lies with the API key or the account, not with what was sent. */
  account?: true;

  /** Trying again doesn't help, though no connection was made. */
  lasting?: true;
}

export interface Explanation extends Policy {
  /** What happened, with the gateway's own words where there are any. No full stop at the end. */
  message: string;

  /** What it means and how to get unstuck, in sentences. Display names of parameters are in single quotes. */
  description: string;
}
