/** n8n's Retry as people press it: of an execution that never reached the send, again, and with the changed workflow. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { recipients } from '../support/fates.mts';
import { shortOrLong } from '../support/long-form.mts';
import { action, rows, workflow } from '../support/real-n8n.mts';
import { connectedTo } from '../support/real-agent.mts';
import { pressRetry, retried, savedWorkflow } from '../support/retry-pressed.mts';
import { senderNamed, smsForm } from '../support/sends.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });
beforeEach(async () => await host.anew());

/** Seconds after which the gateway takes a request that broke: a test waits for minutes with the last ones. */
const DELAYS = shortOrLong([5], [0, 5, 20, 60, 110]);
const COUNTS = shortOrLong([5], [5, 250]);

const code = (name: string, jsCode: string): NodeJson => ({
  ...rows(name, []),
  parameters: { jsCode },
});
const OPEN = 'return $input.all();';
const CLOSED = "throw new Error('closed');";
const LAST = code('Last', CLOSED);
const send = (parameters: IDataObject = {}) =>
  action('Send', host.credential, smsForm(parameters), { onError: 'continueRegularOutput' });

/** A workflow whose Retry takes what was changed in it meanwhile. */
const saved = async (flow: WorkflowJson) => await savedWorkflow(host.client, flow);
const press = async (execution: { id: string }) => await pressRetry(host.client, execution);
const retry = async (execution: { id: string }) => await retried(host.client, execution);

/** Each number that got a message, with how many it got. */
function taken(): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { phone } of host.sandbox.messages.list()) counts.set(phone, (counts.get(phone) ?? 0) + 1);
  return counts;
}

/** No number has two messages, and no row says what isn't so; `unknown` is never false. */
function expectTrue(...executions: Execution[]): void {
  const got = taken();
  expect([...got].filter(([, count]) => count > 1)).toEqual([]);
  for (const execution of executions)
    for (const { phone, error, result } of execution.json('Send')) {
      if (error === undefined) expect([phone, got.get(Number(phone))]).toEqual([phone, 1]);
      else if (result !== 'unknown') expect([phone, got.has(Number(phone))]).toEqual([phone, false]);
    }
}

/** An execution of so many rows that ended in front of the send; what stopped it is mended. */
async function stoppedBefore(count: number) {
  const flow = await saved(workflow([rows('Rows', recipients(count)), code('Gate', CLOSED), send(), LAST]));
  const first = await flow.run();
  expect([first.status, first.runs('Send')]).toEqual(['error', []]);
  await flow.edit('Gate', { jsCode: OPEN });
  return { flow, first };
}

/** The form of the second Retry, beside the one of the first. */
const CORRECTED: Array<[string, IDataObject]> = [
  ['as it was', {}],
  ['with a corrected number', { phone: "={{ $json.n === 2 ? '380501239999' : $json.phone }}" }],
  ['with a corrected text', { smsMessage: 'Hello again' }],
];

describe.each([5, 250])('Retry of an execution of %s rows, pressed again', (count) => {
  it.each(CORRECTED)(
    'sends nothing twice after a node in front of the send had failed: %s',
    async (_, form) => {
      const { flow, first } = await stoppedBefore(count);
      expectTrue(await retry(first));
      expect(taken().size).toBe(count);
      await flow.edit('Send', smsForm(form));
      expectTrue(await retry(first));
    },
  );

  it('sends nothing twice after no row was valid, and the form was corrected', async () => {
    const flow = await saved(
      workflow([
        rows('Rows', recipients(count)),
        { ...send({ smsMessage: ' ' }), onError: 'stopWorkflow' },
        LAST,
      ]),
    );
    const first = await flow.run();
    expect([first.status, taken().size]).toEqual(['error', 0]);
    await flow.edit('Send', smsForm());
    for (const _ of ['first', 'second']) {
      expectTrue(await retry(first));
      expect(taken().size).toBe(count);
    }
  });

  it.each(CORRECTED)('sends nothing twice after the gateway had refused a row: %s', async (_, form) => {
    const smsSignature = senderNamed("={{ $json.n === 2 ? 'Foreign' : 'TestSender' }}");
    const flow = await saved(
      workflow([
        rows('Rows', recipients(count)),
        { ...send({ smsSignature }), onError: 'stopWorkflow' },
        LAST,
      ]),
    );
    const first = await flow.run();
    expect([first.status, taken().size]).toEqual(['error', count - 1]);
    await flow.edit('Send', smsForm(form));
    for (const _again of ['first', 'second']) {
      expectTrue(await retry(first));
      expect(taken().size).toBe(count);
    }
  });
});

it.each(
  DELAYS.flatMap((delay) => COUNTS.flatMap((count) => [true, false].map((stop) => ({ delay, count, stop })))),
)(
  'Retry of the first again sends nothing twice after the request of the other Retry broke: %j',
  async ({ delay, count, stop }) => {
    const { flow, first } = await stoppedBefore(count);
    host.sandbox.faults.add({ kind: 'drop-before', commitDelay: delay * 1000, times: 1 });
    const pressed = press(first);
    void pressed.catch(() => undefined);
    const other = await flow.after(first.id);
    await until('the request that breaks', () => host.sandbox.faults.list()[0].struck === 1 || undefined);
    if (stop) await host.client.call('POST', `/executions/${other}/stop`);
    const again = await retry(first);
    // n8n calls a Retry that somebody stopped a failure of the call.
    if (stop) await expect(pressed).rejects.toThrow('cancelled');
    else await pressed;
    await sleep(Math.max(0, delay * 1000));
    await host.sandbox.settled();
    expectTrue(again, ...(stop ? [] : [await host.client.getExecution(other)]));
  },
);

/** In front of the sandbox: its status shows a message so long after it was taken. */
async function lagging(lagMs: number) {
  const takenAt = new Map<unknown, number>();
  return await startWebServer(async (response, { body }) => {
    const request = JSON.parse(body) as { data: IDataObject[] };
    const hidden = request.data.map(
      ({ id, type }) => type === 'status' && Date.now() - (takenAt.get(id) ?? 0) < lagMs,
    );
    for (const { id, type } of request.data) if (type !== 'status') takenAt.set(id, Date.now());
    const data = request.data.map((one, i) => (hidden[i] ? { ...one, id: 1 + i } : one));
    const answer = await fetch(`${host.sandbox.baseUrl}/api/json.php`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, data }),
    });
    const json = (await answer.json()) as { data?: Array<{ data: IDataObject }> };
    json.data?.forEach((one, i) => {
      if (hidden[i]) one.data.id = request.data[i].id;
    });
    sendJson(response, json);
  });
}

it('Retry of the first again sends nothing twice while status does not show what the other Retry sent', async () => {
  const front = await lagging(30_000);
  try {
    host.credential = await host.client.createCredential('Lagging', 'messagingGatewayApi', {
      apiKey: host.sandbox.account().key,
      baseUrl: front.url,
    });
    const { flow, first } = await stoppedBefore(6);
    await flow.edit('Last', { jsCode: OPEN });
    expectTrue(await retry(first));
    await sleep(3000);
    expectTrue(await retry(first));
    expect(taken().size).toBe(6);
  } finally {
    await front.close();
  }
});

it('Retry sends nothing twice in a loop whose second turn failed', async () => {
  const loop = {
    name: 'Loop',
    type: 'n8n-nodes-base.splitInBatches',
    typeVersion: 3,
    parameters: { batchSize: 2 },
  };
  const gate = code(
    'Gate',
    "if ($input.first().json.n === 2) throw new Error('closed'); return $input.all();",
  );
  const flow = workflow([rows('Rows', recipients(6)), loop, gate, send(), LAST]);
  const main = (...names: string[]) => names.map((node) => [{ node, type: 'main', index: 0 }]);
  const looped = await saved({
    ...flow,
    settings: { executionOrder: 'v1' },
    connections: {
      ...flow.connections,
      Loop: { main: main('Last', 'Gate') },
      Send: connectedTo('main', 'Loop'),
    },
  } as WorkflowJson);
  const first = await looped.run();
  expect(taken().size).toBe(2);
  await looped.edit('Gate', { jsCode: OPEN });
  for (const _ of ['first', 'second']) {
    expectTrue(await retry(first));
    expect(taken().size).toBe(6);
  }
});
