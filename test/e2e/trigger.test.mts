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
}, 30_000);

afterAll(async () => {
  await n8n.client.deactivate(listener);
  await sandbox?.close();
});

const started = async () => (await n8n.client.listExecutions(listener.id)).length;

it('starts its workflow for the callback of a message that this node sent, with typed fields', async () => {
  const credential = await n8n.client.createCredential('Trigger', CREDENTIAL_TYPE, credentialData(sandbox));
  const send = action('Send', credential, {
    resource: 'message',
    operation: 'sendSms',
    phone: '380501234567',
    smsMessage: 'Hello',
    smsSignature: { __rl: true, mode: 'name', value: 'TestSender' },
    options: { hook: `${n8n.url}/webhook/${PATH}` },
  });
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

it.each([
  ['no object', [1, 2]],
  ['no message named', { success: true, status: 'DELIVERED' }],
  ['success of a wrong type', { success: 'perhaps', id: '1' }],
  ['an empty list', []],
])('refuses %s with a 4xx that says why, and starts nothing', async (_, body) => {
  const before = await started();
  const response = await n8n.client.postWebhook(PATH, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/\w+ \w+/) });
  expect(await started()).toBe(before);
});

it('answers within a quarter of a second', async () => {
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    await n8n.client.postWebhook(PATH, { success: true, id: `${100 + i}`, type: 'sms', status: 'DELIVERED' });
    times.push(performance.now() - start);
  }
  expect(times.sort((a, b) => a - b)[10]).toBeLessThan(250);
});
