import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  START,
  TRIGGER,
  workflow,
} from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

let sandbox: Sandbox;
let n8n: RealN8n;
let listener: { id: string; versionId: string };

const WEBHOOK_ID = '7d0f5f4e-6d0c-4c8e-9d0a-1f2e3d4c5b6a';
const PATH = `${WEBHOOK_ID}/callback`;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 20 } } });
  n8n = await realN8n();
  listener = await n8n.client.createWorkflow({
    name: 'Listener',
    nodes: [
      {
        id: 't',
        name: 'Callback',
        type: TRIGGER,
        typeVersion: 1,
        position: [0, 0],
        webhookId: WEBHOOK_ID,
        parameters: { outcomes: ['delivered', 'failed', 'read', 'replied'], channels: ['sms', 'viber'] },
      },
    ],
    connections: {},
  });
  await n8n.client.activate(listener);
  // The probe is no callback, so it starts nothing.
  expect((await n8n.client.postWebhook(PATH, {})).status).toBe(400);
});

afterAll(async () => {
  await n8n.client.deactivate(listener);
  await sandbox?.close();
});

const started = async () => (await n8n.client.listExecutions(listener.id)).length;

it('starts its workflow for the callback of a message that this node sent, with typed fields', async () => {
  const credential = await n8n.client.createCredential('Trigger', CREDENTIAL_TYPE, credentialData(sandbox));
  const send = action(
    'Send',
    credential,
    smsForm({ phone: '380501234567', options: { hook: `${n8n.url}/webhook/${PATH}` } }),
  );
  const sent = (await n8n.client.runToEnd(workflow([send]), START)).items('Send')[0].json;
  await sandbox.settled();
  const [{ id }] = await n8n.client.waitForExecutions(listener.id, 1);
  const { items, status } = await n8n.client.waitForExecution(id);
  expect(status).toBe('success');
  expect(items('Callback')).toEqual([
    {
      json: expect.objectContaining({
        id: sent.id,
        msg_id: sent.msg_id,
        success: true,
        type: 'sms',
        status: 'DELIVERED',
        outcome: 'delivered',
        final: true,
      }),
      pairedItem: expect.anything(),
    },
  ]);
});

it.each([
  ['a pending status', { success: false, id: '1', type: 'sms', status: 'QUEUED' }],
  ['another channel', { success: true, id: '1', type: 'voice', status: 'DELIVERED' }],
])('acknowledges %s and starts nothing', async (_, body) => {
  const before = await started();
  expect((await n8n.client.postWebhook(PATH, body)).status).toBe(200);
  expect(await started()).toBe(before);
});

it('answers while the workflow that it starts is still at work', async () => {
  const webhookId = '7d0f5f4e-6d0c-4c8e-9d0a-000000000002';
  const nodes = [
    { name: 'Callback', type: TRIGGER, webhookId, parameters: {} },
    { name: 'Long Work', type: 'n8n-nodes-base.wait', parameters: { amount: 20, unit: 'seconds' }, webhookId: 'w' },
  ];
  const slow = await n8n.client.createWorkflow({
    name: 'Slow',
    nodes: nodes.map((node, i) => ({ id: `n${i}`, typeVersion: 1, position: [i * 200, 0], ...node })),
    connections: { Callback: { main: [[{ node: 'Long Work', type: 'main', index: 0 }]] } },
  });
  await n8n.client.activate(slow);
  const path = `${webhookId}/callback`;
  expect((await n8n.client.postWebhook(path, {})).status).toBe(400);
  const callback = { success: true, id: '77', type: 'sms', status: 'DELIVERED' };
  const response = await n8n.client.postWebhook(path, callback);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  const [{ id, status }] = await n8n.client.listExecutions(slow.id);
  expect(['new', 'running', 'waiting']).toContain(status);
  await n8n.client.deactivate(slow);
  await n8n.client.call('POST', `/executions/${id}/stop`, {});
});
