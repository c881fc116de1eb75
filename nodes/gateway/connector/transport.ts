import type { Problem } from '../errors/problem';

/** A part of an answer: text, its end, or why no more of it can be had. */
export type Part = { kind: 'text'; text: string } | { kind: 'end' } | { kind: 'failure'; problem: Problem };

/** An HTTP answer whose body has not been read yet; nothing in it is believed. */
export interface Reply {
  kind: 'reply';
  status: number;
  contentType: string;
  /** The `Mcp-Session-Id` header. */
  sessionId?: string;
  /** Seconds, from the `Retry-After` header. */
  retryAfter?: number;
  /** The next part of the body. Does not reject: a broken answer and a time limit that is over are parts. */
  read(): Promise<Part>;
  /** Ends the connection; an event stream may stay open for ever after the answer. */
  close(): void;
}

/** No answer began. `mayHaveArrived` is false only where nothing can have reached the connector. */
export interface NoReply {
  kind: 'failure';
  problem: Problem;
  mayHaveArrived: boolean;
}

export interface ConnectorRequest {
  endpoint: 'connector' | 'health';
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  /** A JSON-RPC message. */
  body?: Record<string, unknown>;
}

/**
 * Sends one request to the assistant connector. It does not throw: a network failure is a value.
 * The API key is added behind this interface, and taken out of the texts that come back.
 */
export interface ConnectorTransport {
  send(request: ConnectorRequest): Promise<Reply | NoReply>;
  /** Takes the API key out of a text that the connector sent. */
  redact(text: string): string;
}
