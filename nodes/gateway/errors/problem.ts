import type { WireType } from '../contract/operations';
import type { Words } from './words';

/**
 * What went wrong, as plain data: the gateway's words or a fact about the network, and never the request, its options
 * or a raw error, since they hold the API key.
 */
export type Problem =
  /** The whole request was refused; `status` where it came with a real HTTP code. */
  | { kind: 'envelope'; text: string; status?: number }
  /** One operation was refused. */
  | { kind: 'item'; text: string; wireType: WireType }
  /** An HTTP code without an answer of the gateway. `retryAfter` in seconds. */
  | { kind: 'http'; status: number; retryAfter?: number }
  /** An HTTP code without words for one message, where others, or questions, get through. */
  | { kind: 'filtered'; status: number }
  /** `status` says that the message was rejected; `text`: the reason that it gives. */
  | { kind: 'rejected'; text?: string }
  /** A message with the same id was rejected before, and the gateway takes no other one with it. */
  | { kind: 'refusedBefore'; hasKey: boolean }
  /** An answer that doesn't have the contract's shape, such as a web page. */
  | { kind: 'notGateway'; contentType?: string; status?: number }
  /** n8n refused to make the request, in its own words: nothing left this machine. */
  | { kind: 'blocked'; text: string }
  /** No connection was made, so nothing was received. */
  | { kind: 'unreachable'; code: string }
  | { kind: 'tls'; code: string }
  | { kind: 'timeout' }
  | { kind: 'connectionLost'; code: string }
  /** The answer has another number of results than the request had operations. */
  | { kind: 'lengthMismatch'; sent: number; received: number }
  /** The results carry other ids than the operations. */
  | { kind: 'idMismatch' }
  /** An earlier run could not find out whether the gateway took the operation. */
  | { kind: 'unknownOutcome' }
  /** The gateway doesn't say whether it was sent before with the same `id`. */
  | { kind: 'notTold' }
  /** The execution was stopped before the operation was sent. */
  | { kind: 'cancelled' };

/** The cause of a failure, in the shape of NodeApiError's option `failure` (n8n 2.37 and later). */
export interface FailureCause {
  cause: 'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';
  /** Set for causes that pass. */
  retryAfterMs?: number;
}

/** What a problem means to a client. */
export interface Policy {
  /** Stable name of the catalogue's entry. */
  code: string;
  /** Only where the response proves the cause. */
  failure?: FailureCause;
  /** The reason lies with the API key or the account, not with what was sent. */
  account?: true;
}

export interface Explanation extends Policy {
  /** What happened, with the gateway's own words where there are any. No full stop at the end. */
  message: string;
  /** What it means and how to get unstuck, in sentences. Display names of parameters are in single quotes. */
  description: string;
}

/** A text that is rendered when it is shown. */
export type Phrase = (words: Words) => string;

/** An entry of the catalogue: the message and the description of an explanation, without the gateway's words. */
export interface Entry extends Policy {
  title: Phrase;
  description: Phrase;
}
