import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { OutcomeStep, Sandbox, SandboxMessage } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { withCredential } from '../../tools/n8n-host/workflow.mts';
import { readExamples } from '../../tools/start/examples.mts';
import type { Execution } from '../../tools/n8n-host/execution.mts';
import { decideFates, fates, FIRST_PHONE as PHONE, recipients } from '../support/fates.mts';
import type { NodeJson, RealN8n } from '../support/real-n8n.mts';
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
import { senderNamed, smsForm } from '../support/sends.mts';

/** "Wait for Delivery" in a real n8n, against the sandbox. */

let sandbox: Sandbox;
let n8n: RealN8n;
let credential: { id: string; name: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Wait', CREDENTIAL_TYPE, credentialData(sandbox));
});

beforeEach(() => {
  sandbox.reset();
  sandbox.decideOutcome(undefined);
  sandbox.configure({
    outcomes: { afterMs: 200, duplicateShare: 0, neverShare: 0, reportFallback: false },
    callbacks: { shuffleMs: 0, attempts: 8 },
  });
});

afterAll(async () => await sandbox?.close());

/** A node that sends one SMS for each item and waits; `minutes` is its limit. */
const send = (minutes: number, parameters: IDataObject = {}, settings: IDataObject = {}): NodeJson =>
  action(
    'Send',
    credential,
    smsForm({ waitForDelivery: true, waitAmount: minutes, ...parameters }),
    settings,
  );

/** A node behind the send that joins each outcome with the item it came from. */
const joined = reshape(
  'Joined',
  '={{ { n: $("Rows").item.json.n, outcome: $json.outcome, final: $json.final } }}',
);

/** Runs the workflow until it has ended, sleep included. */
async function run(
  count: number,
  node: NodeJson,
  limitMs = 60_000,
  after: NodeJson[] = [],
): Promise<Execution> {
  const sleeping = await fallAsleep(count, node, after);
  return await untilEnded(sleeping.id, limitMs);
}

/** Runs the workflow until it sleeps, or has ended without. */
const fallAsleep = async (count: number, node: NodeJson, after: NodeJson[] = []): Promise<Execution> =>
  await n8n.client.runToEnd(workflow([rows('Rows', recipients(count)), node, ...after]), START);

async function untilEnded(id: string, limitMs: number): Promise<Execution> {
  for (const deadline = Date.now() + limitMs; ; ) {
    const execution = await n8n.client.getExecution(id);
    if (!['new', 'running', 'waiting'].includes(execution.status)) return execution;
    if (Date.now() > deadline) throw new Error(`Execution ${id} is still ${execution.status}`);
    await sleep(100);
  }
}

const decide = (steps: (message: SandboxMessage) => OutcomeStep[]) =>
  sandbox.decideOutcome((message) => ({ steps: steps(message) }));

const statusQuestions = () =>
  sandbox.requests
    .flatMap(({ body }) => (body as { data: Array<{ type: string }> }).data)
    .filter(({ type }) => type === 'status').length;

it('sends one message, sleeps, and goes on with the send and its outcome together', async () => {
  sandbox.configure({ outcomes: { afterMs: 4000 } });
  const execution = await run(1, send(5), 60_000, [joined]);
  expect(execution.status).toBe('success');
  const [message] = sandbox.messages.list();
  // From the outcome to the next node.
  expect(execution.runs('Joined')[0].startTime - Date.parse(String(message.updated))).toBeLessThan(10_000);
  expect(execution.items('Send')).toEqual([
    {
      json: expect.objectContaining({
        id: Number(message.id),
        msg_id: message.msgId,
        type: 'sms',
        phone: PHONE,
        channel: 'sms',
        status: 'DELIVERED',
        updated: expect.any(String),
        outcome: 'delivered',
        final: true,
      }),
      pairedItem: { item: 0 },
    },
  ]);
});

it.each([
  ['5 ms', 5],
  ['5 seconds', 5000],
])(
  'brings back 500 messages of one run, right and in order, when callbacks come within %s',
  async (_, withinMs) => {
    decideFates(sandbox, withinMs);
    const began = Date.now();
    const execution = await run(500, send(0.25), 100_000, [joined]);
    expect(execution.status).toBe('success');
    expect(Date.now() - began).toBeGreaterThan(15_000);
    expect(sandbox.counts()).toMatchObject({ accepted: 500, doubledIds: 0 });

    const items = execution.items('Send');
    const byPhone = new Map(sandbox.messages.list().map((message) => [message.phone, message]));
    expect(items.map(({ json, pairedItem }) => [json.id, json.msg_id, json.phone, pairedItem])).toEqual(
      recipients(500).map((_, n) => {
        const { id, msgId, phone } = byPhone.get(PHONE + n) as SandboxMessage;
        return [Number(id), msgId, phone, { item: n }];
      }),
    );
    expect(execution.json('Joined')).toEqual(fates(500));
    // The messages that are never decided stay in question, at growing intervals.
    expect(statusQuestions()).toBeLessThan(500 * 12);
  },
);

it('waits for 3,000 messages at little cost: few callbacks, right outcomes, and n8n answers meanwhile', async () => {
  sandbox.decideOutcome(({ phone }) => ({
    steps: [
      phone % 10 === 7
        ? { status: 'UNDELIVERABLE', error: 'Absent', afterMs: [0, 10_000] }
        : { status: 'DELIVERED', afterMs: [0, 10_000] },
    ],
  }));
  const count = 3000;
  const { id, workflowId } = await fallAsleep(count, send(5));
  const times: number[] = [];
  let status = 'waiting';
  for (
    const deadline = Date.now() + 60_000;
    status !== 'success' && Date.now() < deadline;
    await sleep(100)
  ) {
    const start = performance.now();
    [{ status }] = await n8n.client.listExecutions(workflowId);
    times.push(performance.now() - start);
  }
  expect(status).toBe('success');
  // Any request would have taken seconds with a callback for each message, or been refused.
  expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(3000);
  const items = (await n8n.client.getExecution(id)).json('Send');
  expect(items.map(({ outcome, final }) => [outcome, final])).toEqual(
    Array.from({ length: count }, (_, n) => [(PHONE + n) % 10 === 7 ? 'failed' : 'delivered', true]),
  );
  const calls = sandbox.callbacks.reduce((sum, { tries }) => sum + tries.length, 0);
  expect(calls).toBeLessThanOrEqual(50);
  expect(sandbox.messages.list().filter(({ hook }) => hook !== undefined)).toHaveLength(5);
  expect(sandbox.counts()).toMatchObject({ accepted: count, doubledIds: 0 });
});

it('does not sleep at all when everything is final by the time it is asked', async () => {
  decide(() => [{ status: 'DELIVERED', afterMs: 0 }]);
  const execution = await fallAsleep(20, send(5));
  expect(execution.status).toBe('success');
  expect(execution.json('Send').map(({ outcome, final }) => [outcome, final])).toEqual(
    Array.from({ length: 20 }, () => ['delivered', true]),
  );
});

it('does not call a fallback send failed when its first channel failed', async () => {
  decide(() => [
    { status: 'EXPIRED', type: 'viber', error: 'Not on Viber', afterMs: 1500 },
    { status: 'DELIVERED', type: 'sms', afterMs: 5000 },
  ]);
  const viber = {
    operation: 'sendViberSms',
    viberType: 'text',
    viberMessage: 'Hello',
    viberSignature: senderNamed(),
  };
  const { id } = await fallAsleep(1, send(5, viber));
  await sleep(3000);
  expect((await n8n.client.getExecution(id)).status).toBe('waiting');
  const [json] = (await untilEnded(id, 20_000)).json('Send');
  expect(json).toMatchObject({ type: 'viber+sms', channel: 'sms', outcome: 'delivered', final: true });
  expect(json).not.toHaveProperty('error');
});

it('waits for queued messages too, of which the gateway knows nothing at first', async () => {
  sandbox.configure({ queueDelayMs: 1500, outcomes: { afterMs: 500 } });
  const execution = await run(3, send(5, { delivery: 'queued' }));
  sandbox.configure({ queueDelayMs: 0 });
  expect(execution.json('Send')).toEqual(
    sandbox.messages.list().map(({ id, msgId, requestId }) =>
      expect.objectContaining({
        id: Number(id),
        msg_id: msgId,
        request_id: requestId,
        outcome: 'delivered',
        final: true,
      }),
    ),
  );
});

it('goes on at the limit without an outcome, and says so', async () => {
  decide(() => []);
  const began = Date.now();
  const execution = await run(2, send(0.1), 30_000);
  expect(Date.now() - began).toBeGreaterThan(6000);
  expect(Date.now() - began).toBeLessThan(25_000);
  expect(execution.status).toBe('success');
  expect(execution.json('Send').map(({ final, outcome }) => [final, outcome])).toEqual([
    [false, 'pending'],
    [false, 'pending'],
  ]);
});

it('refuses what is no callback of this execution, and sleeps on', async () => {
  decide(() => []);
  const { id, runs } = await fallAsleep(1, send(5));
  expect(runs('Send')[0].hints).toEqual([
    expect.objectContaining({ message: expect.stringContaining('on this machine only') }),
  ]);
  const [message] = sandbox.messages.list();
  const hook = String(message.hook);
  const post = async (body: unknown, url = hook) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const delivered = { success: true, id: String(message.id), type: 'sms', status: 'DELIVERED' };
  expect(await post({})).toMatchObject({ status: 400 });
  expect(await post({ hello: 'world' })).toMatchObject({ status: 400 });
  expect(await post({ ...delivered, id: '1' })).toEqual({
    status: 404,
    text: expect.stringContaining('does not match any message'),
  });
  expect(await post({ sleep: 'guessed', todo: 'resume' })).toMatchObject({ status: 410 });
  expect(await post(delivered, hook.replace(/signature=[^/]{6}/, 'signature=abcdef'))).toMatchObject({
    status: 401,
  });
  expect((await n8n.client.getExecution(id)).status).toBe('waiting');
  expect(await post(delivered)).toEqual({ status: 200, text: '{"received":true}' });
  expect((await untilEnded(id, 10_000)).json('Send')).toEqual([
    expect.objectContaining({ outcome: 'delivered' }),
  ]);
});

it('needs the callbacks itself, so it refuses a callback address, by name', async () => {
  const execution = await fallAsleep(1, send(5, { options: { hook: 'https://example.com/callback' } }));
  expect(execution.status).toBe('error');
  expect(execution.failure()).toMatch(/'Callback URL'.*'Wait for Delivery'/);
  expect(sandbox.counts().accepted).toBe(0);
});

it.each(['continueRegularOutput', 'continueErrorOutput'])(
  'carries items with errors through the sleep (%s), with Retry On Fail too',
  async (onError) => {
    sandbox.configure({ outcomes: { afterMs: 9000 } });
    const phone = '={{ $json.n === 0 ? "none" : $json.phone }}';
    const settings = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
    const execution = await run(3, send(5, { phone }, settings), 40_000);
    const [good, bad] =
      onError === 'continueErrorOutput'
        ? [execution.items('Send'), execution.items('Send', 1)]
        : [execution.items('Send').slice(1), execution.items('Send').slice(0, 1)];
    expect(bad).toEqual([
      {
        json: expect.objectContaining({ error: expect.stringContaining("'Phone Number'") }),
        pairedItem: { item: 0 },
      },
    ]);
    expect(good.map(({ json, pairedItem }) => [json.phone, json.outcome, pairedItem])).toEqual([
      [PHONE + 1, 'delivered', { item: 1 }],
      [PHONE + 2, 'delivered', { item: 2 }],
    ]);
    expect(sandbox.counts()).toMatchObject({ accepted: 2, doubledIds: 0 });
  },
);

it('sends nothing twice when a failed delivery comes first and the node has Retry On Fail', async () => {
  decide(({ phone }) => [
    phone === PHONE
      ? { status: 'REJECTED', error: 'Refused', afterMs: 0 }
      : { status: 'DELIVERED', afterMs: 6000 },
  ]);
  const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
  const execution = await run(2, send(5, {}, settings), 40_000);
  expect(execution.json('Send').map(({ outcome, error }) => [outcome, error])).toEqual([
    ['failed', 'Refused'],
    ['delivered', undefined],
  ]);
  expect(sandbox.counts()).toMatchObject({ accepted: 2, doubledIds: 0 });
});

it('waits anew in each round of a loop', async () => {
  sandbox.configure({ outcomes: { afterMs: 3000 } });
  const loop = {
    name: 'Loop',
    type: 'n8n-nodes-base.splitInBatches',
    typeVersion: 3,
    parameters: { batchSize: 1, options: {} },
  };
  const flow = workflow([rows('Rows', recipients(2)), loop]);
  flow.nodes.push({ id: 'send', position: [900, 0], typeVersion: 1, ...send(5) });
  Object.assign(flow.connections, {
    Loop: { main: [[], [{ node: 'Send', type: 'main', index: 0 }]] },
    Send: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
  });
  const { id } = await n8n.client.runToEnd(flow, START);
  const execution = await untilEnded(id, 40_000);
  expect(execution.json('Loop').map(({ phone, outcome }) => [phone, outcome])).toEqual([
    [PHONE, 'delivered'],
    [PHONE + 1, 'delivered'],
  ]);
  expect(execution.runs('Send')).toHaveLength(2);
});

it('branches on the outcome in the example workflow', async () => {
  decide(({ phone }) => [{ status: phone === 447700900001 ? 'DELIVERED' : 'EXPIRED', afterMs: 2500 }]);
  const { 'wait-and-branch': example } = await readExamples();
  const { id } = await n8n.client.runToEnd(withCredential(example, CREDENTIAL_TYPE, credential), START);
  const execution = await untilEnded(id, 20_000);
  const [first, second] = sandbox.messages.list();
  expect(execution.json('Arrived')).toEqual([{ order: '1001', note: `Message ${first.id} is delivered` }]);
  expect(execution.json('Did Not Arrive')).toEqual([
    { order: '1002', note: `Message ${second.id} failed: EXPIRED` },
  ]);
  expect(execution.json('Ask Later')).toEqual([]);
});
