/**
 * What n8n's end in the middle leaves: an n8n of its own is killed while it sends, with and without keys, verifies codes,
 * waits for deliveries and for a person, and is started again once. Each test looks at one of these.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { OWNER, startN8n, startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import type { Execution, N8nClient, WorkflowJson } from '../../tools/n8n-host/rest-client.mts';
import type { NodeJson } from '../../tools/n8n-host/workflow.mts';
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { until } from '../../tools/until.mts';
import { askIn } from '../support/approval-host.mts';
import { answer, MANAGER, open } from '../support/approval.mts';
import { expectRows, idOf, mailingOf, orders, runOnce, sendOnce } from '../support/keyed-rows.mts';
import { LEAN } from '../support/lean-n8n.mts';
import { callHook, publishExample } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  reshape,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { grouped, smsForm } from '../support/sends.mts';

const folder = join(TMP, 'e2e-killed');
let n8n: N8nProcess;
let client: N8nClient;

/** A gateway with a credential for it, so that what happens in one part isn't counted in another. */
interface Part {
  sandbox: Sandbox;
  credential: { id: string; name: string };
}
const parts: Part[] = [];

async function part(options: SandboxOptions = {}): Promise<Part> {
  const sandbox = await startSandbox(options);
  const credential = await client.createCredential('Killed', CREDENTIAL_TYPE, credentialData(sandbox));
  parts.push({ sandbox, credential });
  return { sandbox, credential };
}

const send = ({ credential }: Part, parameters: IDataObject) =>
  action('Send', credential, smsForm(parameters));
const phones = (...numbers: string[]) =>
  rows(
    'Rows',
    numbers.map((phone) => ({ phone })),
  );

/** A mailing with ids of its own, in small batches. */
const COUNT = 400;
const mailing: IDataObject[] = Array.from({ length: COUNT }, (_, i) => ({
  id: 5_000_000 + i,
  phone: 380500000000 + i,
}));
const MAILING = { options: grouped({ messageId: '={{ $json.id }}', batchSize: 10 }) };

/** As many without, of which nobody can tell afterwards which are sent. */
const NAMELESS = { options: grouped({ batchSize: 10 }) };

/** As many rows with a "Send Once Key". */
const KEYED = orders(COUNT);

let asked: Part & { id: string; link: string; page: string };
let waited: Part & { ids: Map<number, string> };
let forgotten: Part & { id: string };
let mailed: Part & { id: string; acceptedAtKill: number };
let nameless: Part & { id: string };
let behind: Part & { id: string };
let keyed: Part;
let killedAtMs: number;
let codes: Part & { right: string[]; challenges: unknown[]; counts: Record<string, number> };

/** Of the third code, nobody asks before the kill. */
const CODE_PHONES = ['447700950001', '447700950002', '447700950003'];

async function verify(which: number, code: string): Promise<void> {
  const { challenges, counts } = codes;
  const body = { challenge: challenges[which] as string, phone: CODE_PHONES[which], code };
  try {
    const reason = String((await callHook(client, 'one-time-password-k-verify', body)).reason);
    counts[reason] = (counts[reason] ?? 0) + 1;
  } catch {
    // n8n was killed before it answered.
    counts.lost += 1;
  }
}

async function askForApproval(): Promise<void> {
  const its = await part();
  const {
    id,
    links: [link],
  } = await askIn({ client, ...its });
  asked = { ...its, id, link, page: (await open(link)).text };
}

/** Messages of each wait: all have a callback address, one has none, and only some have one. */
const WAITED = [1, 20, 21, 500, 5000];
const firstPhoneOf = (count: number) => 380_500_000_000 + 10_000 * count;

/** The messages of a wait, as the sandbox has them. */
const messagesOf = (count: number) =>
  waited.sandbox.messages
    .list()
    .filter(({ phone }) => phone >= firstPhoneOf(count) && phone < firstPhoneOf(count) + count);
const lastAddressed = (count: number) => messagesOf(count).findLast(({ hook }) => hook !== undefined)!;
const isFinalAtKill = (index: number, count: number) => index < Math.floor(count / 10);

/** Waits of which a tenth has its outcomes before n8n is killed. */
async function waitForDeliveries(): Promise<void> {
  const its = await part();
  const { sandbox } = its;
  sandbox.decideOutcome(() => ({ steps: [] }));
  waited = { ...its, ids: new Map() };
  for (const count of WAITED) {
    const items = phones(...Array.from({ length: count }, (_, i) => String(firstPhoneOf(count) + i)));
    const waiting = send(its, { waitForDelivery: true, waitUnit: 'hours' });
    const { id, status } = await client.runToEnd(workflow([items, waiting]), START);
    expect(status).toBe('waiting');
    waited.ids.set(count, id);
    for (const [i, { msgId }] of messagesOf(count).entries())
      if (isFinalAtKill(i, count)) sandbox.act(msgId, 'status', { status: 'DELIVERED' });
  }
  await sandbox.settled();
}

/** Nobody hears of these messages again, so that n8n's own limit ends the wait. */
async function waitInVain(): Promise<void> {
  const its = await part();
  its.sandbox.decideOutcome(() => ({ steps: [] }));
  const joined = reshape('Joined', '={{ { row: $("Rows").item.json.phone, id: $json.id } }}');
  const waiting = send(its, { waitForDelivery: true, waitAmount: 1 });
  const flow = workflow([phones('380501230008', '380501230009'), waiting, joined]);
  forgotten = { ...its, id: (await client.runToEnd(flow, START)).id };
}

async function prepareCodes(): Promise<void> {
  const its = await part();
  await publishExample(client, 'one-time-password-web-page', its.credential, { path: 'k' });
  const sent = await Promise.all(
    CODE_PHONES.map(async (phone) => await callHook(client, 'one-time-password-k-send', { phone })),
  );
  const challenges = sent.map(({ challenge }) => challenge);
  const right = CODE_PHONES.map((phone) => codeIn(its.sandbox, phone));
  codes = { ...its, challenges, right, counts: { ok: 0, wrong: 0, lost: 0 } };
}

async function start(flow: WorkflowJson): Promise<void> {
  await client.runManually((await client.createWorkflow(flow)).id, START);
}

/** Starts a mailing by a call, since n8n retries no execution that was killed if it was started by hand. Returns its id. */
async function startByCall(path: string, ...nodes: NodeJson[]): Promise<string> {
  const hook = { name: 'Hook', type: 'n8n-nodes-base.webhook', typeVersion: 2.1, webhookId: path };
  const parameters = { path, httpMethod: 'POST' };
  const flow = chainOf(path, [{ ...hook, parameters }, rows('Rows', mailing), ...nodes]);
  const made = await client.createWorkflow(flow);
  await client.activate(made);
  await client.postWebhook(path, {});
  const [{ id }] = await until(`an execution of ${path}`, async () => {
    const found = await client.listExecutions(made.id);
    return found.length > 0 ? found : undefined;
  });
  return id;
}

/** Sends a mailing whose execution then waits for a minute, in the memory of n8n. */
async function sendAndWait(): Promise<void> {
  const its = await part();
  const wait = { name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1, webhookId: 'behind-wait' };
  const parameters = { amount: 60, unit: 'seconds' };
  const id = await startByCall('behind', send(its, {}), { ...wait, parameters });
  await until('all rows', () => its.sandbox.messages.accepted === COUNT || undefined);
  behind = { ...its, id };
}

/** Kills n8n in the middle of three mailings and of verifications, which go on until one of them gets no answer. */
async function killInTheMiddle(): Promise<void> {
  // Gateways that take their time: forty seconds for all rows. The first knows its ids; the second is slow once it is sent to,
  // and not while it is asked which keys it knows.
  const its = await part({ config: { latencyMs: 1000, duplicateIds: 'refuse' } });
  const { messages } = its.sandbox;
  keyed = await part();
  keyed.sandbox.decideOutcome(() => {
    keyed.sandbox.configure({ latencyMs: 1000 });
    return { steps: [] };
  });
  const other = await part({ config: { latencyMs: 1000 } });
  const [id, otherId] = await Promise.all([
    startByCall('mailing', send(its, MAILING)),
    startByCall('nameless', send(other, NAMELESS)),
    start(mailingOf(KEYED, sendOnce(keyed.credential, { batchSize: 10 }))),
  ]);
  const accepted = () => [its, other, keyed].map(({ sandbox }) => sandbox.messages.accepted);
  await until('the first batch of each', () => accepted().every(Boolean) || undefined);
  const verifications = Array.from({ length: 4 }, async (_, n) => {
    while (codes.counts.lost === 0) {
      // n8n has a mailing to do beside these.
      await sleep(200);
      await verify(0, codes.right[0]);
      if (n === 0) await verify(1, wrongFor(codes.right[1], n));
    }
  });
  const answered = () => Object.values(codes.counts).reduce((sum, count) => sum + count, 0);
  const isInTheMiddle = () => accepted().every((count) => count >= COUNT / 8) && answered() >= 5;
  await until('the middle of all', () => isInTheMiddle() || undefined);
  killedAtMs = Date.now();
  await n8n.kill();
  await Promise.all(verifications);
  // The request that was under way still reaches the gateway.
  await sleep(2000);
  keyed.sandbox.decideOutcome(() => ({ steps: [] }));
  for (const { sandbox } of [its, other, keyed]) sandbox.configure({ latencyMs: 0 });
  mailed = { ...its, id, acceptedAtKill: messages.accepted };
  nameless = { ...other, id: otherId };
}

beforeAll(async () => {
  ({ n8n, client } = await startWithOwner({ folder, tarball: await packed(), env: LEAN }));
  await Promise.all([askForApproval(), waitForDeliveries()]);
  // Codes expire.
  await prepareCodes();
  await sendAndWait();
  // Last, since its minute must not be over before n8n is killed.
  await waitInVain();
  await killInTheMiddle();
  // While n8n is gone, all others but the last addressed one of each wait are read, without a callback.
  for (const count of WAITED) {
    const last = lastAddressed(count).msgId;
    for (const [i, { msgId }] of messagesOf(count).entries())
      if (msgId !== last && !isFinalAtKill(i, count))
        waited.sandbox.act(msgId, 'status', { status: 'READ', silent: true });
  }
  n8n = await startN8n({ folder, port: Number(new URL(n8n.url).port), env: LEAN });
  await client.logIn(OWNER);
});

afterAll(async () => {
  await n8n?.stop();
  for (const { sandbox } of parts) await sandbox.close();
});

/** Presses Retry in n8n's list of executions; returns the new execution. */
async function retry(id: string): Promise<Execution> {
  const path = `/executions/${id}/retry`;
  const { id: next } = await client.call<{ id: string }>('POST', path, { loadWorkflow: false });
  return await client.waitForExecution(next);
}

const ended = async (id: string): Promise<Execution> => await client.waitUntilAwake(id);

it('After n8n was killed in the middle of a send, status by id tells what was accepted, and Retry sends the rest.', async () => {
  const { id, credential, sandbox, acceptedAtKill } = mailed;
  expect(acceptedAtKill).toBeGreaterThanOrEqual(COUNT / 8);
  expect(acceptedAtKill).toBeLessThan(COUNT);
  const status = action(
    'Status',
    credential,
    { resource: 'message', operation: 'getStatus', messageId: '={{ $json.id }}' },
    { onError: 'continueRegularOutput' },
  );
  const questions = await client.runToEnd(workflow([rows('Rows', mailing), status]), START);
  const known = questions.json('Status').filter(({ error }) => error === undefined);
  const accepted = sandbox.messages.list().map(({ id }) => id);
  expect(known.map(({ id }) => id).sort()).toEqual(accepted.sort());
  expect(known).toHaveLength(acceptedAtKill);

  const again = await retry(id);
  expect(again.json('Send').map((json) => json.id)).toEqual(mailing.map((row) => row.id));
  expect(sandbox.counts()).toMatchObject({ accepted: COUNT, distinctIds: COUNT, doubledIds: 0 });
});

it('Retry of an execution in which n8n was killed while it sent messages without ids of their own sends nothing, and says why.', async () => {
  const { id, sandbox } = nameless;
  const accepted = sandbox.messages.accepted;
  expect(accepted).toBeLessThan(COUNT);
  expect((await retry(id)).failure()).toContain('This Retry could send messages a second time');
  expect(sandbox.messages.accepted).toBe(accepted);
});

it('Retry of an execution in which n8n was killed behind the node sends nothing again.', async () => {
  const { id, sandbox } = behind;
  const again = await retry(id);
  expect(sandbox.messages.accepted).toBe(COUNT);
  expect(again.failure()).toContain('This Retry could send messages a second time');
});

it('Rows with a key, in the middle of which n8n was killed, are finished by a second run, and another n8n of the account sends none of them again.', async () => {
  const { credential, sandbox } = keyed;
  const before = new Set(sandbox.messages.list().map(({ id }) => Number(id)));
  expect(before.size).toBeGreaterThanOrEqual(COUNT / 8);
  expect(before.size).toBeLessThan(COUNT);
  const { json, hints } = await runOnce(client, KEYED, sendOnce(credential, { batchSize: 10 }));
  expectRows(json, KEYED, (row) => before.has(idOf(KEYED[row])));
  expect(hints).toEqual([expect.stringContaining(`${before.size} of ${COUNT} count as sent, `)]);

  const other = (await realN8n()).client;
  const same = await other.createCredential('Same account', CREDENTIAL_TYPE, credentialData(sandbox));
  const twice = [...KEYED, ...KEYED];
  expectRows((await runOnce(other, twice, sendOnce(same))).json, twice, () => true);
  expect(sandbox.counts()).toMatchObject({ accepted: COUNT, distinctIds: COUNT, doubledIds: 0 });
});

it('After n8n was killed in the middle of verifications, a code has worked once at most, and attempts go on.', async () => {
  const { challenges, counts, right } = codes;
  expect(counts.lost).toBeGreaterThan(0);
  for (let n = 0; n < 6; n += 1) {
    await verify(0, right[0]);
    await verify(1, wrongFor(right[1], 100 + n));
  }
  expect(counts.ok).toBeLessThanOrEqual(1);
  expect(counts.wrong).toBeLessThanOrEqual(5);
  const reasonOf = async (which: number) =>
    (
      await callHook(client, 'one-time-password-k-verify', {
        ...{ challenge: challenges[which] as string, phone: CODE_PHONES[which], code: right[which] },
      })
    ).reason;
  expect(await reasonOf(1)).toBe('too_many_attempts');
  expect([await reasonOf(2), await reasonOf(2)]).toEqual(['ok', 'used']);
});

it('A question shows the same page after n8n was killed, and takes the answer.', async () => {
  const { id, link, page, sandbox } = asked;
  expect((await open(link)).text).toBe(page);
  expect((await answer(link, 'decline')).text).toContain('has been recorded');
  expect((await ended(id)).json('Ask')).toMatchObject([
    { data: { approved: false }, decided_by: MANAGER, by: 'link' },
  ]);
  expect(sandbox.counts().accepted).toBe(1);
});

it.each(WAITED)(
  'A wait for %i messages ends with all outcomes at the first callback after n8n was killed.',
  async (count) => {
    const { ids, sandbox } = waited;
    const id = ids.get(count)!;
    expect((await client.getExecution(id)).status).toBe('waiting');
    const messages = messagesOf(count);
    const last = lastAddressed(count).msgId;
    sandbox.act(last, 'status', { status: 'DELIVERED' });
    await sandbox.settled();
    const output = (await ended(id)).json('Send');
    expect(output.map((json) => [json.msg_id, json.status, json.final])).toEqual(
      messages.map(({ msgId }, i) => [
        ...[msgId, msgId === last || isFinalAtKill(i, count) ? 'DELIVERED' : 'READ', true],
      ]),
    );
  },
);

it('A wait without a callback after n8n was killed ends at the limit, and says that the outcomes are unknown and why.', async () => {
  // n8n itself goes on a minute after the limit, and runs none of the node's code then.
  const late = await ended(forgotten.id);
  // Otherwise it ended before n8n did.
  expect(Date.parse(late.stoppedAt)).toBeGreaterThan(killedAtMs);
  const sent = forgotten.sandbox.messages.list();
  const why = { reason: expect.stringMatching(/was restarted.*WEBHOOK_URL.*NO_PROXY/) as string };
  expect(late.json('Send')).toEqual(
    sent.map(({ id }) =>
      expect.objectContaining({ ...{ id: Number(id), outcome: 'unknown', final: false }, ...why }),
    ),
  );
  // Nothing but n8n has touched the items since they fell asleep, and it still knows from which row each comes.
  expect(late.json('Joined')).toEqual(sent.map(({ id, phone }) => ({ row: String(phone), id: Number(id) })));
});
