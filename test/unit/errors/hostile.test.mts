import fc from '../../support/generated.mts';

import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { classifyTransportError } from '../../../nodes/gateway/errors/classify.ts';
import { TEXT_ENTRIES } from '../../../nodes/gateway/errors/entries.ts';
import { REFUSALS } from '../../support/gateway-refusals.mts';
import { isQuick, repeated } from '../../support/hostile-texts.mts';

/** The words of the catalogue's own patterns, each again and again, and what else patterns stumble over. */
const WORDS = [
  ...new Set(TEXT_ENTRIES.flatMap(({ match }) => match.source.replace(/\\./g, ' ').split(/[^A-Za-z]+/))),
].filter((word) => word.length > 1);
const PIECES = [
  ...['x', ' ', '\n', '_', '\\', '"', 'é', '😀', 'id id id ', 'not ', 'no such '],
  ...REFUSALS.map(([text]) => `${text} `),
];

const quickly = (what: string, work: () => void) => expect([what, isQuick(work)]).toEqual([what, true]);

it.each(PIECES)('a long text of "%s" is shortened', (piece) => {
  const text = repeated(piece);
  for (const problem of [
    { kind: 'request', text },
    { kind: 'operation', text },
    { kind: 'blocked', text },
  ] as const) {
    const { message, description } = explain(problem);
    expect(message.length + description.length).toBeLessThan(2000);
  }
});

it('any mixture of the words of the catalogue is matched in no time', () => {
  expect(WORDS.length).toBeGreaterThan(100);
  const mixture = fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 8 })
    .map((words) => repeated(`${words.join(' ')} `));
  fc.assert(
    fc.property(mixture, (text) => {
      quickly(text.slice(0, 60), () => void explain({ kind: 'request', text }));
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
