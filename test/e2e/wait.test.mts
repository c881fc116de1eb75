/** "Wait for Delivery" in a real n8n, against the sandbox. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { OutcomeStep, SandboxMessage } from '../../sandbox/server.mts';
import type { Execution } from '../../tools/n8n-host/execution.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { FIRST_PHONE as PHONE, recipients } from '../support/fates.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import { action, rows, START, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

const host = e2eHost();

beforeEach(() => {
  const { sandbox } = host;
  sandbox.reset();
  sandbox.decideOutcome(undefined);
  sandbox.configure({ outcomes: { afterMs: 200 } });
});

/** A node that sends one SMS for each item and waits; `minutes` is its limit. */
const send = (minutes: number, parameters: IDataObject = {}, settings: IDataObject = {}): NodeJson =>
  action(
    'Send',
    host.credential,
    smsForm({ waitForDelivery: true, waitAmount: minutes, ...parameters }),
    settings,
  );

/** Runs the workflow until it sleeps, or has ended without. */
const fallAsleep = async (count: number, node: NodeJson): Promise<Execution> =>
  await host.client.runToEnd(workflow([rows('Rows', recipients(count)), node]), START);

const untilEnded = async (id: string): Promise<Execution> => await host.client.waitUntilAwake(id);

const decide = (steps: (message: SandboxMessage) => OutcomeStep[]) =>
  host.sandbox.decideOutcome((message) => ({ steps: steps(message) }));

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
    const deadline = Date.now() + 180_000;
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
  expect(host.sandbox.callbacks.length).toBeLessThanOrEqual(3);
  expect(host.sandbox.messages.list().filter(({ hook }) => hook !== undefined)).toHaveLength(3);
  expect(host.sandbox.counts()).toMatchObject({ accepted: count, doubledIds: 0 });
});

it('carries items with errors and failed deliveries through the sleep, and sends nothing twice with Retry On Fail', async () => {
  decide(({ phone }) => [
    phone === PHONE + 1
      ? { status: 'REJECTED', error: 'Refused', afterMs: 0 }
      : { status: 'DELIVERED', afterMs: 9000 },
  ]);
  const phone = '={{ $json.n === 0 ? "none" : $json.phone }}';
  const settings = { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
  const { id } = await fallAsleep(3, send(5, { phone }, settings));
  const execution = await untilEnded(id);
  const error = expect.stringContaining("'Phone Number'") as string;
  expect(execution.items('Send', 1)).toMatchObject([{ json: { error }, pairedItem: { item: 0 } }]);
  expect(execution.items('Send').map(({ json, pairedItem }) => ({ ...json, pairedItem }))).toMatchObject([
    { phone: PHONE + 1, outcome: 'failed', error: 'Refused', pairedItem: { item: 1 } },
    { phone: PHONE + 2, outcome: 'delivered', pairedItem: { item: 2 } },
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
  const execution = await untilEnded(id);
  expect(execution.json('Loop').map(({ phone, outcome }) => [phone, outcome])).toEqual([
    [PHONE, 'delivered'],
    [PHONE + 1, 'delivered'],
  ]);
  expect(execution.runs('Send')).toHaveLength(2);
});

it('branches on the outcome in the example workflow', async () => {
  decide(({ phone }) => [{ status: phone === 447700900001 ? 'DELIVERED' : 'EXPIRED', afterMs: 2500 }]);
  const { id } = await host.client.runToEnd(await host.example('wait-and-branch'), START);
  const execution = await untilEnded(id);
  const [first, second] = host.sandbox.messages.list();
  expect(execution.json('Arrived')).toEqual([{ order: '1001', note: `Message ${first.id} is delivered` }]);
  expect(execution.json('Did Not Arrive')).toEqual([
    { order: '1002', note: `Message ${second.id} failed: EXPIRED` },
  ]);
  expect(execution.json('Ask Later')).toEqual([]);
});
