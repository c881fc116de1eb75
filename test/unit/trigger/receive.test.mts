import type { IDataObject } from 'n8n-workflow';

import fc from '../../support/generated.mts';

import { deriveCallbackKey, sealFacts } from '../../../nodes/gateway/callback/message-facts.ts';
import { callTrigger } from '../../support/trigger-call.mts';
import type { TriggerCall } from '../../support/trigger-call.mts';

/** Calls the trigger as n8n does. */
const call = async (
  body: unknown,
  parameters: IDataObject = {},
  more: Omit<TriggerCall, 'body' | 'parameters'> = {},
) => await callTrigger({ body, parameters, ...more });

/** A credential without an address. */
const credential = { apiKey: 'the-key' };

const started = ({ status, items }: Awaited<ReturnType<typeof call>>) => ({ status, items });

const ONE = { success: true, id: 1, msg_id: 2, type: 'sms', status: 'DELIVERED' };

it('starts with one item for each event that is wanted, without a field "verified" from outside', async () => {
  const other = { ...ONE, id: 3, status: 'READ' };
  const { items } = await call([
    { ...ONE, verified: true, outcome: 'read', final: 'maybe' },
    { ...ONE, success: false, status: 'QUEUED' },
    other,
  ]);
  expect(items).toEqual([
    { ...ONE, outcome: 'delivered', final: true, arrived: true },
    { ...other, outcome: 'read', final: true, arrived: true },
  ]);
});

it('begins with the outcome, the number, the own fields and the reply, none of them from the body', async () => {
  const fields = { order: 'A-7', status: 'mine', outcome: 'mine', vip: true };
  const sealed = sealFacts(
    deriveCallbackKey('the-key'),
    { id: ONE.id, trigger: '' },
    { phone: 380501234567, sentAs: 'viber', fields },
  );
  const body = { order: 'forged', cost: 2, ...ONE, status: 'REPLIED', replies: [{ message: 'Yes' }] };
  const { items } = await call(body, {}, { query: `seal=${sealed}`, credential });
  expect(items).toHaveLength(1);
  const [row] = items!;
  expect(Object.keys(row).slice(0, 6)).toEqual(['outcome', 'phone', 'order', 'vip', 'reply', 'id']);
  const ofNode = { outcome: 'replied', phone: 380501234567, reply: 'Yes', status: 'REPLIED' };
  expect(row).toMatchObject({ ...ofNode, order: 'A-7', vip: true, cost: 2, fields });
});

it('starts for each reply, has it where the pressed digit is, and says why it starts nothing', async () => {
  const replies = [{ message: 'Yes' }, { message: 'No' }];
  const { items } = await call({ ...ONE, status: 'REPLIED', replies });
  expect(items).toMatchObject(replies.map((reply) => ({ reply: reply.message, replies: [reply] })));
  const nodeId = 'repeated';
  expect((await call(ONE, {}, { nodeId })).body).toEqual({ received: true });
  const why = 'This status or reply, or a later status, has started the workflow before';
  const repeated = { received: true, started: false, why };
  expect((await call(ONE, {}, { nodeId })).body).toEqual(repeated);
  const { body } = await call(ONE, { outcomes: ['replied'] });
  expect(body).toMatchObject({
    started: false,
    why: "'Trigger On' and 'Channels' leave this out: delivered",
  });
});

it.each([
  ['', 'sms', 'failed', true],
  ['sent_as=viber%2Bsms', 'viber', 'pending', false],
  ['sent_as=viber+sms', 'viber', 'pending', false],
  ['sent_as=viber%2Bsms&sent_as=sms', 'viber', 'failed', true],
  ['sent_as=__proto__', 'viber', 'failed', true],
])('with the query "%s" a failure on %s is %s', async (query, type, outcome, final) => {
  const body = { ...ONE, success: false, type, status: 'EXPIRED' };
  const { items } = await call(body, { outcomes: ['failed', 'pending'] }, { query });
  expect(items).toEqual([{ ...body, outcome, final, arrived: false }]);
});

it.each([
  [['sms'], 'sms', true],
  [['sms'], 'SMS', true],
  [['sms'], 'viber', false],
  [['viber'], 'viber+sms', true],
  [[], 'pigeon', true],
  [['telegram'], undefined, true],
  [['sms'], undefined, true],
  [['sms'], undefined, true, 'sent_as=rcs+viber'],
  [['sms'], 'pipeline', true],
  [['sms'], 'Pipeline ', true],
  [['sms'], 'viber', false, 'sent_as=viber+sms'],
])('of the channels %j a callback about %s starts: %p %s', async (channels, type, starts, query = '') => {
  const { status, items } = await call({ ...ONE, type }, { channels }, { query });
  expect([status, items !== undefined]).toEqual([200, starts]);
});

it.each([
  [['sms'], false],
  [['telegram'], true],
])(
  'of the channels %j a callback without a channel, whose seal says telegram, starts: %p',
  async (channels, starts) => {
    const key = deriveCallbackKey('the-key');
    const seal = sealFacts(
      key,
      { id: ONE.id, trigger: '' },
      { phone: 380501234567, sentAs: 'telegram', fields: {} },
    );
    const { status, items } = await call(
      { ...ONE, type: undefined },
      { channels },
      { query: `seal=${seal}`, credential },
    );
    expect([status, items !== undefined]).toEqual([200, starts]);
  },
);

it.each([
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['replied', 'REPLIED'],
  ['failed', 'EXPIRED'],
  ['pending', 'ROUTING'],
  ['failed', 'UNKNOWN'],
])('the outcome %s alone lets %s start', async (outcome, status) => {
  const body = { ...ONE, success: ['delivered', 'read', 'replied'].includes(outcome), status };
  expect((await call(body, { outcomes: [outcome] })).items).toHaveLength(1);
  const others = ['delivered', 'read', 'replied', 'failed', 'pending'].filter((other) => other !== outcome);
  expect(started(await call(body, { outcomes: others }))).toEqual({ status: 200, items: undefined });
});

it('reads a body that came without a content type, unless it is larger than 1 MB', async () => {
  const rawBody = Buffer.from(JSON.stringify(ONE));
  for (const body of [undefined, {}]) expect((await call(body, {}, { rawBody })).items).toHaveLength(1);
  expect((await call({}, {}, { rawBody: Buffer.from([0xff, 0xfe]) })).status).toBe(400);
  expect((await call({}, {}, { rawBody: Buffer.alloc(1_000_001) })).status).toBe(413);
});

it('takes for duplicates only what the same trigger has started for, and nothing in a test', async () => {
  const nodeId = 'selective';
  await call({ ...ONE, status: 'READ' }, { outcomes: ['delivered'] }, { nodeId });
  expect((await call(ONE, { outcomes: ['delivered'] }, { nodeId })).items).toHaveLength(1);
  for (const other of [{ nodeId: 'another' }, { nodeId, mode: 'manual' }, { nodeId, mode: 'manual' }])
    expect((await call(ONE, {}, other)).items).toHaveLength(1);
});

it('acknowledges what it leaves out, though nothing could be verified', async () => {
  const parameters = { outcomes: ['read'], options: { secret: 'long enough', verifyWithGateway: true } };
  const { status, body } = await call(ONE, parameters, { query: 'secret=long+enough', credential });
  expect([status, body]).toMatchObject([200, { started: false }]);
  const wanted = await call({ ...ONE, status: 'READ' }, parameters, {
    query: 'secret=long+enough',
    credential,
  });
  expect([wanted.status, wanted.items]).toEqual([503, undefined]);
});

it('remembers what a trigger has started for while another is flooded', async () => {
  const nodeId = 'quiet';
  await call(ONE, {}, { nodeId });
  for (let first = 0; first < 11_000; first += 1000)
    await call(
      Array.from({ length: 1000 }, (_, i) => ({ ...ONE, id: first + i })),
      {},
      { nodeId: 'flooded' },
    );
  expect((await call(ONE, {}, { nodeId })).items).toBeUndefined();
});

it('starts once for calls at the same moment, and again where n8n could not start the workflow', async () => {
  const nodeId = 'at once';
  const all = await Promise.all(Array.from({ length: 5 }, async () => await call(ONE, {}, { nodeId })));
  expect(all.filter(({ items }) => items)).toHaveLength(1);
  const [failing, other] = [
    { ...ONE, id: 8 },
    { ...ONE, id: 9 },
  ];
  const { status, items } = await call([failing, other], {}, { nodeId, startStatus: 500 });
  expect([status, items]).toMatchObject([500, [{ id: 8 }, { id: 9 }]]);
  expect((await call(failing, {}, { nodeId })).items).toHaveLength(1);
  expect((await call([failing, other], {}, { nodeId })).items).toMatchObject([{ id: 9 }]);
});

it('acknowledges no event that it has not started for, and starts for none twice or late', async () => {
  const status = fc.constantFrom('ROUTING', 'EXPIRED', 'DELIVERED', 'READ');
  const event = fc.record({ id: fc.integer({ min: 1, max: 2 }), status });
  const body = fc.array(event, { minLength: 1, maxLength: 3 });
  const calls = fc.array(fc.record({ body, startStatus: fc.constantFrom(200, 200, 503) }), { maxLength: 12 });
  const rank = (name: string) => Math.max(0, ['DELIVERED', 'READ'].indexOf(name) + 1);
  let serial = 0;
  const property = fc.asyncProperty(calls, async (planned) => {
    const nodeId = `planned ${++serial}`;
    const done: Array<{ id: number; status: string }> = [];
    const failed = new Set<number>();
    const isCovered = (one: { id: number; status: string }) =>
      done.some(
        ({ id, status: name }) => id === one.id && (name === one.status || rank(name) > rank(one.status)),
      );
    const isRepeated = (one: { id: number; status: string }) =>
      failed.has(one.id)
        ? done.some(({ id, status: name }) => id === one.id && name === one.status)
        : isCovered(one);
    for (const { body: events, startStatus } of planned) {
      const callbacks = events.map((one) => ({ ...one, success: rank(one.status) > 0 }));
      const outcomes = ['delivered', 'failed', 'read', 'pending'];
      const answer = await call(callbacks, { outcomes }, { nodeId, startStatus });
      const items = (answer.items ?? []) as unknown as typeof done;
      const wrong = items.filter(isRepeated);
      if (wrong.length > 0) throw new Error(`again or late: ${JSON.stringify(wrong)}`);
      if (answer.status !== 200) for (const { id } of items) failed.add(id);
      else {
        done.push(...items.map(({ id, status: name }) => ({ id, status: name })));
        const lost = events.filter((one) => !isCovered(one));
        if (lost.length > 0) throw new Error(`acknowledged and not started: ${JSON.stringify(lost)}`);
      }
    }
  });
  await fc.assert(property, { numRuns: 300 });
});

describe('a trigger with a secret', () => {
  const secret = 'Gr8-Secret&ümlaut';

  it.each<[object, number]>([
    [{ secret }, 200],
    [{}, 403],
    [{ Secret: secret }, 403],
    ...['', `${secret} `, secret.toLowerCase(), secret.slice(0, -1), [secret], { 0: secret }].map(
      (wrong): [object, number] => [{ secret: wrong }, 403],
    ),
  ])('answers a call with %j with %i', async (query, status) => {
    const more = { getQueryData: () => query };
    expect((await call(ONE, { options: { secret } }, { more })).status).toBe(status);
  });
});

describe('a trigger with an allow-list', () => {
  const options = { allowedIps: '192.0.2.10, 198.51.100.0/24,2001:db8::/32 ,' };

  it.each<[object, number]>([
    ...['192.0.2.10', '2001:db8::5'].map((ip): [object, number] => [{ ip }, 200]),
    ...['198.51.101.0', 'unknown', '', undefined].map((ip): [object, number] => [{ ip }, 403]),
    // The allowed address is that of a proxy, through which anybody comes.
    [{ ip: '10.0.0.1', ips: ['10.0.0.1', '192.0.2.10'] }, 403],
  ])('answers a call from %j with %i', async (from, status) => {
    expect((await call(ONE, { options }, { from })).status).toBe(status);
  });
});

describe('a trigger that is not set up correctly', () => {
  it.each<[string, IDataObject]>([
    ['a secret that is undefined', { options: { secret: undefined } }],
    ['outcomes that are empty', { outcomes: [] }],
  ])('with %s lets nobody in, and says so in the log', async (_, parameters) => {
    const { status, items, logged, body } = await call(ONE, parameters, { query: 'secret=' });
    expect([status, items]).toEqual([503, undefined]);
    expect(body).toEqual({ error: 'The call could not be handled now' });
    expect(logged).toEqual([expect.stringMatching(/^"Trigger": a call could not be handled: '/)]);
  });
});

it.each(['getBodyData', 'getNodeParameter', 'getWorkflow'])(
  'answers 503 and starts nothing where %s fails',
  async (name) => {
    const more = {
      [name]: () => {
        throw new Error('broken');
      },
    };
    const { status, items, logged } = await call(ONE, {}, { more });
    expect([status, items, logged]).toEqual([503, undefined, [expect.stringContaining('broken')]]);
  },
);

it.each<[options: IDataObject, message: string, stop: true | undefined]>([
  [{ stopWords: 'STOP, СТОП' }, 'стоп!', true],
  [{ stopWords: 'STOP, СТОП', splitReplies: false }, 'Stop', true],
  [{ stopWords: 'STOP' }, 'Do not stop', undefined],
  [{}, 'STOP', undefined],
])('marks replies that are a stop word, with %j: %s', async (options, message, stop) => {
  const replies = [{ datetime: '2026-01-01T00:00:00Z', message }];
  const { items } = await call(
    { ...ONE, type: 'viber', status: 'REPLIED', stop: true, replies },
    { options },
  );
  expect(items?.map((item) => item.stop)).toEqual([stop]);
});
