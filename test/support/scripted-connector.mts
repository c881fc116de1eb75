import type { ConnectorRequest, ConnectorTransport } from '../../nodes/gateway/connector/client.ts';
import type { Problem } from '../../nodes/gateway/errors/problem.ts';

/** An answer of the script: a status, headers and the body. */
export interface Scripted {
  status?: number;
  type?: string;
  sessionId?: string;
  body?: string;
  /** Why no whole answer comes. */
  broken?: Problem;
}

export interface SentMessage {
  method: ConnectorRequest['method'];
  headers: Record<string, string>;
  rpc: string | undefined;
  id: number;
  params: Record<string, unknown>;
}

/** A result as a JSON answer. */
export const result = (id: number, value: unknown): Scripted => ({
  body: JSON.stringify({ jsonrpc: '2.0', id, result: value }),
});

/** A JSON-RPC error as a JSON answer. */
export const rpcError = (id: number | null, code: number, message: string, status = 200): Scripted => ({
  status,
  body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
});

/** The tool result that holds one JSON text. */
export const text = (value: unknown, more: object = {}) => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...more,
});

/**
 * A connector whose answers are given by a function of the message; `initialize` and its notification are answered
 * well unless the function does it.
 */
export function scriptedConnector(answer: (message: SentMessage) => Scripted | undefined) {
  const sent: SentMessage[] = [];

  const usual = ({ rpc, id }: SentMessage): Scripted => {
    if (rpc === 'initialize') {
      return { ...result(id, { protocolVersion: '2025-06-18' }), sessionId: `session-${sent.length}` };
    }
    return rpc === 'notifications/initialized'
      ? { status: 202 }
      : rpcError(id, -32601, `Method not found: ${rpc}`);
  };

  const transport: ConnectorTransport = async ({ method, headers, body = {} }) => {
    const message: SentMessage = {
      method,
      headers,
      rpc: body.method as string | undefined,
      id: body.id as number,
      params: (body.params ?? {}) as Record<string, unknown>,
    };
    sent.push(message);
    const {
      status = 200,
      type = 'application/json',
      sessionId,
      body: answered = '',
      broken,
    } = answer(message) ?? usual(message);
    await Promise.resolve();
    if (broken) return { kind: 'failure' as const, problem: broken };
    return { kind: 'answer' as const, status, contentType: type, sessionId, body: answered };
  };
  return {
    transport,
    sent,
    /** Methods of the JSON-RPC messages in order. */
    methods: () => sent.map(({ method, rpc }) => rpc ?? method),
  };
}
