import { parse as parseQuery } from 'node:querystring';

import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { receive } from '../../../nodes/MessagingGatewayTrigger/receive.ts';

let serial = 0;

/** Calls the trigger as n8n does. Returns the HTTP status of the answer and the items that the workflow starts with. */
async function call(
  body: unknown,
  parameters: IDataObject = {},
  {
    mode = 'webhook',
    rawBody,
    nodeId = `n${++serial}`,
    query = '',
  }: { mode?: string; rawBody?: Buffer; nodeId?: string; query?: string } = {},
) {
  const answered: Array<{ status: number; body: unknown }> = [];
  const all: IDataObject = {
    outcomes: ['delivered', 'failed', 'read', 'replied'],
    channels: [],
    options: {},
    ...parameters,
  };
  const context = {
    getBodyData: () => body,
    getMode: () => mode,
    getNode: () => ({ id: nodeId, name: 'Trigger' }),
    getNodeParameter: (name: string) => all[name],
    getQueryData: () => parseQuery(query),
    getRequestObject: () => ({ ip: '192.0.2.1', ips: [], rawBody }),
    getResponseObject: () => ({
      status: (status: number) => ({ json: (sent: unknown) => answered.push({ status, body: sent }) }),
    }),
    getWorkflow: () => ({ id: 'w' }),
    getWorkflowStaticData: () => ({}),
  } as unknown as IWebhookFunctions;
  const { workflowData, webhookResponse, noWebhookResponse } = await receive(context);
  // Exactly one answer, from n8n or from the node.
  expect(answered).toHaveLength(noWebhookResponse ? 1 : 0);
  const { status } = answered[0] ?? { status: webhookResponse === undefined ? 0 : 200 };
  return { status, items: workflowData?.[0].map(({ json }) => json) };
}

const ONE = { success: true, id: 1, msg_id: 2, type: 'sms', status: 'DELIVERED' };

it('starts with one item for each event that is wanted', async () => {
  const { items } = await call([ONE, { ...ONE, status: 'QUEUED' }, { ...ONE, id: 3, status: 'READ' }]);
  expect(items).toEqual([
    { ...ONE, outcome: 'delivered', final: true },
    { ...ONE, id: 3, status: 'READ', outcome: 'read', final: true },
  ]);
});

it.each([
  ['', 'sms', 'failed', true],
  ['sent_as=viber%2Bsms', 'viber', 'pending', false],
  ['sent_as=viber+sms', 'viber', 'pending', false],
  ['sent_as=viber%2Bsms', 'sms', 'failed', true],
  ['sent_as=sms', 'sms', 'failed', true],
  ['sent_as=viber%2Bsms&sent_as=sms', 'viber', 'failed', true],
  ['sent_as=pipeline', 'viber', 'failed', true],
  ['sent_as=balance', 'viber', 'failed', true],
  ['sent_as=viber', 'sms', 'failed', true],
  ['sent_as=pigeon%2Bsms', 'viber', 'failed', true],
  ['sent_as=constructor', 'viber', 'failed', true],
  ['sent_as=__proto__', 'viber', 'failed', true],
  ['sent_as=toString', 'viber', 'failed', true],
])('with the query "%s" a failure on %s is %s', async (query, type, outcome, final) => {
  const body = { ...ONE, success: false, type, status: 'EXPIRED' };
  const { items } = await call(body, { outcomes: ['failed', 'pending'] }, { query });
  expect(items).toEqual([{ ...body, outcome, final }]);
});

it.each([
  [['sms'], 'sms', true],
  [['sms'], 'SMS', true],
  [['sms'], 'viber', false],
  [['viber'], 'viber+sms', true],
  [[], 'pigeon', true],
  [['telegram'], undefined, true],
  [['sms'], undefined, false],
])('of the channels %j a callback about %s starts: %p', async (channels, type, starts) => {
  const { status, items } = await call({ ...ONE, type }, { channels });
  expect([status, items !== undefined]).toEqual([200, starts]);
});

it.each([
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['replied', 'REPLIED'],
  ['failed', 'EXPIRED'],
  ['pending', 'ROUTING'],
  ['pending', 'UNKNOWN'],
])('the outcome %s alone lets %s start', async (outcome, status) => {
  const body = { ...ONE, success: false, status };
  expect((await call(body, { outcomes: [outcome] })).items).toHaveLength(1);
  const others = ['delivered', 'read', 'replied', 'failed', 'pending'].filter((other) => other !== outcome);
  expect(await call(body, { outcomes: others })).toEqual({ status: 200, items: undefined });
});

it('reads a body that came without a content type', async () => {
  const rawBody = Buffer.from(JSON.stringify(ONE));
  for (const body of [undefined, {}]) expect((await call(body, {}, { rawBody })).items).toHaveLength(1);
  expect((await call({}, {}, { rawBody: Buffer.from([0xff, 0xfe]) })).status).toBe(400);
});

it('reads forms', async () => {
  expect((await call(parseQuery('success=1&id=1&status=DELIVERED'))).items).toEqual([
    { success: true, id: 1, status: 'DELIVERED', outcome: 'delivered', final: true },
  ]);
});

describe('with duplicates removed', () => {
  const options = { options: { removeDuplicates: true } };

  it('starts once', async () => {
    const nodeId = 'same';
    expect((await call(ONE, options, { nodeId })).items).toHaveLength(1);
    expect(await call(ONE, options, { nodeId })).toEqual({ status: 200, items: undefined });
    expect((await call(ONE, options, { nodeId: 'another' })).items).toHaveLength(1);
  });

  it('remembers only what it started for', async () => {
    const nodeId = 'selective';
    await call({ ...ONE, status: 'READ' }, { ...options, outcomes: ['delivered'] }, { nodeId });
    expect((await call(ONE, { ...options, outcomes: ['delivered'] }, { nodeId })).items).toHaveLength(1);
  });

  it('starts for each test', async () => {
    const test = { mode: 'manual', nodeId: 'test' };
    expect((await call(ONE, options, test)).items).toHaveLength(1);
    expect((await call(ONE, options, test)).items).toHaveLength(1);
  });
});
