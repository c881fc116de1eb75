/** "Callback to This Workflow" in a real n8n: nobody copies the trigger's URL. */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { e2eHost } from '../support/e2e-host.mts';
import { action, TRIGGER } from '../support/real-n8n.mts';
import { grouped, smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { outcomes: { afterMs: 20 } } });

const SMS = smsForm({ phone: '380501234567' });

/** A workflow with a webhook and a start by hand that send, and the trigger that hears of it. */
async function create(send: IDataObject, outcomes: string[], options: IDataObject) {
  const path = randomUUID();
  const triggerId = randomUUID();
  const sending = action('Send', host.credential, { options: grouped({ hookFromTrigger: true }), ...send });
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
      typeVersion: 1.1,
      webhookId: triggerId,
      parameters: { outcomes, options },
    },
    sending,
  ].map((node, i) => ({ ...node, id: `n${i}`, typeVersion: node.typeVersion ?? 1, position: [i * 200, 0] }));
  const toSend = { main: [[{ node: 'Send', type: 'main', index: 0 }]] };
  const workflow = await host.client.createWorkflow({
    name: 'Callback to this workflow',
    nodes,
    connections: { Start: toSend, Webhook: toSend },
  });
  const triggerPath = `${triggerId}/callback`;
  return { workflow, path, triggerPath };
}

/** Executions that the trigger started, once there are so many executions of the workflow. */
async function heard(workflowId: string, executions: number): Promise<IDataObject[]> {
  const all = await host.client.waitForExecutions(workflowId, executions);
  return all.flatMap((execution) => execution.json('Callback') as IDataObject[]);
}

it.each(['a webhook', 'the editor'])(
  'sends callbacks to the trigger of the same workflow, started by %s',
  async (from) => {
    const { workflow, path } = await create(SMS, ['delivered'], { secret: 'Gr8 Secret&' });
    await host.publish(workflow);
    if (from === 'a webhook') expect((await host.client.postWebhook(path, {})).status).toBe(200);
    else {
      const sent = await host.client.waitForExecution(await host.client.runManually(workflow.id, 'Start'));
      expect([sent.status, sent.failure()]).toEqual(['success', '']);
    }
    await host.sandbox.settled();
    const message = host.sandbox.messages.list().at(-1);
    expect(await heard(workflow.id, 2)).toEqual([
      expect.objectContaining({ id: message?.id, outcome: 'delivered', final: true }),
    ]);
  },
);

describe('several triggers in one workflow', () => {
  type Published = Awaited<ReturnType<typeof createTwo>>;

  async function createTwo() {
    const { workflow, path, triggerPath } = await create(SMS, ['delivered'], { secret: 'of-A' });
    const { id } = workflow;
    const saved = await host.client.call<{ nodes: IDataObject[]; connections: IDataObject }>(
      'GET',
      `/workflows/${id}`,
    );
    const webhookId = randomUUID();
    const parameters = { outcomes: ['delivered'], options: {} };
    const second = { id: 'second', name: 'Second', type: TRIGGER, typeVersion: 1.1, webhookId, parameters };
    const nodes = [...saved.nodes, { ...second, position: [0, 400] }] as IDataObject[];
    const triggers = { Callback: triggerPath, Second: `${webhookId}/callback` };
    return { id, nodes, connections: saved.connections, path, triggers };
  }

  /** Saves the nodes and publishes them; n8n then registers only what has changed. */
  async function republish({ id, nodes, connections }: Published): Promise<void> {
    const saved = { nodes, connections, settings: {} };
    const { versionId } = await host.client.call<{ versionId: string }>('PATCH', `/workflows/${id}`, saved);
    const { publication } = await host.publish({ id, versionId });
    expect(publication).toMatchObject({ status: 'published' });
  }

  const named = (workflow: Published, name: string) => workflow.nodes.find((node) => node.name === name);
  /** Hooks of the messages that one more run sends; the words of its failure where it sends none. */
  async function hookOf({ id }: Published): Promise<string> {
    const before = host.sandbox.messages.accepted;
    const run = await host.client.waitForExecution(await host.client.runManually(id, 'Start'));
    if (host.sandbox.messages.accepted === before) return run.failure();
    return lastHook();
  }
  const lastHook = () => String(host.sandbox.messages.list().at(-1)?.operation.hook).split(/[?&]seal=/)[0];
  const SEVERAL = '2 Messaging Gateway Triggers';

  it('sends nothing while it is unclear which of them is meant, and to the only one again once it is clear', async () => {
    const both = await createTwo();
    await republish(both);
    expect(await hookOf(both)).toContain(SEVERAL);
    const withoutFirst = { ...both, nodes: both.nodes.filter(({ name }) => name !== 'Callback') };
    await republish(withoutFirst);
    expect(await hookOf(withoutFirst)).toBe(`${host.url}/webhook/${both.triggers.Second}`);
    const withoutSecond = { ...both, nodes: both.nodes.filter(({ name }) => name !== 'Second') };
    await republish(withoutSecond);
    expect(await hookOf(withoutSecond)).toBe(`${host.url}/webhook/${both.triggers.Callback}?secret=of-A`);
    named(withoutSecond, 'Callback')!.parameters = { outcomes: ['delivered'], options: { secret: 'anew' } };
    await republish(withoutSecond);
    expect(await hookOf(withoutSecond)).toBe(`${host.url}/webhook/${both.triggers.Callback}?secret=anew`);
    expect((await host.client.postWebhook(both.path, {})).status).toBe(200);
    expect(lastHook()).toMatch(/\?secret=anew$/);
  });
});
