import { z } from 'zod/v3';

import { isObject } from '../contract/json';

/** Codes of JSON-RPC itself that this client acts on. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

const errorSchema = z.object({ code: z.number(), message: z.string().catch('') });

type RpcAnswer = { result: unknown } | { error: z.infer<typeof errorSchema> };

/**
 * Reads a parsed message as the answer to request `id` (gateway-api.md, "Assistant connector"). Returns undefined for
 * notifications, requests of the server, answers to other requests and anything that isn't JSON-RPC.
 */
export function findAnswer(message: unknown, id: number): RpcAnswer | undefined {
  if (!isObject(message)) return undefined;
  const { id: answered, result } = message;
  const error = errorSchema.safeParse(message.error);
  // A request that could not be read is answered without its id.
  if (error.success) return (answered ?? id) === id ? { error: error.data } : undefined;
  return answered === id && result !== undefined ? { result } : undefined;
}

/** Characters of one answer that are read: far more than any batch has results for, and any tool returns. */
export const ANSWER_LIMIT = 64 * 1024 * 1024;

/**
 * Reads an answer, in parts of any size, to the first of its texts in which `find` finds something. These are the data of
 * each server-sent event, as soon as it is complete, or else the whole body. An answer beyond `ANSWER_LIMIT` is cut off.
 * Rejects where its parts do.
 */
export async function findIn<T>(
  parts: Iterable<unknown> | AsyncIterable<unknown>,
  contentType: string,
  find: (text: string) => T | undefined,
): Promise<T | undefined> {
  const hasEvents = /^\s*text\/event-stream\b/i.test(contentType);
  for await (const text of textsOf(parts, hasEvents)) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function* textsOf(parts: Iterable<unknown> | AsyncIterable<unknown>, hasEvents: boolean) {
  let length = 0;
  /** What has not been taken yet: of events, the beginning of a line. */
  let rest = '';
  let data: string[] = [];
  for await (const value of parts) {
    const part = String(value);
    length += part.length;
    if (length > ANSWER_LIMIT) return;
    rest += part;
    // Split only where a line ends, so that a long one takes a time in proportion to its length.
    if (!hasEvents || !part.includes('\n')) continue;
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // Comments, names, ids and retry times mean nothing to a JSON-RPC client.
      const field = /^\uFEFF?data(?:: ?(.*))?$/s.exec(line);
      if (field) data.push(field[1] ?? '');
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
  if (!hasEvents) yield rest;
}
