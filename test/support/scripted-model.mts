import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One message of a chat as the OpenAI interface has it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: unknown;
  tool_call_id?: string;
}

export interface OfferedTool {
  name: string;
  description: string;
  parameters: { properties?: Record<string, Record<string, unknown>>; required?: string[] };
}

/** What the model sees in one turn. */
export interface Turn {
  messages: ChatMessage[];
  tools: OfferedTool[];
  /** Number of turns before this one. */
  index: number;
}

/**
 * What the model does in one turn: calls a tool, with several arguments several times, or says something, which ends the
 * run of its agent.
 */
export type Move = { call: string; with: object; also?: object[] } | { say: string };

export interface ScriptedModel {
  /** Address for the field Base URL of n8n's OpenAI credential. */
  url: string;
  turns: Turn[];
  /** What the tools answered so far, oldest first. */
  toolAnswers(): string[];
  /** Resolves when the model has said its last word. @throws Error after 20 seconds */
  finished(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A stand-in for a language model on loopback: the chat completions of the OpenAI interface, without streaming, that
 * makes the moves of the script one after the other and says "Done" after the last.
 */
export async function startModel(script: Move[]): Promise<ScriptedModel> {
  const turns: Turn[] = [];
  const isDone = () => turns.length > 0 && 'say' in (script[turns.length - 1] ?? { say: '' });
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
        response.statusCode = 404;
        response.end(JSON.stringify({ error: { message: `Nothing at ${request.url}` } }));
        return;
      }
      const { messages, tools = [] } = JSON.parse(Buffer.concat(chunks).toString()) as {
        messages: ChatMessage[];
        tools?: Array<{ function: OfferedTool }>;
      };
      const index = turns.length;
      turns.push({ messages, tools: tools.map((tool) => tool.function), index });
      response.end(JSON.stringify(completion(script[index] ?? { say: 'Done' }, index)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes the model must not keep the whole run from ending.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    turns,
    toolAnswers: () =>
      (turns.at(-1)?.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textOf(content)),
    async finished() {
      const end = Date.now() + 20_000;
      while (!isDone()) {
        if (Date.now() > end) throw new Error(`The model made ${turns.length} of its ${script.length} moves`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

function completion(move: Move, index: number) {
  const message =
    'say' in move
      ? { role: 'assistant', content: move.say }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [move.with, ...(move.also ?? [])].map((args, call) => ({
            id: `call_${index}_${call}`,
            type: 'function',
            function: { name: move.call, arguments: JSON.stringify(args) },
          })),
        };
  return {
    id: `chat-${index}`,
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: 'say' in move ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
