import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { credentialsFor, runNode } from '../support/engine.mts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import { previewGaps } from '../support/previews.mts';
import { senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const ITEMS = [
  { id: 1001, phone: '380501234561' },
  { id: '1002', phone: '+380 (50) 123-45-62' },
  { id: Number.MAX_SAFE_INTEGER, phone: 380501234563 },
];
const TARGETS = [
  { id: 1001, phone: 380501234561 },
  { id: 1002, phone: 380501234562 },
  { id: Number.MAX_SAFE_INTEGER, phone: 380501234563 },
];

/** Operations of the requests that the sandbox saw, in order. */
const sent = () => sandbox.requests.flatMap(({ body }) => (body as { data: unknown[] }).data);

const label = (one: (typeof OPERATION_CASES)[number]) =>
  `${one.resource} / ${one.operation} ${JSON.stringify(one.wire).slice(0, 70)}`;

const targetOf = (one: (typeof OPERATION_CASES)[number], item: number) =>
  one.target === 'none' ? {} : TARGETS[item];

describe.each(OPERATION_CASES.map((one) => [label(one), one] as const))('%s', (_, one) => {
  const { resource, operation, parameters } = one;

  it('sends exactly the fields of the contract, and gives the results in order, paired', async () => {
    const run = await runOn(sandbox, {
      parameters: { resource, operation, ...parameters },
      items: ITEMS,
    });
    expect(run.error).toBeUndefined();
    expect(sent()).toStrictEqual(ITEMS.map((__, item) => ({ ...one.wire, ...targetOf(one, item) })));
    expect(sandbox.counts().requests).toBe(1);
    expect(sandbox.requests[0].keyIn).toEqual(['body']);
    expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    run.json.forEach((json, item) => expect(json).toMatchObject({ ...one.output, ...targetOf(one, item) }));
    // The contract leaves open what the list of senders looks like; the node puts its own list beside it.
    const known = operation === 'getSenders' ? run.json.map(({ senders }) => ({ senders })) : run.json;
    expect(previewGaps(resource, operation, known)).toEqual([]);
  });
});

describe.each(
  OPERATION_CASES.filter(({ output }) => 'msg_id' in output).map((one) => [label(one), one] as const),
)('%s, queued', (_, { resource, operation, parameters, wire }) => {
  it('goes to the asynchronous endpoint and gives the request_id', async () => {
    const run = await runOn(sandbox, {
      parameters: { resource, operation, ...parameters, delivery: 'queued' },
      items: ITEMS,
    });
    expect(run.error).toBeUndefined();
    expect(sandbox.requests.map(({ endpoint }) => endpoint)).toEqual(['async']);
    expect(sent()).toStrictEqual(ITEMS.map((__, item) => ({ ...wire, ...TARGETS[item] })));
    const request_id = sandbox.requests[0].requestId;
    expect(run.json).toEqual(TARGETS.map((target) => ({ ...target, type: wire.type, request_id })));
    expect(previewGaps(resource, operation, run.json)).toEqual([]);
  });
});

it('has a case for every operation that is one operation object', () => {
  const name = (one: { resource: string; operation: string }) => `${one.resource}/${one.operation}`;
  // These need something that was made before, or choose their type by item; they have tests of their own.
  const others = [
    'message/getStatus',
    'smsTemplate/getAll',
    'viberTemplate/getAll',
    'otp/send',
    'otp/verify',
    // Asks no gateway; see numbers.test.mts.
    'number/check',
  ];
  const covered = new Set([...OPERATION_CASES.map(name), ...others]);
  expect([...covered].sort()).toEqual(
    OPERATIONS.filter(({ resource }) => !['assistant', 'approval'].includes(resource))
      .map(name)
      .sort(),
  );
});

it('message / getStatus asks for what was sent before', async () => {
  const [send] = OPERATION_CASES.filter(({ operation }) => operation === 'sendSms');
  const credentials = credentialsFor(sandbox);
  const first = await runNode({
    parameters: { resource: 'message', operation: 'sendSms', ...send.parameters },
    items: ITEMS,
    credentials,
  });
  await sandbox.settled();
  const run = await runNode({
    parameters: { resource: 'message', operation: 'getStatus', messageId: '={{ $json.id }}' },
    items: first.json,
    credentials,
  });
  expect(sent().slice(ITEMS.length)).toStrictEqual(TARGETS.map(({ id }) => ({ type: 'status', id })));
  expect(run.json).toEqual(
    TARGETS.map(({ id }) =>
      expect.objectContaining({
        id,
        status: 'DELIVERED',
        outcome: 'delivered',
        final: true,
        success: true,
        arrived: true,
      }),
    ),
  );
  expect(previewGaps('message', 'getStatus', run.json)).toEqual([]);
});

describe.each([
  ['smsTemplate', 'template/list', 'template/create', 'template/delete'],
  ['viberTemplate', 'template/viber/list', 'template/viber/create', 'template/viber/delete'],
])('%s', (resource, listType, createType, deleteType) => {
  it('lists what was created, within the limit, and deletes it', async () => {
    const credentials = credentialsFor(sandbox);
    const texts = ['one', 'two', 'three'].map((template) => ({ template }));
    const template = '={{ $json.template }}';
    await runNode({ parameters: { resource, operation: 'create', template }, items: texts, credentials });
    const all = await runNode({
      parameters: { resource, operation: 'getAll', returnAll: true },
      credentials,
    });
    const two = await runNode({ parameters: { resource, operation: 'getAll', limit: 2 }, credentials });
    expect(all.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
    expect(all.json.map(({ id }) => typeof id)).toEqual(['number', 'number', 'number']);
    expect(two.json).toEqual(all.json.slice(0, 2));
    expect(previewGaps(resource, 'getAll', all.json)).toEqual([]);
    const templateId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
    const gone = await runNode({
      parameters: { resource, operation: 'delete', templateId },
      items: all.json,
      credentials,
    });
    expect(gone.json).toEqual(texts.map(() => expect.objectContaining({ deleted: true, count: 1 })));
    const none = await runNode({
      parameters: { resource, operation: 'getAll', returnAll: true },
      credentials,
    });
    expect(none.json).toEqual([]);
    const types = (sent() as Array<{ type: string }>).map(({ type }) => type);
    expect(types).toEqual([
      ...texts.map(() => createType),
      listType,
      listType,
      ...texts.map(() => deleteType),
      listType,
    ]);
  });
});

it('makes an id for each message that has none', async () => {
  const parameters = smsForm({ smsSignature: { ...senderNamed(), mode: 'list' } });
  const run = await runOn(sandbox, { parameters, items: ITEMS });
  const ids = run.json.map(({ id }) => id as number);
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
  expect(sent()).toEqual(ids.map((id) => expect.objectContaining({ id })));
});
