/** A delivery report "To This Workflow" in a real n8n: nobody copies the trigger's URL. */
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
      webhookId: randomUUID(),
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
  return { workflow, path };
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
