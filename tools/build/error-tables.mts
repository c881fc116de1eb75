import type { explain } from '../../nodes/gateway/errors/catalogue.ts';
import type { Problem } from '../../nodes/gateway/errors/problem.ts';
import type { TextEntry } from '../../nodes/gateway/errors/text-entries.ts';
import type { Words } from '../../nodes/gateway/errors/words.ts';
import type { OperationDefinition } from '../../nodes/MessagingGateway/run/definition.ts';
import { withInside } from './reference.mts';
import { inCell } from './tables.mts';

/** The parts of the node that the tables follow from; the compiled ones in a build, the sources in a test. */
interface NodeParts {
  operations: readonly OperationDefinition[];

  /** What the gateway refuses, and what it means. */
  textEntries: readonly TextEntry[];
  statusEntries: Readonly<Record<number, unknown>>;
  explain: typeof explain;
  words: Words;
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

/** By the heading of their table. */
const PROBLEMS: Record<string, Problem[]> = {
  'In any other words': [
    { kind: 'item', text: '…', wireType: 'sms' },
    { kind: 'envelope', text: '…' },
  ],
  "The gateway can't be reached, or its answer can't be used": [
    ...UNREACHABLE.map((code) => ({ kind: 'unreachable', code }) as const),
    ...TLS.map((code) => ({ kind: 'tls', code }) as const),
    { kind: 'notGateway', contentType: 'text/html' },
    { kind: 'blocked', text: '…' },
    { kind: 'notTold' },
    { kind: 'cancelled' },
  ],
  // Those that leave it open whether something was sent.
  'The answer was lost': [
    { kind: 'timeout' },
    { kind: 'connectionLost', code: 'ECONNRESET' },
    { kind: 'lengthMismatch', sent: 2, received: 1 },
    { kind: 'idMismatch' },
    { kind: 'unknownOutcome' },
  ],
};

/** The tables of the gateway's errors in docs/when-something-fails.md, by the heading of their section. */
export function errorTables(node: NodeParts): Record<string, string[][]> {
  const { operations, textEntries, statusEntries } = node;
  const properties = operations.flatMap((one) => one.properties.flatMap(withInside));
  const words: Words = {
    ...node.words,
    label: (parameter) => properties.find(({ name }) => name === parameter)?.displayName,
  };
  const explained = (problem: Problem) => {
    const { message, description } = node.explain(problem, words);
    return [message, description];
  };
  const statuses = [...Object.keys(statusEntries).map(Number), ...OTHER_STATUSES].sort((a, b) => a - b);
  const entries = {
    'The gateway refuses a message or a request': textEntries.map(({ title, description }) => [
      title(words),
      description(words),
    ]),
    'A server answers with an HTTP error': [
      ...statuses.map((status) => ({ kind: 'http', status }) as const),
      { kind: 'http', status: 429, retryAfter: 3600 } as const,
    ].map(explained),
    ...Object.fromEntries(
      Object.entries(PROBLEMS).map(([heading, problems]) => [heading, problems.map(explained)]),
    ),
  };
  const rowsOf = (errors: string[][]) => [
    ['Error', 'What to do'],
    ...new Map(errors.map(([title, description]) => [inCell(title), inCell(description)])),
  ];
  return Object.fromEntries(Object.entries(entries).map(([heading, errors]) => [heading, rowsOf(errors)]));
}
