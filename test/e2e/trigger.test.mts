/** The trigger in a real n8n: what starts nothing, and when it answers. What starts is in the core checks. */
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { TRIGGER } from '../support/real-n8n.mts';

const host = e2eHost();

const WEBHOOK_ID = '7d0f5f4e-6d0c-4c8e-9d0a-1f2e3d4c5b6a';
const PATH = `${WEBHOOK_ID}/callback`;

it('acknowledges what was not chosen and starts nothing, and answers while the workflow that it starts is still at work', async () => {
  const parameters = { outcomes: ['delivered', 'failed', 'read', 'replied'], channels: ['sms', 'viber'] };
  const work = { amount: 20, unit: 'seconds' };
  const { id: workflowId } = await host.publish(
    chainOf('Slow', [
      // Of version 1, as whoever writes a workflow by hand may have it: n8n runs the one that there is.
      { name: 'Callback', type: TRIGGER, typeVersion: 1, webhookId: WEBHOOK_ID, parameters },
      { name: 'Long Work', type: 'n8n-nodes-base.wait', parameters: work, webhookId: 'w' },
    ]),
  );
  for (const ignored of [
    { success: false, id: '1', type: 'sms', status: 'QUEUED' },
    { success: true, id: '1', type: 'voice', status: 'DELIVERED' },
  ]) {
    expect((await host.client.postWebhook(PATH, ignored)).status).toBe(200);
    expect(await host.client.listExecutions(workflowId)).toEqual([]);
  }
  const callback = { success: true, id: '77', type: 'sms', status: 'DELIVERED' };
  const response = await host.client.postWebhook(PATH, callback);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  const [{ id, status }] = await host.client.listExecutions(workflowId);
  expect(['new', 'running', 'waiting']).toContain(status);
  await host.client.call('POST', `/executions/${id}/stop`, {});
});
