import { findAnswer } from '../../../nodes/gateway/connector/answer.ts';
import { findIn } from '../../../nodes/gateway/net/read-body.ts';
import { explainConnector } from '../../../nodes/gateway/connector/explain.ts';
import {
  argumentSchemas,
  isSending,
  readToolResult,
  takesConfirmation,
} from '../../../nodes/gateway/connector/tools.ts';
import { fromJson } from '../../../nodes/gateway/text/json.ts';
import type { ConnectorProblem } from '../../../nodes/gateway/connector/transport.ts';
import { isQuick, LIMIT, LENGTH, repeated } from '../../support/hostile-texts.mts';

/** What the patterns of the connector's files look for, and what JSON nests. */
const PIECES = ['x', ' ', '\n', '\r', '\r\n', 'data:', 'data: \n', '"', '\\', '[', '{"a":', '[1],'];

const quickly = (work: () => void) => expect(isQuick(work)).toBe(true);

const problemsOf = (text: string, status = 200): ConnectorProblem[] => [
  { kind: 'blocked', text },
  { kind: 'envelope', text },
  { kind: 'notGateway', contentType: text, status },
  ...[-32602, -32601, -32000].map((code): ConnectorProblem => ({ kind: 'rpc', code, message: text, status })),
];

describe.each(PIECES)('a long text of %j', (piece) => {
  const text = repeated(piece);

  it('is explained in no time, and shortened', () => {
    for (const problem of problemsOf(text)) {
      quickly(() => {
        const { message, description } = explainConnector(problem);
        expect(message.length + description.length).toBeLessThan(2000);
      });
    }
  });

  it('is read as a result, a tool and an answer in no time', () => {
    const results = [
      text,
      { content: [{ type: 'text', text }], isError: true },
      { content: [{ type: 'text', text: JSON.stringify({ refused: true, reason: text }) }] },
      { structuredContent: { success: false, error: { message: text } } },
    ];
    for (const result of results) quickly(() => void readToolResult(result));
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: text } };
    for (const message of [text, error]) quickly(() => void findAnswer(message, 1));
    const tool = { name: text, inputSchema: { properties: { [text]: text }, required: [text] } };
    quickly(() => void [argumentSchemas(tool), isSending(tool), takesConfirmation(tool)]);
  });

  it.each(['application/json', 'text/event-stream', text])(
    'is read as an answer in no time, whole and in parts',
    async (type) => {
      for (const size of [LENGTH, 65_536, 1000]) {
        const parts = Array.from({ length: Math.ceil(LENGTH / size) }, (_, i) =>
          text.slice(i * size, (i + 1) * size),
        );
        // Processor time, whatever else the machine does meanwhile.
        const times: number[] = [];
        while (times.length < 8 && !(Math.min(...times) < LIMIT)) {
          const start = process.threadCpuUsage();
          await findIn(parts, type, (raw) => findAnswer(fromJson(raw), 1));
          const { user, system } = process.threadCpuUsage(start);
          times.push((user + system) / 1000);
        }
        expect(Math.min(...times)).toBeLessThan(LIMIT);
      }
    },
  );
});

it('lists inside lists beyond any depth are words of the tool, and no exception', () => {
  const depth = 200_000;
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const outcome = readToolResult({ content: [{ type: 'text', text: nested }], isError: true });
  const text = expect.stringMatching(/^\[{99}"\(nested deeper than 100 levels\)"\]{99}$/) as string;
  expect(outcome).toEqual({ kind: 'failed', text, nothingDone: false });
});
