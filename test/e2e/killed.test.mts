import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { startN8n } from '../../tools/n8n-host/n8n-process.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  OWNER,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { callHook, publishExample } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';
import { smsForm } from '../support/sends.mts';

const COUNT = 400;
const FOLDER = join(TMP, 'killed-n8n');

let sandbox: Sandbox;
let host: N8nProcess | undefined;

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  // A gateway that knows its ids, and takes its time, so that n8n dies in the middle.
  sandbox = await startSandbox({ config: { latencyMs: 100, rules: { duplicateIds: 'refuse' } } });
});
afterAll(async () => {
  await host?.stop();
  await sandbox?.close();
});

const items: IDataObject[] = Array.from({ length: COUNT }, (_, i) => ({
  id: 5_000_000 + i,
  phone: 380500000000 + i,
}));
const PARAMETERS = smsForm({ messageId: '={{ $json.id }}', options: { batchSize: 20 } });

it('after n8n is killed in the middle of a send, status by id tells what was accepted, and a second run doubles nothing', async () => {
  const tarball = await packed();
  host = await startN8n({ folder: FOLDER, tarball });
  let client = new N8nClient(host.url);
  await client.setUpOwner(OWNER);
  const credential = await client.createCredential('Killed', CREDENTIAL_TYPE, credentialData(sandbox));
  const { id } = await client.createWorkflow(
    workflow([rows('Rows', items), action('Send', credential, PARAMETERS)]),
  );
  await client.runManually(id, START);
  while (sandbox.messages.accepted < COUNT / 4) await new Promise((resolve) => setTimeout(resolve, 10));
  await host.kill();
  // The request that was under way still reaches the gateway.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = sandbox.messages.accepted;
  expect(before).toBeGreaterThanOrEqual(COUNT / 4);
  expect(before).toBeLessThan(COUNT);

  host = await startN8n({ folder: FOLDER });
  client = new N8nClient(host.url);
  await client.logIn(OWNER);
  const status = action(
    'Status',
    credential,
    { resource: 'message', operation: 'getStatus', messageId: '={{ $json.id }}' },
    { onError: 'continueRegularOutput' },
  );
  const asked = await client.runToEnd(workflow([rows('Rows', items), status]), START);
  const known = asked.items('Status').filter(({ json }) => json.error === undefined);
  expect(known.map(({ json }) => json.id).sort()).toEqual(
    sandbox.messages
      .list()
      .map(({ id: sent }) => sent)
      .sort(),
  );
  expect(known).toHaveLength(before);

  const again = await client.runToEnd(
    workflow([rows('Rows', items), action('Send', credential, PARAMETERS)]),
    START,
  );
  expect(again.items('Send').map(({ json }) => json.id)).toEqual(items.map(({ id: own }) => own));
  expect(sandbox.counts()).toMatchObject({ accepted: COUNT, distinctIds: COUNT, doubledIds: 0 });
  console.log(
    `${before} of ${COUNT} messages were accepted before the kill, ${COUNT} after the second run, none twice`,
  );
});

it('after n8n is killed in the middle of verifications, a code has worked once at most, and attempts go on', async () => {
  host ??= await startN8n({ folder: FOLDER, tarball: await packed() });
  sandbox.configure({ latencyMs: 0 });
  let client = new N8nClient(host.url);
  await client.logIn(OWNER);
  const credential = await client.createCredential('Codes', CREDENTIAL_TYPE, credentialData(sandbox));
  await publishExample(client, 'one-time-password-web-page', credential, { path: 'k' });
  const phones = ['447700950001', '447700950002'];
  const sent = await Promise.all(
    phones.map(async (phone) => await callHook(client, 'one-time-password-k-send', { phone })),
  );
  const codes = phones.map((phone) => codeIn(sandbox, phone));
  const counts = { ok: 0, wrong: 0, other: 0, lost: 0 };
  const verify = async (which: number, code: string) => {
    try {
      const { challenge } = sent[which];
      const { reason } = await callHook(client, 'one-time-password-k-verify', {
        challenge,
        phone: phones[which],
        code,
      });
      if (reason === 'ok' || reason === 'wrong') counts[reason] += 1;
      else counts.other += 1;
    } catch {
      // n8n was killed before it answered.
      counts.lost += 1;
    }
  };
  const all = Array.from({ length: 60 }, async (_, n) => {
    await verify(0, codes[0]);
    if (n % 6 === 0) await verify(1, wrongFor(codes[1], n));
  });
  while (counts.ok + counts.other < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  await host.kill();
  await Promise.all(all);
  expect(counts.lost).toBeGreaterThan(0);

  host = await startN8n({ folder: FOLDER });
  client = new N8nClient(host.url);
  for (let n = 0; n < 6; n += 1) {
    await verify(0, codes[0]);
    await verify(1, wrongFor(codes[1], 100 + n));
  }
  expect(counts.ok).toBeLessThanOrEqual(1);
  expect(counts.wrong).toBeLessThanOrEqual(5);
  expect(
    (
      await callHook(client, 'one-time-password-k-verify', {
        challenge: sent[1].challenge,
        phone: phones[1],
        code: codes[1],
      })
    ).reason,
  ).toBe('too_many_attempts');
  console.log(`Verifications around a kill: ${JSON.stringify(counts)}`);
});
