import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { startN8n } from '../../tools/n8n-host/n8n-process.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { answer, approvalForm, BOTH_BUTTONS, linkIn, MANAGER, open, sentTo } from '../support/approval.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  OWNER,
  reshape,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

/** A wait outlasts a restart of n8n, which forgets what the process knew. An n8n of its own, so that it may be killed. */

const folder = join(TMP, 'e2e-wait-restart');
let sandbox: Sandbox;
let n8n: N8nProcess | undefined;

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  sandbox = await startSandbox();
});

afterAll(async () => {
  await n8n?.stop();
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

it('takes an answer after n8n was killed, and shows the same page', async () => {
  const own = join(TMP, 'e2e-approval-restart');
  await rm(own, { recursive: true, force: true });
  let host = await startN8n({ folder: own, tarball: await packed() });
  try {
    const port = Number(new URL(host.url).port);
    const client = new N8nClient(host.url);
    await client.setUpOwner(OWNER);
    const credential = await client.createCredential('Ask', CREDENTIAL_TYPE, credentialData(sandbox));
    const asking = action('Ask', credential, approvalForm(BOTH_BUTTONS));
    const { id, status } = await client.runToEnd(workflow([rows('Rows', [{ invoice: 17 }]), asking]), START);
    expect(status).toBe('waiting');
    const [link] = sentTo(sandbox).map(linkIn);
    const before = await open(link);
    await host.kill();
    host = await startN8n({ folder: own, port });
    await client.logIn(OWNER);
    expect((await open(link)).text).toBe(before.text);
    expect((await answer(link, 'decline')).text).toContain('has been recorded');
    for (let tries = 0; tries < 100; tries++) {
      if ((await client.getExecution(id)).status === 'success') break;
      await sleep(100);
    }
    expect((await client.getExecution(id)).json('Ask')).toMatchObject([
      { data: { approved: false }, decided_by: MANAGER, by: 'link' },
    ]);
    expect(sandbox.counts().accepted).toBe(1);
  } finally {
    await host.stop();
    await rm(own, { recursive: true, force: true });
    sandbox.reset();
  }
});

it('wakes with all outcomes at the first callback after n8n was killed, and without one at the limit with what was known', async () => {
  n8n = await startN8n({ folder, tarball: await packed() });
  const port = Number(new URL(n8n.url).port);
  const client = new N8nClient(n8n.url);
  await client.setUpOwner(OWNER);
  const credential = await client.createCredential('Wait', CREDENTIAL_TYPE, credentialData(sandbox));
  sandbox.decideOutcome(() => ({ steps: [] }));
  const forgotten = await client.runToEnd(
    workflow([
      rows('Rows', [{ phone: '380501230008' }, { phone: '380501230009' }]),
      action('Send', credential, smsForm({ waitForDelivery: true, waitAmount: 0.5 })),
      reshape('Joined', '={{ { row: $("Rows").item.json.phone, id: $json.id } }}'),
    ]),
    START,
  );
  const unheard = sandbox.messages.list();
  sandbox.reset();
  const send = action('Send', credential, smsForm({ waitForDelivery: true, waitUnit: 'hours' }));
  const items = ['380501230001', '380501230002', '380501230003'].map((phone) => ({ phone }));
  const { id, status } = await client.runToEnd(workflow([rows('Rows', items), send]), START);
  expect(status).toBe('waiting');

  const [first, second, third] = sandbox.messages.list();
  sandbox.mark(first.msgId, { status: 'DELIVERED' });
  await sandbox.settled();
  await n8n.kill();
  sandbox.mark(second.msgId, { status: 'READ', silent: true });
  n8n = await startN8n({ folder, port });
  await client.logIn(OWNER);
  expect((await client.getExecution(id)).status).toBe('waiting');

  sandbox.mark(third.msgId, { status: 'DELIVERED' });
  await sandbox.settled();
  let execution = await client.getExecution(id);
  for (let tries = 0; tries < 50 && execution.status !== 'success'; tries++) {
    await sleep(100);
    execution = await client.getExecution(id);
  }
  expect(execution.json('Send').map((json) => [json.msg_id, json.status, json.final])).toEqual([
    [first.msgId, 'DELIVERED', true],
    [second.msgId, 'READ', true],
    [third.msgId, 'DELIVERED', true],
  ]);

  // n8n itself goes on a minute after the limit, and runs none of the node's code then.
  let late = await client.getExecution(forgotten.id);
  for (let tries = 0; tries < 180 && late.status !== 'success'; tries++) {
    await sleep(1000);
    late = await client.getExecution(forgotten.id);
  }
  expect(late.json('Send')).toEqual(
    unheard.map(({ id: sent }) => expect.objectContaining({ id: Number(sent), outcome: 'pending', final: false })),
  );
  // Nothing but n8n has touched the items since they fell asleep, and it still knows from which row each comes.
  expect(late.json('Joined')).toEqual(
    unheard.map(({ id: sent, phone }) => ({ row: String(phone), id: Number(sent) })),
  );
});
