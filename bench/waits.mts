import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { senderNamed, smsForm } from '../test/support/sends.mts';
import { startN8n } from '../tools/n8n-host/n8n-process.mts';
import { startQueueMode } from '../tools/n8n-host/queue-mode.mts';
import { N8nClient } from '../tools/n8n-host/rest-client.mts';
import type { NodeJson } from '../tools/n8n-host/workflow.mts';
import { packed } from '../tools/package.mts';
import { PACKAGE_NAME, TMP } from '../tools/paths.mts';
import { CREDENTIAL_TYPE } from './contestants.mts';
import type { BenchGateway } from './gateway.mts';
import { API_KEY, SENDER, startGateway } from './gateway.mts';
import { OWNER } from './in-n8n.mts';
import { ProcessMemory } from './process-memory.mts';
import { processorSeconds } from './process-times.mts';
import { percentile } from './statistics.mts';

export type WaitMode = 'regular' | 'queue';

export interface WaitPlan {
  modes: WaitMode[];
  /** Messages of one execution, and the seconds over which their outcomes come in. */
  waits: Array<{ messages: number; seconds: number }>;
  /** Executions that wait for one message each at the same time; 0 for none. */
  executions: number;
}

/** What a wait cost. */
export interface WaitCost {
  mode: WaitMode;
  executions: number;
  /** Messages of each. */
  messages: number;
  seconds: number;
  /** Seconds until the last execution had ended. */
  took: number;
  /** Seconds of processor time of all of n8n: of the same sends without a wait, and of the wait beyond that. */
  sendCpu: number;
  waitCpu: number;
  /** The latter by process of n8n. */
  waitCpuOf: Record<string, number>;
  /** Most bytes of n8n's resident set, of the largest process. */
  peakBytes?: number;
  /** Milliseconds of n8n's REST interface meanwhile, and requests that it refused. */
  p50: number;
  p99: number;
  refused: number;
  /** Calls of the gateway that reached n8n, and its `status` requests. */
  callbacks: number;
  statusRequests: number;
  /** Items with the outcome that the gateway decided. */
  right: number;
}

interface Host {
  mode: WaitMode;
  client: N8nClient;
  /** Where production webhooks are served. */
  webhooks: N8nClient;
  /** Ids of n8n's processes, by what they are. */
  pids: Record<string, number>;
  credential: { id: string; name: string };
}

/** Seconds of processor time, by process. */
type Cpu = Record<string, number>;

/** Numbers that end in this are not reached. */
const FAILING = '7';
const POLL_MS = 200;
const LONGEST_MS = 600_000;

const CONFIG = (seconds: number) => ({
  outcomes: {
    afterMs: [0, seconds * 1000],
    rules: [{ phoneSuffix: FAILING, outcome: { steps: [{ status: 'UNDELIVERABLE', error: 'Absent' }] } }],
  },
  callbacks: { attempts: 8 },
  keep: {
    messages: 300_000,
    counts: true,
    requests: 5000,
    requestBytes: 64 * 1024 * 1024,
    callbacks: 20_000,
  },
});

/** Lets executions wait for their messages in a real n8n. Gives a cost for each wait and mode to `tell`. */
export async function benchWaits(plan: WaitPlan, tell: (cost: WaitCost) => void): Promise<void> {
  const gateway = await startGateway(CONFIG(10));
  try {
    for (const mode of plan.modes) await inMode(mode, gateway, plan, tell);
  } finally {
    await gateway.stop();
  }
}

async function inMode(
  mode: WaitMode,
  gateway: BenchGateway,
  plan: WaitPlan,
  tell: (cost: WaitCost) => void,
): Promise<void> {
  const folder = join(TMP, 'bench', `n8n-waits-${mode}`);
  await rm(folder, { recursive: true, force: true });
  const { host, stop } = await startHost(mode, folder, gateway);
  try {
    await measure(host, gateway, { messages: 500, seconds: 2, executions: 1 });
    for (const wait of plan.waits) tell(await measure(host, gateway, { ...wait, executions: 1 }));
    if (plan.executions > 0) {
      tell(await measure(host, gateway, { messages: 1, seconds: 60, executions: plan.executions }));
    }
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startHost(
  mode: WaitMode,
  folder: string,
  gateway: BenchGateway,
): Promise<{ host: Host; stop(): Promise<void> }> {
  const tarball = await packed();
  const env = { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS ?? '' };
  const started =
    mode === 'queue'
      ? await startQueueMode(folder, tarball, { env }).then(({ main, workers, webhooks, stop }) => ({
          main,
          webhooks,
          all: { main, 'worker 1': workers[0], 'worker 2': workers[1], 'webhook processor': webhooks },
          stop,
        }))
      : await startN8n({ folder, tarball, env }).then((n8n) => ({
          main: n8n,
          webhooks: n8n,
          all: { n8n },
          stop: async () => await n8n.stop(),
        }));
  const client = new N8nClient(started.main.url);
  await client.setUpOwner(OWNER);
  const { id, name } = await client.createCredential('Gateway', CREDENTIAL_TYPE, {
    apiKey: API_KEY,
    baseUrl: gateway.baseUrl,
    asyncUrl: gateway.asyncUrl,
    mcpUrl: '',
  });
  const host = {
    mode,
    client,
    webhooks: new N8nClient(started.webhooks.url),
    pids: Object.fromEntries(Object.entries(started.all).map(([name, { pid }]) => [name, pid])),
    credential: { id, name },
  };
  return { host, stop: started.stop };
}

interface Case {
  messages: number;
  seconds: number;
  executions: number;
}

async function measure(host: Host, gateway: BenchGateway, wait: Case): Promise<WaitCost> {
  await gateway.control('config', CONFIG(wait.seconds));
  const sends = await runAll(host, wait, false);
  await gateway.control('reset', {});
  const earlier = await idleCost(host, wait.seconds / 2);
  const waits = await runAll(host, wait, true);
  const counts = await traffic(gateway);
  const later = await idleCost(host, wait.seconds / 2);
  await gateway.control('reset', {});
  const share = (cpu: Cpu, took: number) =>
    mapCpu(cpu, (seconds, name) => seconds - ((earlier[name] + later[name]) / 2) * took);
  const sendCpu = share(sends.cpu, sends.took);
  const waitCpu = mapCpu(share(waits.cpu, waits.took), (seconds, name) => seconds - sendCpu[name]);
  return {
    ...wait,
    mode: host.mode,
    took: waits.took,
    sendCpu: total(sendCpu),
    waitCpu: total(waitCpu),
    waitCpuOf: waitCpu,
    peakBytes: waits.peakBytes,
    p50: percentile(waits.times, 50),
    p99: percentile(waits.times, 99),
    refused: waits.refused,
    ...counts,
    right: waits.right,
  };
}

const cpuOf = (pids: Record<string, number>): Cpu => mapCpu(pids, (pid) => processorSeconds([pid]));

const mapCpu = (cpu: Cpu, change: (seconds: number, name: string) => number): Cpu =>
  Object.fromEntries(Object.entries(cpu).map(([name, seconds]) => [name, change(seconds, name)]));

const total = (cpu: Cpu): number => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

/**
 * Processor seconds that each process takes in a second with nothing to do but what the measurement asks it. Measured
 * before a wait and after it, together for as long as its outcomes come in: an error counts once for each second of
 * that, and a process takes less the longer it runs.
 */
async function idleCost({ client, pids }: Host, seconds: number): Promise<Cpu> {
  const before = cpuOf(pids);
  const start = performance.now();
  while (performance.now() - start < 1000 * Math.max(4, seconds)) {
    await client.listExecutions('none');
    await sleep(POLL_MS);
  }
  const took = (performance.now() - start) / 1000;
  return mapCpu(cpuOf(pids), (after, name) => (after - before[name]) / took);
}

async function traffic(gateway: BenchGateway): Promise<Pick<WaitCost, 'callbacks' | 'statusRequests'>> {
  const callbacks = (await gateway.control('callbacks?limit=20000')) as unknown as Array<{
    tries: unknown[];
  }>;
  const requests = (await gateway.control('requests?limit=5000')) as unknown as unknown[];
  return {
    callbacks: callbacks.reduce((sum, { tries }) => sum + tries.length, 0),
    statusRequests: requests.length,
  };
}

let serial = 0;

async function runAll(host: Host, { messages, seconds, executions }: Case, waits: boolean) {
  const { client, webhooks, pids } = host;
  const path = `bench-waits-${++serial}`;
  const reference = await client.createWorkflow(workflowOf(host, path, messages, waits));
  await client.activate(reference);
  await webhooks.untilRegistered(`webhook/${path}`);
  const memories = Object.values(pids).map((pid) => new ProcessMemory(pid));
  for (const memory of memories) memory.start();
  const before = cpuOf(pids);
  const start = performance.now();
  const starts = (async () => {
    for (let i = 0; i < executions; i++) await (await webhooks.postWebhook(path, { n: i })).arrayBuffer();
  })();
  const times: number[] = [];
  let refused = 0;
  let ended = 0;
  while (ended < executions && performance.now() - start < LONGEST_MS + seconds * 1000) {
    const asked = performance.now();
    try {
      ended = await endedOf(client, reference.id);
    } catch {
      // n8n could not answer, which is what is counted.
      refused += 1;
    }
    times.push(performance.now() - asked);
    await sleep(POLL_MS);
  }
  await starts;
  const took = (performance.now() - start) / 1000;
  const cpu = mapCpu(cpuOf(pids), (after, name) => after - before[name]);
  for (const memory of memories) memory.stop();
  const peakBytes = Math.max(...memories.map((memory) => memory.peak() ?? 0));
  const right = waits ? await rightOnes(client, reference.id, executions) : 0;
  await client.deactivate(reference);
  return { took, cpu, times, refused, peakBytes, right };
}

const ENDED = encodeURIComponent(JSON.stringify(['success', 'error', 'crashed', 'canceled']));

/** Counts the ended executions of a workflow, without their data. */
async function endedOf(client: N8nClient, workflowId: string): Promise<number> {
  const filter = encodeURIComponent(
    JSON.stringify({ workflowId, status: JSON.parse(decodeURIComponent(ENDED)) as string[] }),
  );
  const { count, results } = await client.call<{ count: number; results: unknown[] }>(
    'GET',
    `/executions?filter=${filter}&limit=1`,
  );
  return Math.max(count, results.length);
}

/** Counts the items whose outcome is what the gateway decided. */
async function rightOnes(client: N8nClient, workflowId: string, executions: number): Promise<number> {
  let right = 0;
  let next: string | undefined;
  for (let seen = 0; seen < executions; ) {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    const { results, nextCursor } = await client.call<{
      results: Array<{ id: string }>;
      nextCursor?: string | null;
    }>('GET', `/executions?filter=${filter}&limit=100${next ? `&cursor=${next}` : ''}`);
    if (results.length === 0) break;
    for (const { id } of results) {
      const items = (await client.getExecution(id)).json('After');
      right += items.filter(isRight).length;
    }
    seen += results.length;
    next = nextCursor ?? undefined;
    if (next === undefined) break;
  }
  return right;
}

const isRight = ({ phone, outcome, final }: Record<string, unknown>): boolean =>
  final === true && outcome === (String(phone).endsWith(FAILING) ? 'failed' : 'delivered');

const FIRST_PHONE = 380501000000;

function workflowOf({ credential }: Host, path: string, count: number, waits: boolean) {
  const parameters = smsForm({
    phone: '={{ $json.phone }}',
    smsSignature: senderNamed(SENDER),
    ...(waits && { waitForDelivery: true, waitAmount: 20, waitUnit: 'minutes' }),
  });
  const nodes: NodeJson[] = [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2.1,
      webhookId: path,
      parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
    },
    {
      name: 'Items',
      type: 'n8n-nodes-base.code',
      typeVersion: 2,
      parameters: {
        jsCode: `const n = Number($input.first().json.body.n); return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: ${FIRST_PHONE} + (n + i) % 900000 } }));`,
      },
    },
    {
      name: 'Send',
      type: `${PACKAGE_NAME}.messagingGateway`,
      typeVersion: 1,
      parameters,
      credentials: { [CREDENTIAL_TYPE]: credential },
    },
    { name: 'After', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
  ].map((node, i) => ({ id: `node-${i}`, position: [200 * i, 0], ...node }));
  const connections: IDataObject = {};
  for (const [i, { name }] of nodes.slice(0, -1).entries()) {
    connections[name] = { main: [[{ node: nodes[i + 1].name, type: 'main', index: 0 }]] };
  }
  return { name: path, nodes, connections };
}

/** A cost as a line of text. */
export function describeWait(cost: WaitCost): string {
  const { mode, executions, messages, seconds, took, sendCpu, waitCpu, peakBytes, p50, p99, refused } = cost;
  const each = Object.entries(cost.waitCpuOf).map(([name, own]) => `${name} ${own.toFixed(1)}`);
  return [
    `  ${mode.padEnd(7)} ${executions} x ${messages} over ${seconds} s: ended after ${took.toFixed(1)} s`,
    `CPU ${sendCpu.toFixed(1)} s to send, ${waitCpu.toFixed(1)} s more to wait${each.length > 1 ? ` (${each.join(', ')})` : ''}`,
    `REST p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms, ${refused} refused`,
    `${cost.callbacks} callbacks, ${cost.statusRequests} requests of any kind`,
    `${cost.right} of ${executions * messages} right`,
    `peak ${Math.round((peakBytes ?? 0) / 2 ** 20)} MB`,
  ].join('; ');
}
