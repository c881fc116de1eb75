import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { startN8n } from '../../tools/n8n-host/n8n-process.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { heapInUse, INSPECT } from '../support/heap.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  OWNER,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

/** What a hundred executions that wait keep in the memory of n8n: nothing of their data. */

const folder = join(TMP, 'e2e-wait-memory');
const EXECUTIONS = 100;
/** Bytes that the data of one execution has at least. */
const BALLAST = 300_000;
let sandbox: Sandbox;
let n8n: N8nProcess | undefined;

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  sandbox = await startSandbox();
}, 30_000);

afterAll(async () => {
  await n8n?.stop();
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
}, 30_000);

it('keeps no data of a hundred sleeping executions in memory', async () => {
  n8n = await startN8n({ folder, tarball: await packed(), env: { NODE_OPTIONS: INSPECT } });
  const client = new N8nClient(n8n.url);
  await client.setUpOwner(OWNER);
  const credential = await client.createCredential('Wait', CREDENTIAL_TYPE, credentialData(sandbox));
  sandbox.decideOutcome(() => ({ steps: [] }));
  const send = action('Send', credential, smsForm({ waitForDelivery: true, waitUnit: 'hours' }));
  const items = rows('Rows', [{ phone: '380501230001' }]);
  // Text that n8n can't share between executions.
  items.parameters.jsCode = `const ballast = Array.from({ length: ${BALLAST / 10} }, () => Math.random().toFixed(8)).join('');
return [{ json: { phone: '380501230001', ballast } }];`;
  const { id } = await client.createWorkflow(workflow([items, send]));
  const run = async () =>
    expect((await client.waitForExecution(await client.runManually(id, START))).status).toBe('waiting');
  // What the first ones leave behind is n8n's own: caches and compiled code.
  for (let i = 0; i < 10; i++) await run();
  await sleep(4000);
  const before = await heapInUse(await n8n.log());
  for (let i = 0; i < EXECUTIONS; i++) await run();
  await sleep(4000);
  const grown = (await heapInUse(await n8n.log())) - before;
  expect(sandbox.requests.filter(({ body }) => JSON.stringify(body).includes('"status"')).length).toBeGreaterThan(
    EXECUTIONS,
  );
  expect(grown).toBeLessThan((EXECUTIONS * BALLAST) / 5);
}, 300_000);
