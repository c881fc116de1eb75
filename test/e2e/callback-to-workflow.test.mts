/** The option "Callback to This Workflow" in a real n8n: nobody copies the trigger's URL. */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { action, credentialData, CREDENTIAL_TYPE, realN8n, TRIGGER } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { senderNamed, smsForm } from '../support/sends.mts';

let sandbox: Sandbox;
let n8n: RealN8n;
const open: Array<{ id: string }> = [];

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 20 } } });
  n8n = await realN8n();
}, 30_000);
afterAll(async () => {
  for (const workflow of open) await n8n.client.deactivate(workflow);
  await sandbox?.close();
});

const SMS = smsForm({ phone: '380501234567' });

/** A workflow with a webhook and a start by hand that send, and the trigger that hears of it. */
async function create(send: IDataObject, outcomes: string[], options: IDataObject) {
  const credential = await n8n.client.createCredential('Callback', CREDENTIAL_TYPE, credentialData(sandbox));
  const path = randomUUID();
  const triggerId = randomUUID();
  const sending = action('Send', credential, { options: { hookFromTrigger: true }, ...send });
  const nodes = [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: path,
      parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
    },
    { name: 'Callback', type: TRIGGER, typeVersion: 1, webhookId: triggerId, parameters: { outcomes, options } },
    sending,
  ].map((node, i) => ({ ...node, id: `n${i}`, typeVersion: node.typeVersion ?? 1, position: [i * 200, 0] }));
  const toSend = { main: [[{ node: 'Send', type: 'main', index: 0 }]] };
  const workflow = await n8n.client.createWorkflow({
    name: 'Callback to this workflow',
    nodes,
    connections: { Start: toSend, Webhook: toSend },
  });
  const triggerPath = `${triggerId}/callback`;
  return { workflow, path, triggerPath };
}

/** Publishes the workflow; n8n activates its trigger a moment later. */
async function publish({ workflow, triggerPath }: Awaited<ReturnType<typeof create>>): Promise<void> {
  await n8n.client.activate(workflow);
  open.push(workflow);
  // No callback, so it starts nothing.
  await n8n.client.postWebhook(triggerPath, {});
}

/** Executions that the trigger started, once there are so many executions of the workflow. */
async function heard(workflowId: string, executions: number): Promise<IDataObject[]> {
  const all = await n8n.client.waitForExecutions(workflowId, executions);
  return all.flatMap((execution) => execution.json('Callback') as IDataObject[]);
}

it.each(['a webhook', 'the editor'])(
  'sends callbacks to the trigger of the same workflow, started by %s',
  async (from) => {
    const created = await create(SMS, ['delivered'], { secret: 'Gr8 Secret&' });
    const { workflow, path } = created;
    await publish(created);
    if (from === 'a webhook') expect((await n8n.client.postWebhook(path, {})).status).toBe(200);
    else {
      const sent = await n8n.client.waitForExecution(await n8n.client.runManually(workflow.id, 'Start'));
      expect([sent.status, sent.failure()]).toEqual(['success', '']);
    }
    await sandbox.settled();
    const message = sandbox.messages.list().at(-1);
    expect(await heard(workflow.id, 2)).toEqual([
      expect.objectContaining({ id: message?.id, outcome: 'delivered', final: true }),
    ]);
  },
  40_000,
);

it('knows that the failure of a first channel is not the end of a fallback send', async () => {
  sandbox.configure({
    outcomes: {
      fallback: {
        steps: [
          { status: 'EXPIRED', type: 'viber', error: 'Not on Viber', afterMs: 20 },
          { status: 'DELIVERED', type: 'sms', afterMs: 300 },
        ],
      },
    },
  });
  const viber = { viberType: 'text', viberMessage: 'Hello', viberSignature: senderNamed('ViberSender') };
  const fallback = { ...SMS, operation: 'sendViberSms', ...viber };
  const created = await create(fallback, ['delivered', 'failed', 'pending'], {});
  const { workflow, path } = created;
  await publish(created);
  await n8n.client.postWebhook(path, {});
  await sandbox.settled();
  const events = await heard(workflow.id, 3);
  expect(events.map(({ type, outcome, final }) => [type, outcome, final]).sort()).toEqual([
    ['sms', 'delivered', true],
    ['viber', 'pending', false],
  ]);
}, 40_000);

it('sends nothing while the workflow is not published', async () => {
  const accepted = sandbox.messages.accepted;
  const { workflow } = await create(SMS, ['delivered'], {});
  const execution = await n8n.client.waitForExecution(await n8n.client.runManually(workflow.id, 'Start'));
  expect(execution.status).toBe('error');
  expect(execution.failure()).toContain('no published Messaging Gateway Trigger');
  expect(sandbox.messages.accepted).toBe(accepted);
}, 40_000);
