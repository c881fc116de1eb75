/** n8n's own Retry of an execution that failed while it sent, and a wait whose execution a user ends. */
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { CredentialReference } from '../../tools/n8n-host/rest-client.mts';
import { recipients } from '../support/fates.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

let sandbox: Sandbox;
let n8n: RealN8n;
let credential: CredentialReference;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Retry', CREDENTIAL_TYPE, credentialData(sandbox));
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox?.close());

const ROWS = 40;

const sendAll = async (parameters: IDataObject, count = ROWS) => {
  const send = action('Send', credential, smsForm(parameters));
  return await n8n.client.runToEnd(workflow([rows('Rows', recipients(count)), send]), START);
};

/** Presses Retry in n8n's list of executions; returns the new execution. */
async function retry(id: string) {
  const { id: next } = await n8n.client.call<{ id: string }>('POST', `/executions/${id}/retry`, {
    loadWorkflow: false,
  });
  return await n8n.client.waitForExecution(next);
}

it('Retry of a failed execution sends what was not sent, and a second Retry of the same one sends nothing twice', async () => {
  sandbox.faults.add({ kind: 'status-before', status: 401, after: 1, times: 1 });
  const failed = await sendAll({ options: { batchSize: 10 } });
  expect([failed.status, sandbox.counts().accepted]).toEqual(['error', 10]);
  for (const _ of ['first', 'second']) {
    const retried = await retry(failed.id);
    expect([retried.failure(), retried.items('Send').length]).toEqual(['', ROWS]);
    expect(sandbox.counts()).toMatchObject({ accepted: ROWS, distinctIds: ROWS, doubledIds: 0 });
  }
});

it.each(['stopped', 'deleted'])('n8n says of a wait whose execution was %s that it is over', async (way) => {
  const execution = await sendAll({ waitForDelivery: true, waitAmount: 60 }, 1);
  expect(execution.status).toBe('waiting');
  const [{ operation }] = sandbox.messages.list();
  const path = `/executions/${execution.id}`;
  if (way === 'stopped') await n8n.client.call('POST', `${path}/stop`);
  else await n8n.client.call('POST', '/executions/delete', { ids: [execution.id] });
  const answer = await fetch(String(operation.hook), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sleep: 'any', todo: 'look' }),
  });
  const { code } = (await answer.json()) as { code?: number };
  expect([answer.status, code]).toEqual(way === 'stopped' ? [409, 409] : [404, 404]);
});
