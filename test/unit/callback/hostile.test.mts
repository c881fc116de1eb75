import { stringify } from 'node:querystring';

import fc from '../../support/generated.mts';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { RefusedCall } from '../../../nodes/gateway/callback/refused-call.ts';
import { shortOrLong } from '../../support/long-form.mts';

/** A failure names the seed that repeats it. */
const HOSTILE = shortOrLong(5_000, 50_000);

it(`survives ${HOSTILE} hostile bodies`, () => {
  const keys = '__proto__ constructor prototype success id data files replies a[b][c] []'.split(' ');
  const key = fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 8 }));
  const scalars = [null, true, 0, -1, 1e308, NaN, '', '\u0000', '\ud800', '{"a":', '[[[[', 'x'.repeat(5000)];
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.constantFrom<unknown>(...scalars),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: false }),
    ),
  }));
  const nested = fc.tuple(fc.integer({ min: 21, max: 400 }), fc.boolean()).map(([depth, list]) => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = list ? [value] : { data: value, replies: value };
    return { success: true, id: 5, more: value };
  });
  const form = tree.map((value) => stringify({ a: JSON.stringify(value) }));
  const text = fc.oneof(fc.string(), fc.json(), form);
  const body = fc.oneof({ weight: 6, arbitrary: tree }, nested, { weight: 2, arbitrary: text });
  const property = fc.property(body, (given) => {
    callbacksIn(given).forEach(expectTyped);
    if (({} as { polluted?: unknown }).polluted !== undefined) throw new Error('polluted');
  });
  fc.assert(property, { numRuns: HOSTILE });
});

/** The callbacks in a body; none where it is refused. */
function callbacksIn(body: unknown): Array<Record<string, unknown>> {
  try {
    return parseCallback(body).callbacks;
  } catch (thrown) {
    if (thrown instanceof RefusedCall) return [];
    throw thrown;
  }
}

const isWhole = (text: string) => /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text));

/** Without `expect`, which would take most of the time. */
function expectTyped(event: Record<string, unknown>): void {
  const { success, id, msg_id: messageId, request_id: requestId } = event;
  const isId = (value: unknown) =>
    value === undefined || (typeof value === 'string' ? !isWhole(value) : Number.isInteger(value));
  const fine =
    typeof success === 'boolean' &&
    isId(id) &&
    isId(messageId) &&
    [id, messageId, requestId].some((name) => name !== undefined);
  if (!fine) throw new Error(`not typed: ${JSON.stringify(event)}`);
}
