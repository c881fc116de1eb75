import type { explain } from '../../nodes/gateway/errors/catalogue.ts';
import type { Entry } from '../../nodes/gateway/errors/entries.ts';
import type { Problem } from '../../nodes/gateway/errors/problem.ts';
import { inCell } from './tables.mts';

/** The parts of the node that the tables follow from; the compiled ones in a build, the sources in a test. */
interface NodeParts {
  /** The words with which a gateway refuses, and what they mean. */
  textEntries: readonly Entry[];
  statusEntries: Readonly<Record<number, unknown>>;
  explain: typeof explain;
}

/** HTTP codes that share an entry with others. */
const OTHER_STATUSES = [302, 422, 500];
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'];
const TLS = [
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
];

/** The heading of the problems that leave it open whether something was sent. */
const LOST = 'The answer was lost';

/** By the heading of their table. */
const PROBLEMS: Record<string, Problem[]> = {
  'In any other words': [
    { kind: 'operation', text: 'any other words' },
    { kind: 'operation', text: 'Error' },
  ],
  "The gateway can't be reached, or its answer can't be used": [
    ...[...UNREACHABLE, ...TLS].map((code) => ({ kind: 'unreachable', code }) as const),
    { kind: 'notGateway', contentType: 'text/html' },
    { kind: 'blocked', text: '…' },
    { kind: 'notTold' },
    { kind: 'cancelled' },
  ],
  [LOST]: [
    { kind: 'timeout' },
    { kind: 'connectionLost', code: 'ECONNRESET' },
    { kind: 'mismatch' },
    { kind: 'notTold' },
  ],
};

/** The tables of the gateway's errors in docs/when-something-fails.md, by the heading of their section. */
export function errorTables(node: NodeParts): Record<string, string[][]> {
  const { textEntries, statusEntries } = node;
  const explained = (problem: Problem, isInDoubt = false) => {
    const { message, description } = node.explain(problem, { isInDoubt });
    return [message, description];
  };
  const filled = (text: string) => text.replaceAll('{service}', 'gateway').replace('{sender}', 'the sender');
  const statuses = [...Object.keys(statusEntries).map(Number), ...OTHER_STATUSES].sort((a, b) => a - b);
  const entries = {
    'The gateway refuses a message or a request': textEntries.map(({ title, again = '', advice }) => [
      filled(title),
      filled(`${again} ${advice}`.trim()),
    ]),
    'A server answers with an HTTP error': byAdvice(
      statuses.map((status) => explained({ kind: 'request', text: '', status })),
    ),
    ...Object.fromEntries(
      Object.entries(PROBLEMS).map(([heading, problems]) => [
        heading,
        problems.map((problem) => explained(problem, heading === LOST)),
      ]),
    ),
  };
  const rowsOf = (errors: string[][]) => [
    ['Error', 'What to do'],
    ...new Map(errors.map(([title, description]) => [inCell(title), inCell(description)])),
  ];
  return Object.fromEntries(Object.entries(entries).map(([heading, errors]) => [heading, rowsOf(errors)]));
}

/** Joins the HTTP codes with the same title and advice in one row. */
function byAdvice(rows: string[][]): string[][] {
  const joined = new Map<string, string[]>();
  for (const [title, advice] of rows) {
    const [, words, code] = /^(.*) \(HTTP (\d+)\)$/.exec(title) ?? [];
    const key = JSON.stringify([words, advice]);
    joined.set(key, [...(joined.get(key) ?? []), code]);
  }
  return [...joined].map(([key, codes]) => {
    const [words, advice] = JSON.parse(key) as [string, string];
    return [`${words} (HTTP ${codes.join(', ')})`, advice];
  });
}
