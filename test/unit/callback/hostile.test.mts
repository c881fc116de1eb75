import { stringify } from 'node:querystring';

import fc from '../../support/generated.mts';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { OUTCOME_NAMES } from '../../../nodes/gateway/delivery/outcomes.ts';
import { shortOrLong } from '../../support/long-form.mts';

/** 200,000 bodies in the long form. A failure names the seed that repeats it. */
const VALID = shortOrLong(7_500, 75_000);
const HOSTILE = shortOrLong(5_000, 50_000);

const identifier = fc.oneof(
  fc.nat(),
  fc.nat().map(String),
  fc.constantFrom('9007199254740993', 'a-1', 2 ** 53 - 1),
);
const media = fc.constantFrom(null, { url: 'u' });
const reply = fc.record({ message: fc.string(), media }, { requiredKeys: ['message'] });
const valid = fc.record(
  {
    success: fc.constantFrom<unknown>(true, false, 1, 0, 'true', 'false'),
    id: identifier,
    msg_id: identifier,
    type: fc.constantFrom('sms', 'viber', 'voice', 'rcs'),
    status: fc.constantFrom('DELIVERED', 'READ', 'EXPIRED', 'NO ROUTE', 'QUEUED', 'UNKNOWN', 'Später', ''),
    error: fc.string({ maxLength: 20 }),
    updated: fc.constant('2026-01-01T00:00:00Z'),
    reply: fc.constantFrom('1', 7, '#'),
    duration: fc.constantFrom<unknown>(0, 12, '12', 1.5),
    replies: fc.array(reply, { maxLength: 3 }),
    more: fc.constantFrom<unknown>(null, 1, { a: [1] }),
  },
  { requiredKeys: ['success', 'id'] },
);
/** Fields that decide whether a callback is taken. */
const FIELDS = ['success', 'id', 'msg_id', 'request_id'] as const;
const SIDE_FIELDS = ['type', 'status', 'duration', 'replies', 'error', 'updated', 'reply', 'more'] as const;

/** Each body comes in one of these shapes. */
const SHAPES: Array<(body: Record<string, unknown>) => unknown> = [
  (body) => body,
  (body) => [body],
  (body) => ({ data: [body] }),
  (body) => ({ 3: body }),
];

/** Values that none of these can have. */
const wrong = fc.constantFrom<unknown>(
  ...[{ $gt: '' }, [['x']], [1, 2], { toString: 'x' }, { __proto__: null, length: 1e9 }, Array(301).fill('')],
);

it(`takes ${VALID} valid bodies, with any side fields, and refuses each with a mistake`, () => {
  const change = fc.oneof(
    fc.tuple(fc.constantFrom(...FIELDS), wrong).map(([field, value]) => ({ [field]: value })),
    fc.constantFrom<object>({ success: undefined }, { id: undefined, msg_id: undefined }, { success: 'yes' }),
  );
  const json = fc.jsonValue({ maxDepth: 3 }).filter((one) => !/proto|constructor/.test(JSON.stringify(one)));
  const side = fc.oneof(wrong, json);
  const sides = fc.dictionary(fc.constantFrom(...SIDE_FIELDS), side, { maxKeys: 3 });
  const property = fc.property(
    valid,
    sides,
    change,
    fc.constantFrom(...SHAPES),
    (body, more, mistake, shape) => {
      const parsed = parseCallback(shape({ ...body, ...more }));
      if (!parsed.ok) throw new Error(parsed.reason);
      parsed.events.forEach(expectTyped);
      const broken = parseCallback(shape({ ...body, ...mistake }));
      if (broken.ok || broken.reason.length > 300)
        throw new Error(`taken, or why at length: ${JSON.stringify(broken)}`);
    },
  );
  fc.assert(property, { numRuns: VALID });
});

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
    const parsed = parseCallback(given);
    if (parsed.ok) parsed.events.forEach(expectTyped);
    if (({} as { polluted?: unknown }).polluted !== undefined) throw new Error('polluted');
  });
  fc.assert(property, { numRuns: HOSTILE });
});

const isWhole = (text: string) => /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text));

/** Without `expect`, which would take most of the time. */
function expectTyped(event: Record<string, unknown>): void {
  const { success, id, msg_id: messageId, request_id: requestId, outcome, final } = event;
  const isId = (value: unknown) =>
    value === undefined || (typeof value === 'string' ? !isWhole(value) : Number.isInteger(value));
  const fine =
    typeof success === 'boolean' &&
    isId(id) &&
    isId(messageId) &&
    [id, messageId, requestId].some((name) => name !== undefined) &&
    OUTCOME_NAMES.includes(outcome as never) &&
    typeof final === 'boolean';
  if (!fine) throw new Error(`not typed: ${JSON.stringify(event)}`);
}
