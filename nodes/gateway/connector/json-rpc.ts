import { z } from 'zod/v3';

/** JSON-RPC 2.0 messages (gateway-api.md, "Assistant connector"). */

/** Codes of JSON-RPC itself that this client acts on. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

export interface RpcError {
  code: number;
  message: string;
}

export type RpcAnswer = { kind: 'result'; result: unknown } | { kind: 'error'; error: RpcError };

export function rpcRequest(
  id: number,
  method: string,
  params: Record<string, unknown>,
): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, params };
}

export const rpcNotification = (method: string): Record<string, unknown> => ({ jsonrpc: '2.0', method });

const errorSchema = z.object({ code: z.number(), message: z.string().catch('') });

/**
 * Finds the answer to request `id` in a parsed message, or in a list of them. Returns undefined for notifications,
 * requests of the server, answers to other requests and anything that isn't JSON-RPC.
 */
export function findAnswer(message: unknown, id: number): RpcAnswer | undefined {
  const messages: unknown[] = Array.isArray(message) ? message : [message];
  for (const candidate of messages) {
    const answer = answerIn(candidate, id);
    if (answer) return answer;
  }
  return undefined;
}

function answerIn(message: unknown, id: number): RpcAnswer | undefined {
  if (typeof message !== 'object' || message === null || 'method' in message) return undefined;
  const { id: answered, result, error } = message as { id?: unknown; result?: unknown; error?: unknown };
  const parsed = errorSchema.safeParse(error);
  if (parsed.success) {
    // A request that could not be read is answered without its id.
    const isOurs = answered === id || answered === String(id) || answered === null || answered === undefined;
    return isOurs ? { kind: 'error', error: parsed.data } : undefined;
  }
  if (answered !== id && answered !== String(id)) return undefined;
  return result === undefined ? undefined : { kind: 'result', result };
}
