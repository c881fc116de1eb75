/** What each operation sends and gives. How n8n reads a form is in item-reader.test.mts. */
import type { IDataObject } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import type { NodeSettings } from '../support/engine.mts';
import { previewGaps } from '../support/previews.mts';
import { smsForm } from '../support/sends.mts';
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

const run = async (parameters: IDataObject, items: IDataObject[] = ITEMS, settings: NodeSettings = {}) =>
  await runOn(sandbox, { parameters, items, ...settings });

/** Operations of the requests that the sandbox saw, in order. */
const sent = () => sandbox.requests.flatMap(({ body }) => (body as { data: unknown[] }).data);

const label = (one: (typeof OPERATION_CASES)[number]) =>
  `${one.resource} / ${one.operation} ${JSON.stringify(one.wire).slice(0, 70)}`;

const targetOf = (one: (typeof OPERATION_CASES)[number], item: number) =>
  one.target === 'none' ? {} : TARGETS[item];

it.each(OPERATION_CASES.map((one) => [label(one), one] as const))(
  '%s sends exactly the fields of the contract, and gives the results in order, paired',
  async (_, one) => {
    const { resource, operation, parameters } = one;
    // Rows of the same template are one (repeated-messages.test.mts).
    const rows = operation === 'create' ? ITEMS.slice(0, 1) : ITEMS;
    // There is no template to delete, and the row says so.
    const settings: NodeSettings = operation === 'delete' ? { onError: 'continueRegularOutput' } : {};
    const { error, json, items } = await run({ resource, operation, ...parameters }, rows, settings);
    expect(error).toBeUndefined();
    expect(sent()).toStrictEqual(rows.map((__, item) => ({ ...one.wire, ...targetOf(one, item) })));
    expect(sandbox.counts().requests).toBe(1);
    expect(sandbox.requests[0].keyIn).toEqual(['body']);
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((__, item) => ({ item })));
    json.forEach((row, item) => expect(row).toMatchObject({ ...one.output, ...targetOf(one, item) }));
    // The contract leaves open what the list of senders looks like; the node puts its own list beside it.
    const known = operation === 'getSenders' ? json.map(({ senders }) => ({ senders })) : json;
    if (operation !== 'delete') expect(previewGaps(resource, operation, known)).toEqual([]);
  },
);

describe.each(
  OPERATION_CASES.filter(({ output }) => 'msg_id' in output).map((one) => [label(one), one] as const),
)('%s, queued,', (_, { resource, operation, parameters, wire }) => {
  const options = { ...(parameters.options as IDataObject), delivery: 'queued' };
  const form = { resource, operation, ...parameters, options };
  const operations = TARGETS.map((target) => ({ ...wire, ...target }));

  it('goes to the asynchronous endpoint and gives the request_id', async () => {
    const { error, json } = await run(form);
    expect(error).toBeUndefined();
    expect(sandbox.requests.map(({ endpoint }) => endpoint)).toEqual(['async']);
    expect(sent()).toStrictEqual(operations);
    const request_id = sandbox.requests[0].requestId;
    expect(json).toEqual(
      TARGETS.map((target) => ({ result: 'queued', ...target, type: wire.type, request_id })),
    );
    expect(previewGaps(resource, operation, json)).toEqual([]);
  });

  it('comes out as it would be sent with Check Only, and is not sent', async () => {
    const { json } = await run({ ...form, options: { ...options, checkOnly: true } });
    expect(sandbox.counts().requests).toBe(0);
    expect(json.map((row) => row.operation)).toStrictEqual(operations);
    json.forEach((row, item) => {
      expect(row).toMatchObject({ ...TARGETS[item], type: wire.type, result: 'checked' });
      expect('parts' in row).toBe('sms_message' in wire || 'sms' in wire);
    });
  });
});

it('has a case in test/support/operation-cases.mts for every operation that is one operation object', () => {
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
  const first = await run(smsForm({ options: { messageId: '={{ $json.id }}' } }));
  await sandbox.settled();
  const form = { resource: 'message', operation: 'getStatus', messageId: '={{ $json.id }}' };
  const { json } = await run(form, first.json);
  expect(sent().slice(ITEMS.length)).toStrictEqual(TARGETS.map(({ id }) => ({ type: 'status', id })));
  const delivered = { status: 'DELIVERED', outcome: 'delivered', final: true, success: true, arrived: true };
  expect(json).toEqual(TARGETS.map(({ id }) => expect.objectContaining({ id, ...delivered })));
  expect(previewGaps('message', 'getStatus', json)).toEqual([]);
});

it.each([
  ['smsTemplate', 'template/list', 'template/create', 'template/delete'],
  ['viberTemplate', 'template/viber/list', 'template/viber/create', 'template/viber/delete'],
])(
  '%s lists what was created, within the limit, and deletes it',
  async (resource, listType, createType, deleteType) => {
    const texts = ['one', 'two', 'three'].map((template) => ({ template }));
    await run({ resource, operation: 'create', template: '={{ $json.template }}' }, texts);
    const list = async (more: IDataObject) => await run({ resource, operation: 'getAll', ...more }, [{}]);
    const all = await list({ returnAll: true });
    expect(all.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
    expect(all.json.map(({ id }) => typeof id)).toEqual(['number', 'number', 'number']);
    expect((await list({ limit: 2 })).json).toEqual(all.json.slice(0, 2));
    expect((await list({ limit: '={{ 0 }}' })).error?.message).toContain("'Limit' must be a whole number");
    expect(previewGaps(resource, 'getAll', all.json)).toEqual([]);
    const templateId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
    const gone = await run({ resource, operation: 'delete', templateId }, all.json);
    expect(gone.json).toEqual(texts.map(() => expect.objectContaining({ deleted: true, count: 1 })));
    expect(previewGaps(resource, 'delete', gone.json)).toEqual([]);
    const again = await run({ resource, operation: 'delete', templateId }, all.json.slice(0, 1));
    expect(again.error).toMatchObject({
      message: 'The gateway has no such template',
      description: expect.stringMatching(
        /^Nothing was deleted\. Choose the template from the list of 'Template'/,
      ),
    });
    expect((await list({ returnAll: true })).json).toEqual([]);
    const creates = texts.map(() => createType);
    const deletes = [...texts, 'again'].map(() => deleteType);
    const types = (sent() as Array<{ type: string }>).map(({ type }) => type);
    expect(types).toEqual([...creates, listType, listType, ...deletes, listType]);
  },
);
