/**
 * What n8n's processes hold of executions that wait for 20,000 messages: the heap after garbage collection, less that before
 * them, beside what n8n saves of each. First while they wait, then after a callback for each came in as well.
 *
 * Usage: node bench/wait-memory.mts [--queue]
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { TMP } from '../tools/paths.mts';
import { startGateway } from './gateway.mts';
import { heapInUse, INSPECT } from './heap.mts';
import type { Host } from './wait-host.mts';
import { startHost, workflowOf } from './wait-host.mts';

const MESSAGES = 20_000;
const EXECUTIONS = 3;
const MB = 2 ** 20;

const heaps = async ({ logs }: Host): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const [name, log] of Object.entries(logs)) found[name] = await heapInUse(await log());
  return found;
};

/** Starts executions that wait; returns their ids once n8n has saved them. */
async function asleep(host: Host, path: string, count: number): Promise<string[]> {
  const reference = await host.client.createWorkflow(workflowOf(host, path, MESSAGES, true));
  await host.client.activate(reference);
  await host.webhooks.untilRegistered(`webhook/${path}`);
  for (let i = 0; i < count; i++) await (await host.webhooks.postWebhook(path, { n: i })).arrayBuffer();
  const filter = encodeURIComponent(JSON.stringify({ workflowId: reference.id, status: ['waiting'] }));
  for (;;) {
    const { results } = await host.client.call<{ results: Array<{ id: string }> }>(
      'GET',
      `/executions?filter=${filter}&limit=100`,
    );
    if (results.length === count) return results.map(({ id }) => id);
    await sleep(1000);
  }
}

const mode = parseArgs({ options: { queue: { type: 'boolean', default: false } } }).values.queue
  ? 'queue'
  : 'regular';
const folder = join(TMP, 'bench', 'n8n-wait-memory');
await rm(folder, { recursive: true, force: true });
const gateway = await startGateway({ outcomes: { fallback: { steps: [] } }, keep: { messages: 300_000 } });
const { host, stop } = await startHost(mode, folder, gateway, { NODE_OPTIONS: INSPECT });
try {
  await asleep(host, 'warm-up', 1);
  await sleep(20_000);
  const before = await heaps(host);
  const ids = await asleep(host, 'measured', EXECUTIONS);
  await sleep(20_000);
  const { data } = await host.client.call<{ data: string }>('GET', `/executions/${ids[0]}`);
  console.log(
    `${mode}: n8n saves ${(data.length / MB).toFixed(1)} MB of an execution with ${MESSAGES} messages`,
  );
  const tell = async (when: string) => {
    const now = await heaps(host);
    const each = Object.entries(now).map(
      ([name, bytes]) => `${name} ${((bytes - before[name]) / EXECUTIONS / MB).toFixed(1)} MB`,
    );
    console.log(`${when}, for each: ${each.join(', ')}`);
  };
  await tell('While they wait');
  const messages = (await gateway.control('messages?limit=300000')) as unknown as Array<{
    id: string;
    hook?: string;
  }>;
  for (const { id, hook } of messages.filter((message) => message.hook !== undefined).slice(-EXECUTIONS)) {
    const body = JSON.stringify({ id, type: 'sms', status: 'SENT', success: false });
    const { status } = await fetch(hook as string, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (status !== 200) throw new Error(`n8n answered a callback with ${status}`);
  }
  await sleep(20_000);
  await tell('After a callback for each');
} finally {
  await stop();
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
}
