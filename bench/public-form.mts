import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { admit, countCodes, formEntrance, lookFor, webPageEntrance } from '../test/support/otp-crowd.mts';
import type { CrowdCount, Entrance } from '../test/support/otp-crowd.mts';
import { callHook, publishExample, untilServed } from '../test/support/otp-host.mts';
import type { N8nProcess } from '../tools/n8n-host/n8n-process.mts';
import { startN8n } from '../tools/n8n-host/n8n-process.mts';
import { N8nClient } from '../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../tools/n8n-host/workflow.mts';
import { withCredential } from '../tools/n8n-host/workflow.mts';
import { packed } from '../tools/package.mts';
import { TMP } from '../tools/paths.mts';
import { readExamples } from '../tools/start/examples.mts';
import { CREDENTIAL_TYPE } from './contestants.mts';
import type { BenchGateway } from './gateway.mts';
import { API_KEY, startGateway } from './gateway.mts';
import { OWNER } from './in-n8n.mts';
import { ProcessMemory } from './process-memory.mts';

/** One-time passwords behind a page that is open to everybody: what a form costs n8n, and what a crowd does to it. */

export interface FormPlan {
  /** Executions that wait at the page that asks for the code; 0 leaves their cost out. */
  executions: number;
  /** Submissions of strangers to the form, and as many to the web page; 0 leaves the crowd out. */
  submissions: number;
}

/** How n8n evaluates expressions. */
const ENGINES = { default: {}, legacy: { N8N_EXPRESSION_ENGINE: 'legacy' } };
type Engine = keyof typeof ENGINES;

/** Bytes of n8n's process, after a garbage collection. */
interface Memory {
  resident: number;
  /** Objects of JavaScript. */
  heap: number;
}

/** What waiting executions of a form cost. */
export interface FormCost {
  engine: Engine;
  /** Whether the form has this package's nodes, or Edit Fields in their place. */
  form: 'example' | 'without this node';
  executions: number;
  /** Bytes for each execution that waits. */
  each: Memory;
  /** Bytes that stay for each once they were stopped. */
  left: Memory;
}

/**
 * Where a crowd gets in, and the engine that it meets there. With n8n's default engine a crowd of thousands at a form
 * takes tens of gigabytes, with this package or without it: see docs/one-time-passwords.md.
 */
const ENTRANCES = {
  form: { engine: 'legacy', open: openForm },
  'web page': { engine: 'default', open: openWebPage },
} as const satisfies Record<string, { engine: Engine; open: OpenEntrance }>;
type EntranceName = keyof typeof ENTRANCES;

/** Publishes an example and returns how to get in. */
type OpenEntrance = (host: Host, codeFor: (phone: number) => Promise<string>) => Promise<Entrance>;

/** What became of a crowd. */
export interface CrowdCost extends CrowdCount {
  entrance: EntranceName;
  submissions: number;
  numbers: number;
  /** Codes that strangers got: all, and the most to one number. */
  codes: number;
  most: number;
  startBytes: number;
  peakBytes: number;
  endBytes: number;
}

const FIRST_PHONE = 447700900000;
const NUMBERS = 500;
const VISITORS = 10;
/** Submissions before anything is measured. */
const WARM_UP = 20;
const AT_ONCE = 4;
const SETTLE_MS = 5000;
const WAIT_LIMIT_MS = 300_000;

const GATEWAY = {
  outcomes: { fallback: { steps: [] } },
  keep: { messages: 10_000, counts: true, requests: 0, requestBytes: 0, callbacks: 0 },
};

interface Host {
  n8n: N8nProcess;
  client: N8nClient;
  gateway: BenchGateway;
  credential: { id: string; name: string };
}

/** Measures the form, with and without this package and with each engine, and then a crowd at each entrance. */
export async function benchPublicForm(
  { executions, submissions }: FormPlan,
  tell: (line: string) => void,
): Promise<void> {
  for (const engine of executions > 0 ? (Object.keys(ENGINES) as Engine[]) : []) {
    for (const form of ['without this node', 'example'] as const) {
      const cost = await withN8n('n8n-form', engine, (host) =>
        measureForm(host, { engine, form, executions }),
      );
      tell(describeForm(cost));
    }
  }
  for (const entrance of submissions > 0 ? (Object.keys(ENTRANCES) as EntranceName[]) : []) {
    const { engine } = ENTRANCES[entrance];
    tell(
      describeCrowd(await withN8n('n8n-crowd', engine, (host) => measureCrowd(host, entrance, submissions))),
    );
  }
}

async function withN8n<T>(name: string, engine: Engine, measure: (host: Host) => Promise<T>): Promise<T> {
  const folder = join(TMP, 'bench', name);
  await rm(folder, { recursive: true, force: true });
  const gateway = await startGateway(GATEWAY);
  const env = { ...ENGINES[engine], N8N_METRICS: 'true', NODE_OPTIONS: '--inspect=127.0.0.1:0' };
  const n8n = await startN8n({ folder, tarball: await packed(), env });
  try {
    const client = new N8nClient(n8n.url);
    await client.setUpOwner(OWNER);
    const { baseUrl, asyncUrl } = gateway;
    const data = { apiKey: API_KEY, baseUrl, asyncUrl, mcpUrl: '' };
    const credential = await client.createCredential('Gateway', CREDENTIAL_TYPE, data);
    return await measure({ n8n, client, gateway, credential });
  } finally {
    await n8n.stop();
    await gateway.stop();
    await rm(join(folder, '.n8n', 'database.sqlite'), { force: true });
  }
}

async function measureForm(
  host: Host,
  { engine, form, executions }: Pick<FormCost, 'engine' | 'form' | 'executions'>,
): Promise<FormCost> {
  const { n8n, client, credential } = host;
  const { 'one-time-password-form': example } = await readExamples();
  const workflow = form === 'example' ? withCredential(example, CREDENTIAL_TYPE, credential) : alone(example);
  const reference = await client.createWorkflow(workflow);
  await client.activate(reference);
  const url = `${n8n.url}/form/one-time-password`;
  await untilServed(url);

  let phone = FIRST_PHONE;
  const fill = async (count: number) => {
    const last = phone + count;
    const lane = async () => {
      while (phone < last) await submit(url, phone++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    await untilWaiting(client, reference.id, last - FIRST_PHONE);
    return await memoryOf(n8n);
  };
  const before = await fill(WARM_UP);
  const during = await fill(executions);
  await stopAll(client, reference.id);
  const after = await memoryOf(n8n);
  return {
    engine,
    form,
    executions,
    each: share(before, during, executions),
    left: share(before, after, executions),
  };
}

/** The example without this package: Edit Fields return what the nodes that send would. */
function alone({ nodes, ...workflow }: WorkflowJson): WorkflowJson {
  const fields = { phone: '={{ $json.phone }}', challenge: 'A'.repeat(300), channel: 'sms', reason: 'ok' };
  const assignments = Object.entries(fields).map(([name, value]) => ({
    id: name,
    name,
    value,
    type: 'string',
  }));
  return {
    ...workflow,
    nodes: nodes.map(({ credentials, ...node }: NodeJson) =>
      credentials === undefined
        ? node
        : {
            ...node,
            type: 'n8n-nodes-base.set',
            typeVersion: 3.4,
            parameters: { assignments: { assignments }, options: {} },
          },
    ),
  };
}

const share = (before: Memory, after: Memory, count: number): Memory => ({
  resident: (after.resident - before.resident) / count,
  heap: (after.heap - before.heap) / count,
});

/** @throws Error where the form refuses the number */
async function submit(url: string, phone: number): Promise<void> {
  const body = new FormData();
  body.append('field-0', String(phone));
  const response = await fetch(url, { method: 'POST', body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

/** What is still in use, in n8n's own words. */
async function memoryOf(n8n: N8nProcess): Promise<Memory> {
  await collectGarbage(n8n);
  await sleep(SETTLE_MS);
  const { url } = n8n;
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^n8n_${name} (\\S+)`, 'm').exec(text)?.[1]);
  return { resident: value('process_resident_memory_bytes'), heap: value('nodejs_heap_size_used_bytes') };
}

/** Has the process collect its garbage, over the protocol of its debugger. */
async function collectGarbage({ log }: N8nProcess): Promise<void> {
  const [address = ''] = /ws:\/\/\S+/.exec(await log()) ?? [];
  const socket = new WebSocket(address);
  const event = async (name: string) =>
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener(name, () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`No debugger answers at "${address}"`)));
    });
  await event('open');
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await event('message');
  socket.close();
}

/** Ids of the executions that wait, as many as n8n lists at once. */
async function waiting(client: N8nClient, workflowId: string): Promise<{ ids: string[]; count: number }> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['waiting'] }));
  const { results, count } = await client.call<{ results: Array<{ id: string }>; count: number }>(
    'GET',
    `/executions?filter=${filter}&limit=100`,
  );
  return { ids: results.map(({ id }) => id), count: Math.max(count, results.length) };
}

async function untilWaiting(client: N8nClient, workflowId: string, count: number): Promise<void> {
  for (const end = Date.now() + WAIT_LIMIT_MS; Date.now() < end; await sleep(500)) {
    if ((await waiting(client, workflowId)).count >= count) return;
  }
  throw new Error(`There are not ${count} executions that wait`);
}

async function stopAll(client: N8nClient, workflowId: string): Promise<void> {
  for (;;) {
    const { ids } = await waiting(client, workflowId);
    if (ids.length === 0) return;
    for (const id of ids) await client.call('POST', `/executions/${id}/stop`);
  }
}

/** The cooldown and the limit of the workflow would hide those of the numbers. */
const CROWD_OPTIONS = { cooldown: 0, workflowLimit: 2000 };

async function openForm({ n8n, client, credential }: Host, codeFor: (phone: number) => Promise<string>) {
  await publishExample(client, 'one-time-password-form', credential, {
    path: 'bench',
    options: CROWD_OPTIONS,
  });
  const url = `${n8n.url}/form/one-time-password-bench`;
  await untilServed(url);
  return formEntrance(url, codeFor);
}

async function openWebPage({ client, credential }: Host, codeFor: (phone: number) => Promise<string>) {
  await publishExample(client, 'one-time-password-web-page', credential, {
    path: 'bench',
    options: CROWD_OPTIONS,
  });
  await callHook(client, 'one-time-password-bench-verify', { challenge: '', phone: '', code: '' });
  return webPageEntrance(client, 'bench', codeFor);
}

async function measureCrowd(host: Host, entrance: EntranceName, submissions: number): Promise<CrowdCost> {
  const { n8n, gateway } = host;
  const messages = async (query: string) =>
    (await gateway.control(`messages?limit=10000${query}`)) as unknown as Array<{
      phone: number;
      operation: { sms_message?: string };
    }>;
  const codeFor = async (phone: number) =>
    await lookFor(`The code for ${phone}`, async () => {
      const [message] = await messages(`&phone=${phone}`);
      return /\d{6}/.exec(message?.operation.sms_message ?? '')?.[0];
    });
  const opened = await ENTRANCES[entrance].open(host, codeFor);
  const memory = new ProcessMemory(n8n.pid);
  const startBytes = (await memoryOf(n8n)).resident;
  const firstStranger = FIRST_PHONE + VISITORS;
  memory.start();
  const count = await admit({ submissions, numbers: NUMBERS, visitors: VISITORS, firstStranger, ...opened });
  memory.stop();
  // Only an n8n that is still up answers this.
  const endBytes = (await memoryOf(n8n)).resident;
  const phones = (await messages('')).map(({ phone }) => phone);
  const { all, most } = countCodes(phones, firstStranger);
  return {
    ...count,
    entrance,
    submissions,
    numbers: NUMBERS,
    codes: all,
    most,
    startBytes,
    peakBytes: memory.peak() ?? 0,
    endBytes,
  };
}

const megabytes = (bytes: number): string =>
  `${(bytes / 2 ** 20).toFixed(Math.abs(bytes) < 2 ** 25 ? 1 : 0)} MB`;

function describeForm({ engine, form, executions, each, left }: FormCost): string {
  return [
    `  ${engine.padEnd(8)} ${form.padEnd(18)} ${executions} executions wait:`,
    `${megabytes(each.resident)} each (${megabytes(each.heap)} of them objects);`,
    `${megabytes(left.resident)} (${megabytes(left.heap)}) stay once they were stopped`,
  ].join(' ');
}

function describeCrowd(cost: CrowdCost): string {
  const { entrance, submissions, numbers, seconds, statuses, codes, most, confirmed, visitors } = cost;
  return [
    `  ${entrance} (engine: ${ENTRANCES[entrance].engine}):`,
    `${submissions} submissions with ${numbers} numbers in ${Math.round(seconds)} s,`,
    `answered ${JSON.stringify(statuses)}; ${codes} codes sent, ${most} to one number at most;`,
    `${confirmed} of ${visitors} honest visitors confirmed;`,
    `n8n ${megabytes(cost.startBytes)}, at most ${megabytes(cost.peakBytes)}, then ${megabytes(cost.endBytes)}`,
  ].join(' ');
}
