import { errorText, isNone } from '../contract/envelope';
import { fromForeignJson, isObject } from '../text/json';

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
 * Finds the answer to request `id` in the text of an HTTP answer (gateway-api.md, "Assistant connector"): a message of
 * JSON-RPC, a list of them, or a stream of server-sent events with them. Identifiers are compared as texts, and an error
 * may have any form. Returns undefined where there are only notifications, requests of the server, answers to other
 * requests, and anything that isn't JSON-RPC.
 */
export const findAnswer = (text: string, id: number): RpcAnswer | undefined =>
  messagesIn(text)
    .flatMap((message) => fromForeignJson(message))
    .map((message) => answerIn(message, id))
    .find((found) => found !== undefined);

const DATA = 'data:';

/** Returns the data of each server-sent event; the whole text where it has none. No line of a JSON text begins like them. */
function messagesIn(text: string): string[] {
  const events = text
    .replace(/\r\n?/g, '\n')
    .split('\n\n')
    .map((event) => event.split('\n').filter((line) => line.startsWith(DATA)))
    .filter((lines) => lines.length > 0);
  const dataOf = (lines: string[]) => lines.map((line) => line.slice(DATA.length)).join('\n');
  return events.length > 0 ? events.map(dataOf) : [text];
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
  const { code, message } = isObject(error) ? error : { message: error };
  const number = typeof code === 'string' && INTEGER.test(code.trim()) ? Number(code) : code;
  return { ...(typeof number === 'number' && { code: number }), message: errorText(message) };
}
