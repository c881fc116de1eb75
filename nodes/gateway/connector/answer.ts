import { z } from 'zod/v3';

import { fromJson } from '../contract/json';
import type { Finder, HttpHead, HttpReply, RpcError } from './transport';

/** Reads what comes back from the assistant connector (gateway-api.md, "Assistant connector"). */

/** Codes of JSON-RPC itself that this client acts on. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

export type RpcAnswer = { kind: 'result'; result: unknown } | { kind: 'error'; error: RpcError };

const errorSchema = z.object({ code: z.number(), message: z.string().catch('') });

/**
 * Reads a parsed message as the answer to request `id`. Returns undefined for notifications, requests of the server,
 * answers to other requests and anything that isn't JSON-RPC.
 */
export function findAnswer(message: unknown, id: number): RpcAnswer | undefined {
  if (typeof message !== 'object' || message === null || 'method' in message) return undefined;
  const { id: answered, result, error } = message as { id?: unknown; result?: unknown; error?: unknown };
  const parsed = errorSchema.safeParse(error);
  // A request that could not be read is answered without its id.
  if (parsed.success) return (answered ?? id) === id ? { kind: 'error', error: parsed.data } : undefined;
  return answered === id && result !== undefined ? { kind: 'result', result } : undefined;
}

/** Characters of one answer that are read: far more than any tool of a messaging gateway returns. */
export const RPC_ANSWER_LIMIT = 8 * 1024 * 1024;

/**
 * Looks for the answer to request `id` in the body of a reply, JSON or server-sent events. Masks the API key by `redact`
 * before anything is parsed.
 */
export const answerFinder = (
  { contentType, status }: HttpHead,
  id: number,
  redact: (text: string) => string,
): Finder<RpcAnswer> => ({
  limit: RPC_ANSWER_LIMIT,
  texts: /^\s*text\/event-stream\b/i.test(contentType) && status < 300 ? eventTexts() : wholeText(),
  find: (text) => findAnswer(fromJson(redact(text)), id),
});

/** Looks for a whole body. */
export const bodyFinder = (limit: number): Finder<string> => ({
  limit,
  texts: wholeText(),
  find: (text) => text,
});

/** Reads a body to the first of its texts in which something is found. Rejects where its parts do. */
export async function findIn<T>(
  parts: Iterable<unknown> | AsyncIterable<unknown>,
  { limit, texts, find }: Finder<T>,
): Promise<Pick<HttpReply<T>, 'found' | 'problem'>> {
  const foundIn = (complete: string[]) => complete.map(find).find((found) => found !== undefined);
  let length = 0;
  for await (const part of parts) {
    const text = String(part);
    const found = foundIn(texts(text));
    if (found !== undefined) return { found };
    length += text.length;
    if (length > limit) return { problem: { kind: 'tooLarge', limit } };
  }
  return { found: foundIn(texts()) };
}

/** Reads a body that is one text. */
function wholeText(): Finder<unknown>['texts'] {
  let text = '';
  return (part) => {
    text += part ?? '';
    return part === undefined ? [text] : [];
  };
}

/**
 * Reads server-sent events as they arrive, in parts of any size. Returns the data of each event that has any;
 * comments, names, ids and retry times mean nothing to a JSON-RPC client.
 */
export function eventTexts(): Finder<unknown>['texts'] {
  /** The beginning of a line whose end has not arrived yet. */
  let rest = '';
  let data: string[] = [];

  /** Takes a line; returns the event that it completes. */
  const take = (line: string): string[] => {
    if (line !== '') {
      const found = /^\uFEFF?data(?:: ?(.*))?$/s.exec(line);
      if (found) data.push(found[1] ?? '');
      return [];
    }
    const event = data.join('\n');
    data = [];
    return event === '' ? [] : [event];
  };

  // At the end, the blank line of the last event may be missing.
  return (part = '\n\n') => {
    rest += part;
    // Split only where a line ends, so that a long one takes a time in proportion to its length.
    if (!/[\r\n]/.test(part)) return [];
    // A carriage return at the very end may be half of a line break, so it stays with the unfinished line.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    return lines.flatMap(take);
  };
}
