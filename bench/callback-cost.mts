/**
 * What callbacks and single sends cost n8n: milliseconds of processor time for each call, by process, and bytes of its
 * database. Unlike calls a second, processor time depends little on what else the machine does. Linux only. Needs a
 * build: `npm test -- build`.
 *
 * Usage: node bench/callback-cost.mts [--queue] [--legacy | --lazy | --same-isolate] [--calls <n>] [--only <kinds>]
 * --legacy: with n8n's older expression engine, which needs no isolate for each call
 * --lazy: with an isolate only where an expression needs one (2.41)
 * --same-isolate: n8n's own Webhook node gets an isolate too, which n8n spares it (`webhookPhaseNeedsIsolate`, 2.41)
 */
import { rm, stat } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { smsForm } from '../test/support/sends.mts';
import type { N8nClient } from '../tools/n8n-host/rest-client.mts';
import type { NodeJson } from '../tools/n8n-host/workflow.mts';
import { chainOf } from '../tools/n8n-host/workflow.mts';
import { PACKAGE_NAME, TMP } from '../tools/paths.mts';
import { CREDENTIAL_TYPE } from './contestants.mts';
import { cpuOf, mapCpu, total } from './processor-time.mts';
import { median } from './statistics.mts';
import type { Host } from './wait-host.mts';
import { startHost } from './wait-host.mts';

const { values } = parseArgs({
  options: {
    queue: { type: 'boolean', default: false },
    legacy: { type: 'boolean', default: false },
    lazy: { type: 'boolean', default: false },
    'same-isolate': { type: 'boolean', default: false },
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
const EVENTS_OF_A_STRANGER = 1000;

const ENGINE = {
  ...(values.legacy && { N8N_EXPRESSION_ENGINE: 'legacy' }),
  ...(values.lazy && { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }),
  ...(values['same-isolate'] && { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' }),
};

const TRIGGER = `${PACKAGE_NAME}.messagingGatewayTrigger`;
const ACTION = `${PACKAGE_NAME}.messagingGateway`;

interface Kind {
  title: string;
  options?: IDataObject;
  query?: string;
  body(): unknown;
  status?: number;
  /** Nodes in place of the trigger; the first one has the webhook. */
  nodes?(credential: { id: string; name: string }): NodeJson[];
}

let serial = 1_000_000;
/** A callback as a gateway sends it, of another message each time. */
const event = (fields: object = {}) => ({
  success: true,
  id: String(++serial),
  msg_id: String(8_000_000 + serial),
  type: 'sms',
  status: 'DELIVERED',
  updated: '2026-01-01T00:00:00Z',
  ...fields,
});
const known = event();
const sent: number[] = [];

const webhookNode: NodeJson = {
  name: 'Webhook',
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2.1,
  parameters: { httpMethod: 'POST', responseMode: 'onReceived', options: {} },
};
const sendNode = (credential: { id: string; name: string }): NodeJson => ({
  name: 'Send SMS',
  type: ACTION,
  parameters: smsForm({ phone: '={{ $json.body.phone }}', smsMessage: 'Your code is 123456' }),
  credentials: { [CREDENTIAL_TYPE]: credential },
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
  stranger: {
    title: `brings ${EVENTS_OF_A_STRANGER} events to be verified, without a secret, and is refused`,
    // An empty one would keep the trigger from being published.
    options: { verifyWithGateway: true, secret: undefined },
    body: () => Array.from({ length: EVENTS_OF_A_STRANGER }, () => event()),
    status: 413,
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

async function publish(client: N8nClient, name: string, nodes: NodeJson[]): Promise<string> {
  const [first, ...others] = nodes;
  const path = `cost-${name}`;
  const parameters = first.type === TRIGGER ? first.parameters : { ...first.parameters, path };
  const chain = chainOf(name, [{ ...first, webhookId: path, parameters }, ...others]);
  await client.activate(await client.createWorkflow(chain));
  return first.type === TRIGGER ? `${path}/callback?secret=${SECRET}` : path;
}

/** Sends so many SMS to the sandbox, so that `status` knows them. */
async function prepareMessages(sandbox: Sandbox, count: number): Promise<void> {
  const data = Array.from({ length: count }, (_, n) => ({
    type: 'sms',
    id: 1 + n,
    phone: 380501234567,
    sms_message: 'Hello',
    sms_signature: 'TestSender',
  }));
  const body = JSON.stringify({ auth: sandbox.account().key, data });
  const headers = { 'content-type': 'application/json' };
  await (await fetch(`${sandbox.baseUrl}/api/json.php`, { method: 'POST', headers, body })).arrayBuffer();
  sent.push(...data.map(({ id }) => id));
  await sandbox.settled();
}

/** Makes calls over a few connections, returns the milliseconds of each. @throws Error for an unexpected answer */
async function callAll(url: string, count: number, { body, status = 200 }: Kind): Promise<number[]> {
  const milliseconds: number[] = [];
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const start = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body()),
      });
      await response.arrayBuffer();
      if (response.status !== status) throw new Error(`${url} answered ${response.status}`);
      milliseconds.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return milliseconds;
}

/** Measures calls of a kind; returns the milliseconds of processor time of each. */
async function measure(target: Host, name: string): Promise<number> {
  const kind = KINDS[name];
  const { client, credential, webhooks } = target;
  const trigger: NodeJson = {
    name: 'Callback',
    type: TRIGGER,
    typeVersion: 1.1,
    parameters: {
      outcomes: ['delivered', 'failed', 'read', 'replied'],
      options: { secret: SECRET, ...kind.options },
    },
    ...(kind.options?.verifyWithGateway === true && { credentials: { [CREDENTIAL_TYPE]: credential } }),
  };
  const path = await publish(client, name, kind.nodes?.(credential) ?? [trigger]);
  const url = `${webhooks.url}/webhook/${kind.query ? path.replace(/\?.*/, kind.query) : path}`;
  await (await webhooks.postWebhook(path, {})).arrayBuffer();
  await callAll(url, WARM_UP, kind);
  await untilIdle(target);
  const [before, sizeBefore] = [times(target), await databaseSize()];
  const milliseconds = await callAll(url, CALLS, kind);
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
  const cost = (total(after) - total(before)) / CALLS;
  console.log(
    `  ${name.padEnd(10)} ${cost.toFixed(1).padStart(6)} ms (${each.join(', ')}), ${answered}${bytes}: ${kind.title}`,
  );
  return cost;
}

console.log(
  `${CALLS} calls of each kind, ${values.queue ? 'queue mode' : 'one process, SQLite'}${values.legacy ? ', legacy expression engine' : ''}${values.lazy ? ', isolates on demand' : ''}${values['same-isolate'] ? ', isolate for the Webhook node' : ''}, ${cpus().length} cores of ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`,
);
const sandbox = await startSandbox({ config: { outcomes: { afterMs: 0 }, keep: { messages: 10_000 } } });
await rm(FOLDER, { recursive: true, force: true });
const gateway = { baseUrl: sandbox.baseUrl, asyncUrl: sandbox.asyncUrl, key: sandbox.account().key };
const { host, stop } = await startHost(values.queue ? 'queue' : 'regular', FOLDER, gateway, ENGINE);
try {
  await prepareMessages(sandbox, CALLS + WARM_UP);
  const costs: Record<string, number> = {};
  for (const name of values.only?.split(',') ?? Object.keys(KINDS)) costs[name] = await measure(host, name);
  const ratio = costs.webhook / costs.starts;
  if (values['same-isolate'] && Number.isFinite(ratio)) {
    console.log(
      `  The trigger takes as many callbacks a second as ${ratio.toFixed(2)} Webhook nodes; at least 0.95`,
    );
    process.exitCode = ratio < 0.95 ? 1 : 0;
  }
} finally {
  await stop();
  await sandbox.close();
  await rm(FOLDER, { recursive: true, force: true });
}
