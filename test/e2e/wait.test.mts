/** "Wait for Delivery" in a real n8n, against the sandbox. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { OutcomeStep, SandboxMessage } from '../../sandbox/server.mts';
import { readExamples, withCredential } from '../../tools/n8n-host/workflow.mts';
import type { Execution } from '../../tools/n8n-host/execution.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { decideFates, fates, FIRST_PHONE as PHONE, recipients } from '../support/fates.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import { action, CREDENTIAL_TYPE, reshape, rows, START, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

const host = e2eHost();

beforeEach(() => {
  const { sandbox } = host;
  sandbox.reset();
  sandbox.decideOutcome(undefined);
  sandbox.configure({
    outcomes: { afterMs: 200, duplicateShare: 0, neverShare: 0, reportFallback: false },
    callbacks: { shuffleMs: 0, attempts: 8 },
  });
});

/** A node that sends one SMS for each item and waits; `minutes` is its limit. */
const send = (minutes: number, parameters: IDataObject = {}, settings: IDataObject = {}): NodeJson =>
  action(
    'Send',
    host.credential,
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
  await host.client.runToEnd(workflow([rows('Rows', recipients(count)), node, ...after]), START);

const untilEnded = async (id: string, limitMs: number): Promise<Execution> =>
  await host.client.waitUntilAwake(id, limitMs);

const decide = (steps: (message: SandboxMessage) => OutcomeStep[]) =>
  host.sandbox.decideOutcome((message) => ({ steps: steps(message) }));

const statusQuestions = () =>
  host.sandbox.requests
    .flatMap(({ body }) => (body as { data: Array<{ type: string }> }).data)
    .filter(({ type }) => type === 'status').length;

it('sends one message, sleeps, and goes on with the send and its outcome together', async () => {
  host.sandbox.configure({ outcomes: { afterMs: 4000 } });
  const execution = await run(1, send(5), 60_000, [joined]);
  expect(execution.status).toBe('success');
  const [message] = host.sandbox.messages.list();
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

it('brings back 500 messages of one run, right and in order, when callbacks come within seconds', async () => {
  decideFates(host.sandbox, 5000);
  const began = Date.now();
  const execution = await run(500, send(0.25), 100_000, [joined]);
  expect(execution.status).toBe('success');
  // Some are never decided, so the limit is what ends it.
  expect(Date.now() - began).toBeGreaterThan(15_000);
  expect(host.sandbox.counts()).toMatchObject({ accepted: 500, doubledIds: 0 });

  const items = execution.items('Send');
  const byPhone = new Map(host.sandbox.messages.list().map((message) => [message.phone, message]));
  expect(items.map(({ json, pairedItem }) => [json.id, json.msg_id, json.phone, pairedItem])).toEqual(
    recipients(500).map((_, n) => {
      const { id, msgId, phone } = byPhone.get(PHONE + n) as SandboxMessage;
      return [Number(id), msgId, phone, { item: n }];
    }),
  );
  expect(execution.json('Joined')).toEqual(fates(500));
  // The messages that are never decided stay in question, at growing intervals.
  expect(statusQuestions()).toBeLessThan(500 * 12);
});

it('waits for 3,000 messages at little cost: few callbacks, right outcomes, and n8n answers meanwhile', async () => {
  host.sandbox.decideOutcome(({ phone }) => ({
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
    await sleep(500)
  ) {
    const start = performance.now();
    [{ status }] = await host.client.listExecutions(workflowId);
    times.push(performance.now() - start);
  }
  expect(status).toBe('success');
  // Any request would have taken seconds with a callback for each message, or been refused.
  expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(3000);
  const items = (await host.client.getExecution(id)).json('Send');
  expect(items.map(({ outcome, final }) => [outcome, final])).toEqual(
    Array.from({ length: count }, (_, n) => [(PHONE + n) % 10 === 7 ? 'failed' : 'delivered', true]),
  );
  const calls = host.sandbox.callbacks.reduce((sum, { tries }) => sum + tries.length, 0);
  expect(calls).toBeLessThanOrEqual(50);
  expect(host.sandbox.messages.list().filter(({ hook }) => hook !== undefined)).toHaveLength(5);
  expect(host.sandbox.counts()).toMatchObject({ accepted: count, doubledIds: 0 });
});

it('does not sleep at all when everything is final by the time it is asked', async () => {
  decide(() => [{ status: 'DELIVERED', afterMs: 0 }]);
  const execution = await fallAsleep(20, send(5));
  expect(execution.status).toBe('success');
  expect(execution.json('Send').map(({ outcome, final }) => [outcome, final])).toEqual(
    Array.from({ length: 20 }, () => ['delivered', true]),
  );
});

it('refuses what is no callback of this execution, and sleeps on', async () => {
  decide(() => []);
  const { id, runs } = await fallAsleep(1, send(5));
  expect(runs('Send')[0].hints).toEqual([
    expect.objectContaining({ message: expect.stringContaining('on this machine only') }),
  ]);
  const [message] = host.sandbox.messages.list();
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
  expect((await host.client.getExecution(id)).status).toBe('waiting');
  expect(await post(delivered)).toEqual({ status: 200, text: '{"received":true}' });
  expect((await untilEnded(id, 10_000)).json('Send')).toEqual([
    expect.objectContaining({ outcome: 'delivered' }),
  ]);
});

it('carries items with errors through the sleep, with Retry On Fail too', async () => {
  host.sandbox.configure({ outcomes: { afterMs: 9000 } });
  const phone = '={{ $json.n === 0 ? "none" : $json.phone }}';
  const settings = { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
  const execution = await run(3, send(5, { phone }, settings), 40_000);
  const pairedItem = { item: 0 };
  const error = expect.stringContaining("'Phone Number'") as string;
  expect(execution.items('Send', 1)).toEqual([{ json: expect.objectContaining({ error }), pairedItem }]);
  expect(
    execution.items('Send').map(({ json, pairedItem }) => [json.phone, json.outcome, pairedItem]),
  ).toEqual([
    [PHONE + 1, 'delivered', { item: 1 }],
    [PHONE + 2, 'delivered', { item: 2 }],
  ]);
  expect(host.sandbox.counts()).toMatchObject({ accepted: 2, doubledIds: 0 });
});

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
  expect(host.sandbox.counts()).toMatchObject({ accepted: 2, doubledIds: 0 });
});

it('waits anew in each round of a loop', async () => {
  host.sandbox.configure({ outcomes: { afterMs: 3000 } });
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
  const { id } = await host.client.runToEnd(flow, START);
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
  const { id } = await host.client.runToEnd(withCredential(example, CREDENTIAL_TYPE, host.credential), START);
  const execution = await untilEnded(id, 20_000);
  const [first, second] = host.sandbox.messages.list();
  expect(execution.json('Arrived')).toEqual([{ order: '1001', note: `Message ${first.id} is delivered` }]);
  expect(execution.json('Did Not Arrive')).toEqual([
    { order: '1002', note: `Message ${second.id} failed: EXPIRED` },
  ]);
  expect(execution.json('Ask Later')).toEqual([]);
});
