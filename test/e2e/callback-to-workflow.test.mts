/** The option "Callback to This Workflow" in a real n8n: nobody copies the trigger's URL. */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { action, credentialData, CREDENTIAL_TYPE, realN8n, TRIGGER } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { untilPublished } from '../support/publication.mts';
import { senderNamed, smsForm } from '../support/sends.mts';

let sandbox: Sandbox;
let n8n: RealN8n;
const open: Array<{ id: string }> = [];

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 20 } } });
  n8n = await realN8n();
});
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
    {
      name: 'Callback',
      type: TRIGGER,
      typeVersion: 1,
      webhookId: triggerId,
      parameters: { outcomes, options },
    },
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
});

it('sends nothing while the workflow is not published', async () => {
  const accepted = sandbox.messages.accepted;
  const { workflow } = await create(SMS, ['delivered'], {});
  const execution = await n8n.client.waitForExecution(await n8n.client.runManually(workflow.id, 'Start'));
  expect(execution.status).toBe('error');
  expect(execution.failure()).toContain('no published Messaging Gateway Trigger');
  expect(sandbox.messages.accepted).toBe(accepted);
});

describe('several triggers in one workflow', () => {
  interface Published {
    id: string;
    nodes: IDataObject[];
    connections: IDataObject;
    path: string;
    /** Path of the trigger's webhook, by its name. */
    triggers: Record<string, string>;
  }

  async function createTwo(): Promise<Published> {
    const created = await create(SMS, ['delivered'], { secret: 'of-A' });
    const { nodes, connections } = await n8n.client.call<{ nodes: IDataObject[]; connections: IDataObject }>(
      'GET',
      `/workflows/${created.workflow.id}`,
    );
    const webhookId = randomUUID();
    const second = {
      id: 'second',
      name: 'Second',
      type: TRIGGER,
      typeVersion: 1,
      position: [0, 400],
      webhookId,
      parameters: { outcomes: ['delivered'], options: {} },
    };
    return {
      id: created.workflow.id,
      nodes: [...nodes, second],
      connections,
      path: created.path,
      triggers: { Callback: created.triggerPath, Second: `${webhookId}/callback` },
    };
  }

  /** Saves the nodes and publishes them; n8n then registers only what has changed. */
  async function republish(workflow: Published): Promise<void> {
    const { id, nodes, connections } = workflow;
    const { versionId } = await n8n.client.call<{ versionId: string }>('PATCH', `/workflows/${id}`, {
      nodes,
      connections,
      settings: {},
    });
    await n8n.client.activate({ id, versionId });
    if (!open.some((one) => one.id === id)) open.push({ id });
    expect(await untilPublished(n8n.client, id)).toMatchObject({ status: 'published' });
  }

  const named = (workflow: Published, name: string) => workflow.nodes.find((node) => node.name === name);
  /** Hooks of the messages that one more run sends; the words of its failure where it sends none. */
  async function hookOf({ id }: Published): Promise<string> {
    const before = sandbox.messages.accepted;
    const run = await n8n.client.waitForExecution(await n8n.client.runManually(id, 'Start'));
    if (sandbox.messages.accepted === before) return run.failure();
    return String(sandbox.messages.list().at(-1)?.operation.hook);
  }
  const SEVERAL = '2 published Messaging Gateway Triggers';

  it('sends nothing while it is unclear which of them is meant, and to the only one again once it is clear', async () => {
    const both = await createTwo();
    await republish(both);
    expect(await hookOf(both)).toContain(SEVERAL);
    // Editing one of them leaves the other alone.
    named(both, 'Second')!.parameters = { outcomes: ['delivered'], options: { secret: 'of-B' } };
    await republish(both);
    expect(await hookOf(both)).toContain(SEVERAL);
    const withoutFirst = { ...both, nodes: both.nodes.filter(({ name }) => name !== 'Callback') };
    await republish(withoutFirst);
    expect(await hookOf(withoutFirst)).toBe(`${n8n.url}/webhook/${both.triggers.Second}?secret=of-B`);
    const withoutSecond = { ...both, nodes: both.nodes.filter(({ name }) => name !== 'Second') };
    await republish(withoutSecond);
    expect(await hookOf(withoutSecond)).toBe(`${n8n.url}/webhook/${both.triggers.Callback}?secret=of-A`);
    named(withoutSecond, 'Callback')!.parameters = { outcomes: ['delivered'], options: { secret: 'anew' } };
    await republish(withoutSecond);
    expect(await hookOf(withoutSecond)).toBe(`${n8n.url}/webhook/${both.triggers.Callback}?secret=anew`);
    // A run of a production webhook has the static data alone to go by.
    expect((await n8n.client.postWebhook(both.path, {})).status).toBe(200);
    expect(sandbox.messages.list().at(-1)?.operation.hook).toMatch(/\?secret=anew$/);
    await n8n.client.deactivate({ id: both.id });
    await untilPublished(n8n.client, both.id);
    expect(await hookOf(withoutSecond)).toContain('no published Messaging Gateway Trigger');
  });
});
