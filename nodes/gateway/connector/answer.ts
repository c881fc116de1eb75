import { errorText, isNone } from '../contract/envelope';
import { isObject } from '../text/json';

/** Codes of JSON-RPC itself that this client acts on. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

/** An error of JSON-RPC; `code` is undefined where the connector names none. */
export interface RpcError {
  code?: number;
  message: string;
}

type RpcAnswer = { result: unknown } | { error: RpcError };

/**
 * Reads a parsed message, or a list of them, as the answer to request `id` (gateway-api.md, "Assistant connector").
 * Identifiers are compared as texts, and an error may have any form. Returns undefined for notifications, requests of the
 * server, answers to other requests and anything that isn't JSON-RPC.
 */
export function findAnswer(message: unknown, id: number): RpcAnswer | undefined {
  if (!Array.isArray(message)) return answerIn(message, id);
  for (const one of message) {
    const found = answerIn(one, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function answerIn(message: unknown, id: number): RpcAnswer | undefined {
  if (!isObject(message)) return undefined;
  const { id: answered, result, error } = message;
  const isOurs =
    (typeof answered === 'number' || typeof answered === 'string') && String(answered) === String(id);
  // A request that could not be read is answered without its id; a request of the server has a method.
  const isError = !isNone(error) && !('method' in message);
  if (isError)
    return isOurs || (answered ?? undefined) === undefined ? { error: readError(error) } : undefined;
  return isOurs && result !== undefined ? { result } : undefined;
}

const INTEGER = /^-?\d{1,6}$/;

function readError(error: unknown): RpcError {
  const { code, message } = isObject(error) ? error : {};
  const number = typeof code === 'string' && INTEGER.test(code.trim()) ? Number(code) : code;
  const text = isNone(message) && isObject(error) && 'code' in error ? '' : errorText(error);
  return { ...(typeof number === 'number' && { code: number }), message: text };
}
