/**
 * What callbacks and single sends cost n8n: milliseconds of processor time for each call, by process, and bytes of its
 * database. Unlike calls a second, processor time depends little on what else the machine does. Linux only. Needs a
 * build: `npm test -- build`.
 *
 * Usage: node bench/callback-cost.mts [--queue] [--legacy] [--calls <n>] [--only <kinds>]
 * --legacy: with n8n's older expression engine, which needs no isolate for each call
 */
import { rm, stat } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import type { N8nClient } from '../tools/n8n-host/rest-client.mts';
import { PACKAGE_NAME, TMP } from '../tools/paths.mts';
import { callAll, callbackOf, untilServed } from './calls.mts';
import { cpuOf, mapCpu, total } from './processor-time.mts';
import { median } from './statistics.mts';
import type { Host } from './wait-host.mts';
import { startHost } from './wait-host.mts';

const { values } = parseArgs({
  options: {
    queue: { type: 'boolean', default: false },
    legacy: { type: 'boolean', default: false },
    calls: { type: 'string', default: '400' },
    only: { type: 'string' },
  },
});
const CALLS = Number(values.calls);
const WARM_UP = Math.min(100, CALLS);
const CONNECTIONS = 4;
const FOLDER = join(TMP, 'bench', 'callback-cost');
const SECRET = 'bench-secret';
const EVENTS_IN_A_BODY = 100;

const ENGINE = values.legacy ? { N8N_EXPRESSION_ENGINE: 'legacy' } : {};

const TRIGGER = `${PACKAGE_NAME}.messagingGatewayTrigger`;
const ACTION = `${PACKAGE_NAME}.messagingGateway`;
const CREDENTIAL = 'messagingGatewayApi';

interface Kind {
  title: string;
  options?: IDataObject;
  query?: string;
  body(): unknown;
  status?: number;
  /** Nodes in place of the trigger; the first one has the webhook. */
  nodes?(credential: { id: string; name: string }): IDataObject[];
}

let serial = 1_000_000;
const event = (fields: object = {}) => ({ ...callbackOf(++serial), ...fields });
const known = event();
const sent: number[] = [];

const webhookNode = {
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2.1,
  parameters: { path: 'cost', httpMethod: 'POST', responseMode: 'onReceived', options: {} },
};
const sendNode = (credential: { id: string; name: string }) => ({
  type: ACTION,
  typeVersion: 1,
  parameters: {
    resource: 'message',
    operation: 'sendSms',
    phone: '={{ $json.body.phone }}',
    smsSignature: { __rl: true, mode: 'name', value: 'TestSender' },
    smsMessage: 'Your code is 123456',
  },
  credentials: { [CREDENTIAL]: credential },
});

const KINDS: Record<string, Kind> = {
  starts: { title: 'starts an execution of the trigger alone', body: () => event() },
  duplicate: { title: 'is a duplicate, acknowledged', body: () => known },
  refused: { title: 'has a wrong secret', query: '?secret=x', body: () => event(), status: 403 },
  verified: {
    title: 'is verified with the gateway and starts an execution',
    options: { verifyWithGateway: true },
    body: () => event({ id: sent.pop(), msg_id: undefined }),
  },
  hundred: {
    title: `carries ${EVENTS_IN_A_BODY} events and starts one execution`,
    body: () => Array.from({ length: EVENTS_IN_A_BODY }, () => event()),
  },
  webhook: {
    title: "starts an execution of n8n's own Webhook node alone",
    body: () => event(),
    nodes: () => [webhookNode],
  },
  send: {
    title: 'starts an execution that sends one SMS (Webhook, Send SMS)',
    body: () => ({ phone: 380501234567 }),
    nodes: (credential) => [webhookNode, sendNode(credential)],
  },
};

/** Bytes of the database of an n8n in one process; undefined in queue mode. */
async function databaseSize(): Promise<number | undefined> {
  if (values.queue) return undefined;
  const files = ['', '-wal'].map((end) => join(FOLDER, '.n8n', `database.sqlite${end}`));
  const sizes = files.map(async (file) => (await stat(file).catch(() => ({ size: 0 }))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Milliseconds of processor time, by process. */
const times = ({ pids, services }: Host): Record<string, number> =>
  mapCpu(cpuOf({ ...pids, ...services }), (seconds) => 1000 * seconds);

/** Waits until n8n has ended what the calls have started, which is when it takes hardly any time. */
async function untilIdle(target: Host): Promise<void> {
  for (let before = total(times(target)), quiet = 0, i = 0; quiet < 3 && i < 240; i++) {
    await sleep(500);
    const now = total(times(target));
    quiet = now - before <= 30 * Object.keys(target.pids).length ? quiet + 1 : 0;
    before = now;
  }
}

async function publish(client: N8nClient, name: string, nodes: IDataObject[]): Promise<string> {
  const named = nodes.map((node, i) => ({
    id: `${name}-${i}`,
    name: `Node ${i}`,
    position: [i * 200, 0],
    ...(i === 0 && { webhookId: `cost-${name}` }),
    ...node,
    ...(node.type === webhookNode.type && {
      parameters: { ...webhookNode.parameters, path: `cost-${name}` },
    }),
  }));
  const connections =
    nodes.length > 1 ? { 'Node 0': { main: [[{ node: 'Node 1', type: 'main', index: 0 }]] } } : {};
  await client.activate(await client.createWorkflow({ name, nodes: named, connections } as never));
  return nodes[0].type === TRIGGER ? `cost-${name}/callback?secret=${SECRET}` : `cost-${name}`;
}

/** Sends so many SMS to the sandbox, so that `status` knows them. */
async function prepareMessages(sandbox: Sandbox, count: number): Promise<void> {
  for (let i = 0; i < count; i += 100) {
    const data = Array.from({ length: 100 }, (_, n) => ({
      type: 'sms',
      id: 1 + i + n,
      phone: 380501234567,
      sms_message: 'Hello',
      sms_signature: 'TestSender',
    }));
    const body = JSON.stringify({ auth: sandbox.account().key, data });
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${sandbox.baseUrl}/api/json.php`, { method: 'POST', headers, body })).arrayBuffer();
    sent.push(...data.map(({ id }) => id));
  }
  await sandbox.settled();
}

async function measure(target: Host, name: string) {
  const kind = KINDS[name];
  const { client, credential, webhooks } = target;
  const trigger = {
    type: TRIGGER,
    typeVersion: 1,
    parameters: {
      outcomes: ['delivered', 'failed', 'read', 'replied'],
      options: { secret: SECRET, ...kind.options },
    },
    ...(kind.options?.verifyWithGateway === true && { credentials: { [CREDENTIAL]: credential } }),
  };
  const path = await publish(client, name, kind.nodes?.(credential) ?? [trigger]);
  const url = `${webhooks.url}/webhook/${kind.query ? path.replace(/\?.*/, kind.query) : path}`;
  await untilServed(url);
  const { body, status } = kind;
  await callAll(url, { count: WARM_UP, connections: CONNECTIONS, body, status });
  await untilIdle(target);
  const [before, sizeBefore] = [times(target), await databaseSize()];
  const milliseconds = await callAll(url, { count: CALLS, connections: CONNECTIONS, body, status });
  await untilIdle(target);
  const [after, sizeAfter] = [times(target), await databaseSize()];
  const each = Object.keys(after).map(
    (part) => `${part} ${((after[part] - before[part]) / CALLS).toFixed(1)}`,
  );
  const bytes =
    sizeAfter === undefined
      ? ''
      : `, ${Math.round((sizeAfter - (sizeBefore ?? 0)) / CALLS)} bytes of database`;
  const answered = `answered in ${Math.round(median(milliseconds))} ms`;
  const sum = ((total(after) - total(before)) / CALLS).toFixed(1);
  console.log(
    `  ${name.padEnd(10)} ${sum.padStart(6)} ms (${each.join(', ')}), ${answered}${bytes}: ${kind.title}`,
  );
}

console.log(
  `${CALLS} calls of each kind, ${values.queue ? 'queue mode' : 'one process, SQLite'}${values.legacy ? ', legacy expression engine' : ''}, ${cpus().length} cores of ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`,
);
const sandbox = await startSandbox({ config: { outcomes: { afterMs: 0 }, keep: { messages: 10_000 } } });
await rm(FOLDER, { recursive: true, force: true });
const gateway = { baseUrl: sandbox.baseUrl, asyncUrl: sandbox.asyncUrl, key: sandbox.account().key };
const { host, stop } = await startHost(values.queue ? 'queue' : 'regular', FOLDER, gateway, ENGINE);
try {
  await prepareMessages(sandbox, Math.ceil((CALLS + WARM_UP) / 100) * 100);
  for (const name of values.only?.split(',') ?? Object.keys(KINDS)) await measure(host, name);
} finally {
  await stop();
  await sandbox.close();
  await rm(FOLDER, { recursive: true, force: true });
}
