import { z } from 'zod/v3';

import { fromJson } from '../contract/json';
import type { ConnectorProblem, HttpReply, RpcError } from './transport';

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

/** What was looked for in a reply, or why it isn't there. */
type Reading<T> = { kind: 'found'; found: T } | { kind: 'problem'; problem: ConnectorProblem };

/**
 * Reads the answer to request `id` from the body of a reply, JSON or server-sent events, and closes the reply as
 * soon as the answer is there. Masks the API key by `redact` before anything is parsed. Never throws.
 */
export async function readReply(
  reply: HttpReply,
  id: number,
  redact: (text: string) => string,
): Promise<Reading<RpcAnswer>> {
  const isEventStream = /^\s*text\/event-stream\b/i.test(reply.contentType) && reply.status < 300;
  const texts = isEventStream ? new EventStream() : new WholeText();
  return await readUntil(reply, texts, RPC_ANSWER_LIMIT, (text) => findAnswer(fromJson(redact(text)), id));
}

/** Reads a body to its end. Closes the reply. Never throws. */
export const readText = async (reply: HttpReply, limit: number): Promise<Reading<string>> =>
  await readUntil(reply, new WholeText(), limit, (text) => text);

/** Reads a reply to the first of its texts in which `find` finds something, and closes it. */
async function readUntil<T>(
  reply: HttpReply,
  texts: Texts,
  limit: number,
  find: (text: string) => T | undefined,
): Promise<Reading<T>> {
  let read = 0;
  try {
    for (;;) {
      const part = await reply.read();
      if (part.kind === 'failure') return failed({ kind: 'transport', problem: part.problem });
      for (const text of part.kind === 'end' ? texts.end() : texts.push(part.text)) {
        const found = find(text);
        if (found !== undefined) return { kind: 'found', found };
      }
      const { contentType, status } = reply;
      if (part.kind === 'end') return failed({ kind: 'notConnector', contentType, status });
      read += part.text.length;
      if (read > limit) return failed({ kind: 'tooLarge', limit });
    }
  } finally {
    reply.close();
  }
}

const failed = (problem: ConnectorProblem) => ({ kind: 'problem', problem }) as const;

/** The texts in a body that arrives in parts: each that a part completes, and those that its end completes. */
interface Texts {
  push(part: string): string[];
  end(): string[];
}

/** A body that is one text. */
class WholeText implements Texts {
  private text = '';

  push(part: string): string[] {
    this.text += part;
    return [];
  }

  end(): string[] {
    return [this.text];
  }
}

/**
 * Reads server-sent events as they arrive, in parts of any size. Returns the data of each event that has any;
 * comments, names, ids and retry times mean nothing to a JSON-RPC client.
 */
export class EventStream implements Texts {
  /** The beginning of a line whose end has not arrived yet. */
  private rest = '';

  private data: string[] = [];

  /** Takes the next part of the stream; returns the data of the events that it completes. */
  push(part: string): string[] {
    this.rest += part;
    // Split only where a line ends, so that a long one takes a time in proportion to its length.
    if (!/[\r\n]/.test(part)) return [];
    // A carriage return at the very end may be half of a line break, so it stays with the unfinished line.
    const lines = this.rest.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.take(line));
  }

  /** Returns the event that the end of the stream completes, if its blank line is missing. */
  end(): string[] {
    return this.push('\n\n');
  }

  /** Takes a line; returns the event that it completes. */
  private take(line: string): string[] {
    if (line !== '') {
      const found = /^\uFEFF?data(?:: ?(.*))?$/s.exec(line);
      if (found) this.data.push(found[1] ?? '');
      return [];
    }
    const event = this.data.join('\n');
    this.data = [];
    return event === '' ? [] : [event];
  }
}
