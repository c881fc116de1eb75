import type { Answer, NoAnswer } from '../client/transport';
import type { Problem } from '../errors/problem';

/** An HTTP answer; nothing in it is believed yet. */
export interface HttpReply extends Answer {
  /** The `Mcp-Session-Id` header. */
  sessionId?: string;
}

export interface ConnectorRequest {
  endpoint: 'connector' | 'health';
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;

  /** A JSON-RPC message. */
  body?: Record<string, unknown>;
}

/**
 * Sends one request to the assistant connector. Doesn't throw: a network failure is a value, also in the middle of an answer.
 * The API key is added behind this function, and masked in the texts that come back.
 */
export type ConnectorTransport = (request: ConnectorRequest) => Promise<HttpReply | NoAnswer>;

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
