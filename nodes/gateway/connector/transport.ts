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
 * Sends one request to the assistant connector. Doesn't throw: a network failure is a value.
 * The API key is added behind this interface, and masked in the texts that come back.
 */
export interface ConnectorTransport {
  send(request: ConnectorRequest): Promise<HttpReply | NoReply>;
  /** Masks the API key in a text that the connector sent. */
  redact(text: string): string;
}
