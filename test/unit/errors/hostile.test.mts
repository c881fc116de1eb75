import fc from '../../support/generated.mts';

import { WIRE_TYPES } from '../../../nodes/gateway/contract/operations.ts';
import { explain, policyOf, whatCame } from '../../../nodes/gateway/errors/catalogue.ts';
import { classifyTransportError } from '../../../nodes/gateway/errors/classify.ts';
import { retryAfterSeconds } from '../../../nodes/gateway/errors/retry-after.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';
import { TEXT_ENTRIES } from '../../../nodes/gateway/errors/text-entries.ts';
import { quote } from '../../../nodes/gateway/text/phrases.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';
import { isQuick, repeated } from '../../support/hostile-texts.mts';

/** The words of the catalogue's own patterns, each again and again, and what else patterns stumble over. */
const WORDS = [
  ...new Set(
    TEXT_ENTRIES.flatMap(({ pattern, unless }) =>
      `${pattern.source} ${unless?.source ?? ''}`.replace(/\\./g, ' ').split(/[^A-Za-z]+/),
    ),
  ),
].filter((word) => word.length > 1);
const PIECES = [
  ...['x', ' ', '\n', '_', '\\', '"', 'é', '😀', 'id id id ', 'not ', 'no such '],
  ...REFUSALS.map(([text]) => `${text} `),
];

const problems = (text: string): Problem[] => [
  { kind: 'envelope', text },
  { kind: 'envelope', text, status: 500 },
  ...WIRE_TYPES.map((wireType): Problem => ({ kind: 'item', text, wireType })),
  { kind: 'blocked', text },
  { kind: 'notGateway', contentType: text },
  { kind: 'unreachable', code: text },
  { kind: 'tls', code: text },
  { kind: 'connectionLost', code: text },
];

const errors = (text: string): unknown[] => [
  text,
  { message: text, code: 'EPROTO' },
  { message: text, code: 'ECONNABORTED' },
  { code: text, httpCode: text },
  { messages: Array(1000).fill(text.slice(0, 1000)), code: 'EPROTO' },
  { response: { status: 503, headers: { 'retry-after': text } } },
  { name: 'UserError', message: text },
];

const quickly = (what: string, work: () => void) => expect([what, isQuick(work)]).toEqual([what, true]);

it.each(PIECES)('a long text of "%s" is explained and classified in no time, and shortened', (piece) => {
  const text = repeated(piece);
  for (const problem of problems(text)) {
    quickly(problem.kind, () => void policyOf(problem));
    quickly(problem.kind, () => void explain(problem));
    if (!['envelope', 'item', 'blocked'].includes(problem.kind)) continue;
    const { message, description } = explain(problem);
    expect(message.length + description.length).toBeLessThan(2000);
  }
  quickly('quote', () => void quote(text));
  quickly('whatCame', () => void whatCame(text));
  quickly('retryAfterSeconds', () => void retryAfterSeconds(text, 0));
  for (const error of errors(text)) quickly('error', () => void classifyTransportError(error));
});

it('any mixture of the words of the catalogue is matched in no time', () => {
  expect(WORDS.length).toBeGreaterThan(100);
  const mixture = fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 8 })
    .map((words) => repeated(`${words.join(' ')} `));
  fc.assert(
    fc.property(mixture, (text) => {
      for (const wireType of ['sms', 'status'] as const)
        quickly(text.slice(0, 60), () => void explain({ kind: 'item', text, wireType }));
    }),
    { numRuns: 200 },
  );
});

it('errors inside errors are classified in no time, loops included', () => {
  const wide: Record<string, unknown> = { code: 'ETIMEDOUT' };
  wide.errors = Array.from({ length: 1000 }, () => wide);
  wide.cause = wide;
  let deep: unknown = { syscall: 'connect' };
  for (let i = 0; i < 100_000; i++) deep = { code: 'ETIMEDOUT', errors: [deep] };
  for (const error of [wide, deep, { code: 'ETIMEDOUT', errors: [wide, deep] }]) {
    quickly('errors', () => void classifyTransportError(error));
    // What doesn't say that it was connecting may have been received.
    expect(classifyTransportError(error)).toEqual({ kind: 'timeout' });
  }
});
