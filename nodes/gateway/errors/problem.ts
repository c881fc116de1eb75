/**
 * A failure as plain data: the gateway's words or a fact about the network, and never the request, its options
 * or a raw error, which hold the API key. The client decides by these kinds what a row may do next:
 * - `request`: the whole request was refused, in words, by an HTTP code, or by both; `text` is empty where it has no words,
 *   `status` is set for any code but 200 to 299, `retryAfter` in seconds.
 * - `operation`: one operation was refused by a result of its own.
 * - `rejected`: `status` says that the message was rejected, with or without a reason: no refusal of the send itself.
 * - `notGateway`: an answer that doesn't have the contract's shape, such as a web page, or is too long to be read: the same question
 *   would get no better one.
 * - `timeout`: no answer came in time, so the gateway may take the request at any time.
 * - `blocked`, `unreachable`, `cancelled`: nothing left this machine, since n8n refused to make the request, no connection was
 *   made, or the execution was stopped before.
 *
 * The others only differ in what a person does next; of each, the request may have been received:
 * - `connectionLost`: the connection broke; `code` is Node's, as that of `unreachable`, where there is one.
 * - `mismatch`: the results of the answer aren't those of the operations, by their number or by their ids.
 * - `underWay`: another execution sent the message, and the gateway may still take it, up to two minutes later.
 * - `notTold`: nobody says whether the gateway took the operation in an earlier try, or from another run with the same `id`.
 */
export type Problem =
  | { kind: 'request'; text: string; status?: number; retryAfter?: number }
  | { kind: 'operation'; text: string }
  | { kind: 'rejected'; text?: string }
  | { kind: 'notGateway'; contentType?: string; status?: number; isTooLong?: true }
  | { kind: 'blocked'; text: string }
  | { kind: 'unreachable'; code: string }
  | { kind: 'timeout' }
  | { kind: 'connectionLost'; code?: string }
  | { kind: 'mismatch' }
  | { kind: 'underWay' }
  | { kind: 'notTold' }
  | { kind: 'cancelled' };

/** The cause of a failure, in the shape of NodeApiError's option `failure` (n8n 2.37 and later). */
export interface FailureCause {
  cause: 'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';

  /** Set for causes that pass. */
  retryAfterMs?: number;
}

/** The meaning of a problem to a client. */
export interface Policy {
  /** The subject of a refusal, where the client or a text decides by the subject. */
  about?: 'duplicate' | 'fault' | 'key' | 'sender' | 'size';

  /** Only where the response proves the cause. */
  failure?: FailureCause;

  /** Only whole requests are refused so: the entry explains no refused operation, and its error is that of the whole run. */
  wholeRequest?: true;
}

export interface Explanation extends Pick<Policy, 'failure'> {
  /** The event, with the gateway's own words where there are any. No full stop at the end. */
  message: string;

  /** The meaning of the event and how to get unstuck, in sentences. Display names of parameters are in single quotes. */
  description: string;

  /** The next thing to do, as a clause that begins with a small letter. */
  todo: string;
}
