/**
 * A gateway that takes a batch long after n8n lost sight of it: nothing may be sent twice, and nothing that was taken
 * may be missing from the output. In a real n8n, with Retry On Fail and the node's own defaults.
 */
import type { IDataObject } from 'n8n-workflow';

import type { FaultPlan, Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

const COUNT = 250;
const ITEMS: IDataObject[] = Array.from({ length: COUNT }, (_, i) => ({ phone: 447700900000 + (i % 1000) }));

let n8n: RealN8n;
beforeAll(async () => {
  n8n = await realN8n();
});

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };

async function sendThrough(fault: FaultPlan, options: IDataObject, settings = RETRY) {
  const sandbox: Sandbox = await startSandbox({ faults: [fault] });
  try {
    const credential = await n8n.client.createCredential('Late', CREDENTIAL_TYPE, credentialData(sandbox));
    const node = action('Send', credential, smsForm({ options }), settings);
    const run = await n8n.client.runToEnd(workflow([rows('Rows', ITEMS), node]), START);
    // What is still on its way gets there.
    await new Promise((resolve) => setTimeout(resolve, fault.commitDelay ?? 0));
    const { doubledIds, distinctIds: taken } = sandbox.counts();
    return { run, doubledIds, taken };
  } finally {
    await sandbox.close();
  }
}

it.concurrent.each<[string, FaultPlan]>([
  ['a lost connection, taken 4 s later', { kind: 'drop-after', commitDelay: 4000, times: 1 }],
  ['502, taken 3 s later', { kind: 'status-before', status: 502, commitDelay: 3000, times: 1 }],
  ['504, taken 3 s later', { kind: 'status-before', status: 504, commitDelay: 3000, times: 1 }],
  [
    'a JSON 500 after it was taken',
    { kind: 'status-after', status: 500, error: 'Internal server error', times: 1 },
  ],
  ['a lost connection, never taken', { kind: 'drop-before', times: 1 }],
])('%s: each message is taken once and comes out', async (_, fault) => {
  const { run, doubledIds, taken } = await sendThrough(fault, {});
  expect(run.status).toBe('success');
  const ids = run.items('Send').map(({ json }) => json.id);
  expect(new Set(ids).size).toBe(COUNT);
  expect(run.items('Send').filter(({ json }) => json.error !== undefined)).toEqual([]);
  expect(doubledIds).toBe(0);
  expect(taken).toBe(COUNT);
});

it('a time-out, taken after the second try began: nothing is doubled, and the output says that it does not know', async () => {
  const fault: FaultPlan = { kind: 'hang-before', commitDelay: 20_000, times: 1 };
  const { run, doubledIds, taken } = await sendThrough(
    fault,
    { timeout: 2, settlingTime: 3 },
    { ...RETRY, maxTries: 2 },
  );
  expect(run.status).toBe('error');
  expect(run.data.resultData.error?.message).toContain('Unknown whether this was sent');
  expect(doubledIds).toBe(0);
  expect(taken).toBe(COUNT);
});
