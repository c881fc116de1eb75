import type { NoAnswer } from '../client/transport';
import type { Problem } from '../errors/problem';

/** How an HTTP answer begins; nothing in it is trusted. */
export interface HttpHead {
  status: number;
  contentType: string;
  /** The `Mcp-Session-Id` header. */
  sessionId?: string;
  /** Seconds, from the `Retry-After` header. */
  retryAfter?: number;
}

/** What is looked for in a body. */
export interface Finder<T> {
  /** Characters that are read. */
  limit: number;
  /** Takes the next part of the body, or nothing at its end; returns the texts that are complete by then. */
  texts(part?: string): string[];
  /** Returns what is looked for, where a text has it. */
  find(text: string): T | undefined;
}

/** An HTTP answer that was read as far as was needed. */
export interface HttpReply<T> extends HttpHead {
  kind: 'reply';
  found?: T;
  /** Set where the body is longer than what was read of it. */
  problem?: Extract<ConnectorProblem, { kind: 'tooLarge' }>;
}

export interface ConnectorRequest<T> {
  endpoint: 'connector' | 'health';
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  /** A JSON-RPC message. */
  body?: Record<string, unknown>;
  /** Returns what is looked for in an answer that begins like this. Left out where the body doesn't matter. */
  finderFor?(head: HttpHead): Finder<T>;
}

/**
 * Sends one request to the assistant connector. Doesn't throw: a network failure is a value, also in the middle of an answer.
 * The API key is added behind this interface, and masked in the texts that come back.
 */
export interface ConnectorTransport {
  send<T>(request: ConnectorRequest<T>): Promise<HttpReply<T> | NoAnswer>;
  /** Masks the API key in a text that the connector sent. */
  readonly redact: (text: string) => string;
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
