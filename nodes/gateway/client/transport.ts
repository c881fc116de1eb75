import type { WireOperation } from '../contract/operations';
import type { Problem } from '../errors/problem';

export type Endpoint = 'sync' | 'async';

/** An answer of whatever listens at the address; nothing in it is believed yet. */
export interface Answer {
  kind: 'answer';
  status: number;
  contentType: string;

  /** Seconds, from the `Retry-After` header. */
  retryAfter?: number;
  body: string;
}

/** Why no whole answer came. */
export interface NoAnswer {
  kind: 'failure';
  problem: Problem;
}

/**
 * Sends one request envelope and reports what came back. It does not throw: a network failure is a value.
 * The implementation adds the API key; callers never see the key.
 */
export type Transport = (endpoint: Endpoint, data: WireOperation[]) => Promise<Answer | NoAnswer>;
