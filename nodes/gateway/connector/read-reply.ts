import { EventStream } from './event-stream';
import type { RpcAnswer } from './json-rpc';
import { findAnswer } from './json-rpc';
import type { ConnectorProblem } from './problem';
import type { HttpReply } from './transport';

/** Characters of one answer that are read: far more than any tool of a messaging gateway returns. */
export const RPC_ANSWER_LIMIT = 8 * 1024 * 1024;

export type RpcReading =
  | { kind: 'answer'; answer: RpcAnswer }
  | { kind: 'problem'; problem: ConnectorProblem };

/**
 * Reads the answer to request `id` from the body of a reply, JSON or server-sent events, and closes the reply as
 * soon as the answer is there. Masks the API key by `redact` before anything is parsed. Never throws.
 */
export async function readReply(
  reply: HttpReply,
  id: number,
  redact: (text: string) => string,
  limit = RPC_ANSWER_LIMIT,
): Promise<RpcReading> {
  try {
    return isEventStream(reply)
      ? await readEvents(reply, id, redact, limit)
      : await readWhole(reply, id, redact, limit);
  } finally {
    reply.close();
  }
}

/** Reads a body to its end and parses it; the value is undefined where it isn't JSON. Closes the reply. */
export async function readJson(
  reply: HttpReply,
  redact: (text: string) => string,
  limit = RPC_ANSWER_LIMIT,
): Promise<{ kind: 'json'; value: unknown } | { kind: 'problem'; problem: ConnectorProblem }> {
  try {
    const text = await readText(reply, limit);
    if (typeof text !== 'string') return { kind: 'problem', problem: text };
    return { kind: 'json', value: parse(redact(text)) };
  } finally {
    reply.close();
  }
}

const isEventStream = ({ contentType, status }: HttpReply): boolean =>
  /^\s*text\/event-stream\b/i.test(contentType) && status < 300;

async function readWhole(
  reply: HttpReply,
  id: number,
  redact: (text: string) => string,
  limit: number,
): Promise<RpcReading> {
  const text = await readText(reply, limit);
  if (typeof text !== 'string') return { kind: 'problem', problem: text };
  const answer = findAnswer(parse(redact(text)), id);
  return answer ? { kind: 'answer', answer } : { kind: 'problem', problem: foreign(reply) };
}

async function readEvents(
  reply: HttpReply,
  id: number,
  redact: (text: string) => string,
  limit: number,
): Promise<RpcReading> {
  const events = new EventStream();
  let read = 0;
  for (;;) {
    const part = await reply.read();
    if (part.kind === 'failure')
      return { kind: 'problem', problem: { kind: 'transport', problem: part.problem } };
    const texts = part.kind === 'end' ? events.end() : events.push(part.text);
    for (const text of texts) {
      const answer = findAnswer(parse(redact(text)), id);
      if (answer) return { kind: 'answer', answer };
    }
    if (part.kind === 'end') return { kind: 'problem', problem: foreign(reply) };
    read += part.text.length;
    if (read > limit) return { kind: 'problem', problem: { kind: 'tooLarge', limit } };
  }
}

async function readText(reply: HttpReply, limit: number): Promise<string | ConnectorProblem> {
  const parts: string[] = [];
  let read = 0;
  for (;;) {
    const part = await reply.read();
    if (part.kind === 'failure') return { kind: 'transport', problem: part.problem };
    if (part.kind === 'end') return parts.join('');
    parts.push(part.text);
    read += part.text.length;
    if (read > limit) return { kind: 'tooLarge', limit };
  }
}

const foreign = ({ contentType, status }: HttpReply): ConnectorProblem => ({
  kind: 'notConnector',
  contentType,
  status,
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: undefined isn't a JSON-RPC answer, which the caller reports.
    return undefined;
  }
}
