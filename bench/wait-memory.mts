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
import type { Host } from './wait-host.mts';
import { startHost, workflowOf } from './wait-host.mts';

const MESSAGES = 20_000;
const EXECUTIONS = 3;
const MB = 2 ** 20;

/** An answer of Node's inspector. */
interface Answer {
  id: number;
  result: { usedSize?: number };
}

/** Returns the bytes that are in use on the heap of a process after it has collected its garbage. */
async function heapOf(pid: number, logOf: () => Promise<string>): Promise<number> {
  const url = async () => /Debugger listening on (ws:\S+)/.exec(await logOf())?.[1];
  if ((await url()) === undefined) process.kill(pid, 'SIGUSR1');
  for (let i = 0; i < 300 && (await url()) === undefined; i++) await sleep(100);
  if ((await url()) === undefined) throw new Error(`Process ${pid} did not start its inspector`);
  const socket = new WebSocket((await url()) as string);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const ask = async (id: number, method: string): Promise<Answer> => {
    const answered = new Promise<Answer>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)) as Answer;
        if (answer.id === id) resolve(answer);
      });
    });
    socket.send(JSON.stringify({ id, method }));
    return await answered;
  };
  for (let i = 1; i <= 3; i++) await ask(i, 'HeapProfiler.collectGarbage');
  const { result } = await ask(4, 'Runtime.getHeapUsage');
  socket.close();
  return result.usedSize ?? 0;
}

const heaps = async (host: Host): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const [name, pid] of Object.entries(host.pids)) found[name] = await heapOf(pid, host.logs[name]);
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

// Each process on a port of its own.
process.env.BENCH_NODE_OPTIONS = '--inspect-port=0';
const mode = parseArgs({ options: { queue: { type: 'boolean', default: false } } }).values.queue
  ? 'queue'
  : 'regular';
const folder = join(TMP, 'bench', 'n8n-wait-memory');
await rm(folder, { recursive: true, force: true });
const gateway = await startGateway({ outcomes: { fallback: { steps: [] } }, keep: { messages: 300_000 } });
const { host, stop } = await startHost(mode, folder, gateway);
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
