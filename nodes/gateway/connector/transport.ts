import type { NoAnswer } from '../client/transport';
import type { Problem } from '../errors/problem';

/** A part of an answer: text, its end, or why the rest can't be read. */
export type Part = { kind: 'text'; text: string } | { kind: 'end' } | { kind: 'failure'; problem: Problem };

/** An HTTP answer whose body has not been read yet; nothing in it is trusted. */
export interface HttpReply {
  kind: 'reply';
  status: number;
  contentType: string;
  /** The `Mcp-Session-Id` header. */
  sessionId?: string;
  /** Seconds, from the `Retry-After` header. */
  retryAfter?: number;
  /** The next part of the body. Doesn't reject: a broken answer and an expired time limit are parts. */
  read(): Promise<Part>;
  /** Closes the connection, which a stream of events may keep open after the answer. */
  close(): void;
}

export interface ConnectorRequest {
  endpoint: 'connector' | 'health';
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  /** A JSON-RPC message. */
  body?: Record<string, unknown>;
}

/**
 * Sends one request to the assistant connector. Doesn't throw: a network failure is a value.
 * The API key is added behind this interface, and masked in the texts that come back.
 */
export interface ConnectorTransport {
  send(request: ConnectorRequest): Promise<HttpReply | NoAnswer>;
  /** Masks the API key in a text that the connector sent. */
  redact(text: string): string;
}

/** A JSON-RPC error, as the connector words it. */
export interface RpcError {
  code: number;
  message: string;
}

/** Why a request to the assistant connector had no result, as plain data and without the request. */
export type ConnectorProblem =
  /** The network, n8n itself, or an HTTP refusal. */
  | { kind: 'transport'; problem: Problem }
  /** Something other than a JSON-RPC answer to the request. */
  | { kind: 'notConnector'; contentType: string; status: number }
  /** An answer beyond the limit, in characters. */
  | { kind: 'tooLarge'; limit: number }
  /** A JSON-RPC error. */
  | { kind: 'rpc'; error: RpcError; status: number }
  /** The connector dropped the session, and the new one as well. */
  | { kind: 'sessionLost' }
  /** `/health` answered something other than the contract says. */
  | { kind: 'notHealth'; contentType: string; status: number };

/** A call without a result. `mayHaveRun`: whether the connector may have carried it out all the same. */
export type CallFailure = { ok: false; problem: ConnectorProblem; mayHaveRun: boolean };

export type Result<T> = { ok: true; value: T } | CallFailure;
