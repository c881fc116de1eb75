import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { QueueMode } from '../../tools/n8n-host/queue-mode.mts';
import { startQueueMode } from '../../tools/n8n-host/queue-mode.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { until } from '../../tools/until.mts';
import { answer, approvalForm, BOTH_BUTTONS, DEPUTY, linkIn, MANAGER, sentTo } from '../support/approval.mts';
import { LEAN } from '../support/lean-n8n.mts';
import { decideFates, fates, recipients } from '../support/fates.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  listener,
  OWNER,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { callHook, publishExample } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';
import { grouped, smsForm } from '../support/sends.mts';

const FOLDER = join(TMP, 'queue-mode');
const WEBHOOK_ID = '3b0e7a52-5d7e-4f0e-8a53-0c6f2f6f7d11';

let sandbox: Sandbox;
let queue: QueueMode;
let client: N8nClient;
let credential: { id: string; name: string };

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 300 }, keep: { messages: 20_000 } } });
  queue = await startQueueMode(FOLDER, await packed(), { env: LEAN });
  client = new N8nClient(queue.main.url);
  await client.setUpOwner(OWNER);
  credential = await client.createCredential('Queue', CREDENTIAL_TYPE, credentialData(sandbox));
});
afterEach(() => {
  sandbox.reset();
  sandbox.configure({ callbacks: { shuffleMs: 0, attempts: 8 } });
});
afterAll(async () => {
  await queue?.stop();
  await sandbox?.close();
});

const send = (more: IDataObject = {}, settings: IDataObject = {}) =>
  action('Send', credential, smsForm(more), settings);
const LIMIT_MINUTES = 0.2;
/** Returns the worker that ran an execution last. */
async function workerOf(id: string) {
  const logs = await Promise.all(queue.workers.map(async ({ logFile }) => await readFile(logFile, 'utf8')));
  const found = queue.workers.filter((_, i) => new RegExp(`execution ${id}\\b`, 'i').test(logs[i]));
  expect(found).toHaveLength(1);
  return found[0];
}
const messages = (count: number) => Array.from({ length: count }, (_, i) => ({ phone: 380500000000 + i }));

it('sends from the workers, with ids that differ', async () => {
  const runs = await Promise.all(
    Array.from({ length: 8 }, () => client.runToEnd(workflow([rows('Rows', messages(50)), send()]), START)),
  );
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
  expect(sandbox.counts()).toMatchObject({ accepted: 400, distinctIds: 400, doubledIds: 0 });
  const logs = await Promise.all(queue.workers.map(async ({ logFile }) => await readFile(logFile, 'utf8')));
  expect(logs.some((log) => /started execution/i.test(log))).toBe(true);
});

it('starts workflows for callbacks that come to the webhook processor', async () => {
  const created = await client.createWorkflow(listener(WEBHOOK_ID));
  await client.activate(created);
  const url = `${queue.webhooks.url}/webhook/${WEBHOOK_ID}/callback`;
  // The probe is no callback, so it starts nothing.
  const headers = { 'content-type': 'application/json' };
  const isRefused = async () => (await fetch(url, { method: 'POST', headers, body: '{}' })).status === 400;
  await until('the address of the trigger', async () => (await isRefused()) || undefined);
  await client.runToEnd(
    workflow([rows('Rows', messages(5)), send({ options: grouped({ hook: url }) })]),
    START,
  );
  const executions = await client.waitForExecutions(created.id, 5);
  expect(executions).toHaveLength(5);
  expect(executions.every(({ status }) => status === 'success')).toBe(true);
});

it("takes the trigger's address and secret in a worker, which gets no static data and did not publish it", async () => {
  const [path, secret] = ['q-send', 'only-in-the-address-81f0'];
  const hook = {
    name: 'Hook',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    webhookId: path,
    parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
  };
  const ask = action(
    'Send',
    credential,
    smsForm({ phone: '380501234567', options: grouped({ hookFromTrigger: true }) }),
  );
  const flow = chainOf('Callback to this workflow', [hook, ask]);
  const { nodes: triggers } = listener('q-trigger', { outcomes: ['delivered'], options: { secret } });
  const trigger = { ...triggers[0], id: 'trigger', position: [0, 300] };
  const created = await client.createWorkflow({ ...flow, nodes: [...flow.nodes, trigger] });
  await client.activate(created);
  const url = `${queue.webhooks.url}/webhook/${path}`;
  const response = await until('the address of the workflow', async () => {
    const answered = await fetch(url, { method: 'POST' });
    return answered.status === 404 ? undefined : answered;
  });
  expect(response.status).toBe(200);
  expect(new URL(String(sentTo(sandbox).at(-1)?.hook)).searchParams.get('secret')).toBe(secret);
  // The send, and the callback that came back with it.
  const executions = await client.waitForExecutions(created.id, 2);
  expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
  expect(executions.flatMap((one) => one.items('Callback')).map(({ json }) => json.outcome)).toEqual([
    'delivered',
  ]);
  const { staticData } = await client.call<{ staticData: unknown }>('GET', `/workflows/${created.id}`);
  expect(JSON.stringify(staticData)).not.toContain(secret);
});

it('brings back 500 messages of one run, right and in order, when callbacks come while it falls asleep', async () => {
  decideFates(sandbox, 5);
  const began = Date.now();
  const asleep = await client.runToEnd(
    workflow([rows('Rows', recipients(500)), send({ waitForDelivery: true, waitAmount: LIMIT_MINUTES })]),
    START,
  );
  expect(asleep.status).toBe('waiting');
  const execution = await client.waitUntilAwake(asleep.id);
  expect(execution.status).toBe('success');
  // Five in a hundred never hear anything, so the limit is what ends it.
  expect(Date.now() - began).toBeGreaterThan(LIMIT_MINUTES * 60_000);
  const byPhone = new Map(sandbox.messages.list().map((message) => [message.phone, message]));
  const output = execution.items('Send');
  expect(output.map(({ json, pairedItem }) => [json.id, json.msg_id, json.phone, pairedItem])).toEqual(
    recipients(500).map(({ phone }, n) => {
      const message = byPhone.get(Number(phone));
      return [Number(message?.id), message?.msgId, Number(phone), { item: n }];
    }),
  );
  expect(output.map(({ json: { outcome, final } }, n) => ({ n, outcome, final }))).toEqual(fates(500));
  expect(sandbox.counts()).toMatchObject({ accepted: 500, doubledIds: 0 });
});

describe('one-time passwords', () => {
  const ROUNDS = 3;
  const TOGETHER = 12;
  let outside: N8nClient;
  let phone = 447700960000;

  beforeAll(() => {
    sandbox.configure({ latencyMs: 0 });
    outside = new N8nClient(queue.webhooks.url);
  });

  /** Verifies the same challenge many times at once; gives the reasons. */
  async function round(path: string, codeFor: (code: string, n: number) => string): Promise<string[]> {
    phone += 1;
    const { challenge } = await callHook(outside, `${path}-send`, { phone });
    const code = codeIn(sandbox, phone);
    return await Promise.all(
      Array.from({ length: TOGETHER }, async (_, n) => {
        const body = { challenge: challenge as string, phone, code: codeFor(code, n) };
        return String((await callHook(outside, `${path}-verify`, body)).reason);
      }),
    );
  }
  const count = (reasons: string[], reason: string) => reasons.filter((one) => one === reason).length;

  it('work once for each worker at most, and allow as many attempts for each', async () => {
    await publishExample(client, 'one-time-password-web-page', credential, { path: 'q' });
    const ok: number[] = [];
    const wrong: number[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      ok.push(count(await round('one-time-password-q', (code) => code), 'ok'));
      wrong.push(count(await round('one-time-password-q', wrongFor), 'wrong'));
    }
    expect(Math.min(...ok)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...ok)).toBeLessThanOrEqual(2);
    expect(Math.min(...wrong)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...wrong)).toBeLessThanOrEqual(10);
  });

  it('work exactly once with a Data Table', async () => {
    const { id } = await publishExample(client, 'one-time-password-exactly-once', credential, {
      path: 'q',
    });
    const made = await client.waitForExecution(await client.runManually(id, 'Once'));
    expect(made.status).toBe('success');
    for (let n = 0; n < ROUNDS; n += 1) {
      const reasons = await round('one-time-password-q-once', (code) => code);
      expect(count(reasons, 'ok')).toBe(1);
      // Of those that come together, each is an attempt.
      expect(count(reasons, 'used') + count(reasons, 'too_many_attempts')).toBe(TOGETHER - 1);
    }
  });

  it('are counted across workers one after the other', async () => {
    phone += 1;
    const { challenge } = await callHook(outside, 'one-time-password-q-send', { phone });
    const code = codeIn(sandbox, phone);
    const reasons: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const body = { challenge: challenge as string, phone, code: wrongFor(code, n) };
      reasons.push(String((await callHook(outside, 'one-time-password-q-verify', body)).reason));
    }
    expect(reasons).toEqual([...Array<string>(5).fill('wrong'), 'too_many_attempts']);
  });
});

describe('a question', () => {
  /** The address that only lacks the secret of the question; what else was tried with a single n8n is in e2e/approval-secrets. */
  async function withoutSecret(id: string, link: string, base: string): Promise<string> {
    const { data } = await client.getExecution(id);
    const { resumeToken: token = '' } = data as { resumeToken?: string };
    expect(token).not.toBe('');
    const nodeId = new URL(link).pathname.split('/').at(-1)!;
    return `${base}/webhook-waiting/${id}?signature=${token}/${nodeId}`;
  }

  it.each(['main', 'webhooks'] as const)('opens to its link alone, which %s takes', async (taker) => {
    const ask = action('Ask', credential, approvalForm(BOTH_BUTTONS));
    const { id, status } = await client.runToEnd(workflow([rows('Rows', messages(1)), ask]), START);
    expect(status).toBe('waiting');
    const link = linkIn(sentTo(sandbox).at(-1) ?? {});
    const forged = await fetch(await withoutSecret(id, link, queue[taker].url));
    expect(forged.ok).toBe(false);
    expect((await client.getExecution(id)).status).toBe('waiting');
    const reached = link.replace(new URL(link).origin, queue[taker].url);
    expect((await answer(reached, 'decline')).text).toContain('has been recorded');
    const done = await client.waitUntilAwake(id);
    expect(done.json('Ask')).toMatchObject([{ data: { approved: false }, decided_by: MANAGER }]);
  });
});

it('brings back all outcomes, and the answer of one of two people at once, when the worker that fell asleep is killed', async () => {
  sandbox.decideOutcome(() => ({ steps: [] }));
  const asleep = await client.runToEnd(
    workflow([rows('Rows', messages(20)), send({ waitForDelivery: true, waitAmount: 5 })]),
    START,
  );
  expect(asleep.status).toBe('waiting');
  const sent = sandbox.messages.list();
  const worker = await workerOf(asleep.id);
  const ask = action('Ask', credential, approvalForm({ ...BOTH_BUTTONS, phone: [MANAGER, DEPUTY].join() }));
  let id: string;
  do {
    const execution = await client.runToEnd(workflow([rows('Rows', messages(1)), ask]), START);
    expect(execution.status).toBe('waiting');
    ({ id } = execution);
  } while ((await workerOf(id)) !== worker);
  const links = sentTo(sandbox).slice(-2).map(linkIn);
  const accepted = sandbox.messages.accepted;
  await worker.kill();

  const bases = [queue.webhooks.url, queue.main.url];
  const reached = links.map((link, i) => link.replace(new URL(link).origin, bases[i]));
  const pages = await Promise.all(
    reached.map(async (link, i) => await answer(link, i ? 'decline' : 'approve')),
  );
  const recorded = pages.filter(({ text }) => text.includes('has been recorded'));
  expect(recorded).toHaveLength(1);
  const execution = await client.waitUntilAwake(id);
  expect(execution.status).toBe('success');
  const first = pages.indexOf(recorded[0]);
  expect(execution.json('Ask')).toMatchObject([
    { data: { approved: first === 0 }, decided_by: [MANAGER, DEPUTY][first], by: 'link' },
  ]);

  for (const { msgId } of sent) sandbox.act(msgId, 'status', { status: 'DELIVERED' });
  const awake = await client.waitUntilAwake(asleep.id);
  expect(awake.json('Send').map(({ outcome, final }) => [outcome, final])).toEqual(
    messages(20).map(() => ['delivered', true]),
  );
  expect(sandbox.counts()).toMatchObject({ accepted, doubledIds: 0 });
});
