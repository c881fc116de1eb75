/** n8n's own Retry of an execution that failed while it sent, and a wait whose execution a user ends. */
import type { IDataObject } from 'n8n-workflow';

import { e2eHost } from '../support/e2e-host.mts';
import { recipients } from '../support/fates.mts';
import { action, rows, START, workflow } from '../support/real-n8n.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { postJson } from '../support/web-server.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

beforeEach(() => host.sandbox.reset());

const ROWS = 40;

const sendAll = async (parameters: IDataObject, count = ROWS) => {
  const send = action('Send', host.credential, smsForm(parameters));
  return await host.client.runToEnd(workflow([rows('Rows', recipients(count)), send]), START);
};

/** Presses Retry in n8n's list of executions; returns the new execution. */
async function retry(id: string) {
  const { id: next } = await host.client.call<{ id: string }>('POST', `/executions/${id}/retry`, {
    loadWorkflow: false,
  });
  return await host.client.waitForExecution(next);
}

it('Retry of a failed execution sends what was not sent, and a second Retry of the same one sends nothing twice', async () => {
  host.sandbox.faults.add({ kind: 'refuse', error: 'Access denied', after: 1, times: 1 });
  const failed = await sendAll({ options: grouped({ batchSize: 10 }) });
  expect([failed.status, host.sandbox.counts().accepted]).toEqual(['error', 10]);
  for (const _ of ['first', 'second']) {
    const retried = await retry(failed.id);
    expect([retried.failure(), retried.items('Send').length]).toEqual(['', ROWS]);
    expect(host.sandbox.counts()).toMatchObject({ accepted: ROWS, distinctIds: ROWS, doubledIds: 0 });
  }
});

it.each(['stopped', 'deleted'])(
  'n8n says of a wait whose execution was %s that it is over, and Retry says why the outcome is unknown',
  async (way) => {
    const execution = await sendAll({ waitForDelivery: true, waitAmount: 60 }, 1);
    expect(execution.status).toBe('waiting');
    const [{ operation }] = host.sandbox.messages.list();
    const path = `/executions/${execution.id}`;
    if (way === 'stopped') await host.client.call('POST', `${path}/stop`);
    else await host.client.call('POST', '/executions/delete', { ids: [execution.id] });
    const answer = await postJson(String(operation.hook), { wake: 'any' });
    const { code } = (await answer.json()) as { code?: number };
    expect([answer.status, code]).toEqual(way === 'stopped' ? [409, 409] : [404, 404]);
    if (way === 'deleted') return;
    // n8n goes on with the rows as they fell asleep, and runs none of the node's code.
    const reason = expect.stringContaining('a Retry of a wait that was stopped') as string;
    expect((await retry(execution.id)).json('Send')).toMatchObject([
      { outcome: 'unknown', final: false, reason },
    ]);
  },
);
