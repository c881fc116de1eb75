import { until } from '../../tools/until.mts';
import { sendJson, startWebServer } from './web-server.mts';

/** One message of a chat as the OpenAI interface has it. */
interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: unknown;
  tool_call_id?: string;
}

interface OfferedTool {
  name: string;
  description: string;
  parameters: { properties?: Record<string, Record<string, unknown>>; required?: string[] };
}

/** What the model sees in one turn. */
interface Turn {
  messages: ChatMessage[];
  tools: OfferedTool[];
  /** Number of turns before this one. */
  index: number;
}

/** What the model does in one turn: calls a tool, or says something, which ends the run of its agent. */
export type Move = { call: string; with: object } | { say: string };

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
 * A stand-in for a language model on loopback: the chat completions of the OpenAI interface, streamed for agents that ask so, that
 * makes the moves of the script one after the other and says "Done" after the last; or the move that a function returns for a
 * turn, undefined for one in which the model is out of order.
 */
export async function startModel(
  script: Move[] | ((turn: Turn) => Move | undefined),
  host?: string,
): Promise<ScriptedModel> {
  const turns: Turn[] = [];
  const isDone = () =>
    typeof script !== 'function' && turns.length > 0 && 'say' in (script[turns.length - 1] ?? { say: '' });
  const server = await startWebServer((response, { method, url, body }) => {
    if (method !== 'POST' || !url?.endsWith('/chat/completions')) {
      return sendJson(response, { error: { message: `Nothing at ${url}` } }, 404);
    }
    const {
      messages,
      tools = [],
      stream = false,
    } = JSON.parse(body) as {
      messages: ChatMessage[];
      tools?: Array<{ function: OfferedTool }>;
      stream?: boolean;
    };
    const index = turns.length;
    turns.push({ messages, tools: tools.map((tool) => tool.function), index });
    const move = typeof script === 'function' ? script(turns[index]) : (script[index] ?? { say: 'Done' });
    if (move === undefined)
      return sendJson(response, { error: { message: 'The model is out of order' } }, 400);
    if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(move, index));
    else sendJson(response, completion(move, index));
  }, host);
  return {
    url: `${server.url}/v1`,
    turns,
    toolAnswers: () =>
      (turns.at(-1)?.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textOf(content)),
    async finished() {
      await until(`${turns.length} of ${script.length} moves of the model`, () => isDone() || undefined);
    },
    close: server.close,
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
          tool_calls: [
            {
              id: `call_${index}`,
              type: 'function',
              function: { name: move.call, arguments: JSON.stringify(move.with) },
            },
          ],
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

/** The same as events of a stream, all of it in the first. */
function streamed(move: Move, index: number): string {
  const { choices, ...rest } = completion(move, index);
  const [{ message, finish_reason: reason }] = choices;
  const calls = message.tool_calls?.map((call, at) => ({ index: at, ...call }));
  const parts = [
    { delta: { ...message, ...(calls && { tool_calls: calls }) }, finish_reason: null },
    { delta: {}, finish_reason: reason },
  ];
  const events = parts.map((part) =>
    JSON.stringify({ ...rest, object: 'chat.completion.chunk', choices: [{ index: 0, ...part }] }),
  );
  return [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('');
}
