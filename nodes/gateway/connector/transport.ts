import type { NoAnswer } from '../client/transport';
import type { Problem } from '../errors/problem';

/** An HTTP answer that was read as far as was needed; nothing in it is trusted. */
export interface HttpReply<T> {
  kind: 'reply';
  status: number;
  contentType: string;

  /** The `Mcp-Session-Id` header. */
  sessionId?: string;

  /** Seconds, from the `Retry-After` header. */
  retryAfter?: number;

  /** What was looked for in the body. */
  found?: T;
}

export interface ConnectorRequest<T> {
  endpoint: 'connector' | 'health';
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;

  /** A JSON-RPC message. */
  body?: Record<string, unknown>;

  /** Returns what is looked for, where a text of the answer has it. Left out where the body doesn't matter. */
  find?(text: string): T | undefined;
}

/**
 * Sends one request to the assistant connector. Doesn't throw: a network failure is a value, also in the middle of an answer.
 * The API key is added behind this function, and masked in the texts that come back.
 */
export type ConnectorTransport = <T>(request: ConnectorRequest<T>) => Promise<HttpReply<T> | NoAnswer>;

/** Why a request to the assistant connector had no result, as plain data and without the request. */
export type ConnectorProblem =
  | Problem

  /** A JSON-RPC error, as the connector words it. */
  | { kind: 'rpc'; code?: number; message: string; status: number }

  /** The connector doesn't know its session any more, and did nothing. */
  | { kind: 'sessionLost' };

/** A call without a result. `mayHaveRun`: whether the connector may have carried it out all the same. */
export type CallFailure = { ok: false; problem: ConnectorProblem; mayHaveRun: boolean };

export type Result<T> = { ok: true; value: T } | CallFailure;
