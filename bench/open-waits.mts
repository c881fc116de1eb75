import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox, SandboxMessage } from '../sandbox/server.mts';
import { startSandbox } from '../sandbox/server.mts';
import { TMP } from '../tools/paths.mts';
import { API_KEY } from './gateway.mts';
import { heapOf } from './heap.mts';
import type { Cpu } from './processor-time.mts';
import { cpuOf, mapCpu, minus, total } from './processor-time.mts';
import { percentile } from './statistics.mts';
import type { Host, Waiting, WaitMode } from './wait-host.mts';
import { endedOf, executionsOf, FAILING, isRight, phonesFrom, startHost, workflowOf } from './wait-host.mts';

/** Executions that wait at the same time, and the messages of each. */
export interface OpenWaits {
  executions: number;
  messages: number;
}

/** Executions that begin in a second at most. */
const BEGUN = 10;

/** Executions whose last outcome comes in, in a second: their ends take n8n longer, and longest where it has four processes. */
const ENDED: Record<WaitMode, number> = { regular: 8, queue: 3 };

/** Executions that have begun and not sent yet, at most: a busy n8n begins fewer than `BEGUN`. */
const MOST_UNDER_WAY = 20;

/** Executions that n8n's own Wait node lets sleep, of each case at most: n8n keeps some of any execution that sleeps. */
const BY_N8N = 1000;
const WARM_UP: OpenWaits = { executions: 100, messages: 1 };

/** How long n8n collects itself before its heap is measured, and rests for its processor time. */
const SETTLE_S = 30;
const REST_S = 60;

/** How long the outcomes of all but the last message of each execution take, and how long until all of those are known. */
const EARLY_S = 60;
const KNOWN_S = 40;

const LONGEST_S = 3600;

/** With n8n's default engine, an execution takes more than twice as long: more than a core for ten a second. */
const ENGINE = { N8N_EXPRESSION_ENGINE: 'legacy' };

/**
 * Opens waits in a real n8n, lets them rest, and ends them, half by a callback and half by an outcome without one. Gives lines of text to
 * `tell`. The gateway is in this process.
 */
export async function benchOpenWaits(
  modes: WaitMode[],
  waits: OpenWaits[],
  tell: (line: string) => void,
): Promise<void> {
  for (const mode of modes) {
    const folder = join(TMP, 'bench', `n8n-open-waits-${mode}`);
    await rm(folder, { recursive: true, force: true });
    const keep = { messages: 100_000, requests: 100_000, requestBytes: 2 ** 30, callbacks: 100_000 };
    const sandbox = await startSandbox({
      key: API_KEY,
      config: { outcomes: { fallback: { steps: [] } }, keep },
    });
    const { host, stop } = await startHost(mode, folder, sandbox, ENGINE);
    try {
      await begin({ host, sandbox }, WARM_UP, 'nobody');
      for (const each of waits) await measure({ host, sandbox }, each, tell);
    } finally {
      await stop();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

interface Place {
  host: Host;
  sandbox: Sandbox;
}

async function measure(place: Place, waits: OpenWaits, tell: (line: string) => void): Promise<void> {
  const { host, sandbox } = place;
  const { executions, messages } = waits;
  // A first wait, for what n8n keeps of any.
  const first = await begin(place, { executions: 1, messages }, 'node');
  for (const message of sandbox.messages.list()) finish(sandbox, message, false);
  await untilEnded(host, first.workflowId, 1);
  const without = await settledHeap(host);
  const byN8n = { executions: Math.min(executions, BY_N8N), messages };
  await begin(place, byN8n, 'waitNode');
  const heap = await settledHeap(host);
  const idle = await atRest(host);
  sandbox.reset();

  const openAt = Date.now();
  const { workflowId, cpu } = await begin(place, waits, 'node');
  const openedAt = Date.now();
  tell(
    `${host.mode}: ${executions} x ${messages} opened in ${seconds(openedAt - openAt)} s, ${((1000 * total(cpu)) / executions).toFixed(0)} ms of processor time each`,
  );
  const own = perExecution(await settledHeap(host), heap, waits);
  const n8ns = perExecution(heap, without, byN8n);
  const restAt = Date.now();
  const rest = await atRest(host);
  tell(
    `  bytes of heap for an execution: ${shown(own, Math.round)} (with n8n's own Wait node: ${shown(n8ns, Math.round)})`,
  );
  tell(`  at rest, of a core: ${shown(rest, percent)} (without waits: ${shown(idle, percent)})`);

  const endAt = Date.now();
  const ends = await end(place, waits);
  await untilEnded(host, workflowId, executions);
  const endedAt = Date.now();
  const requests = [
    [openAt, openedAt],
    [restAt, endAt],
    [endAt, endedAt],
  ].map(([from, to]) => statusRate(sandbox, from, to));
  tell(
    `  requests of status a second: ${requests[0]} while opened, ${requests[1]} at rest, ${requests[2]} while ended in ${seconds(endedAt - endAt)} s`,
  );
  tell(`  ${await judge(host, workflowId, ends)}`);
  sandbox.reset();
}

/** The end of a message: when, and whether the gateway called. */
interface End {
  at: number;
  isCalled: boolean;
}

/** Gives a message its outcome, with a callback or without. */
function finish(sandbox: Sandbox, { msgId, phone }: SandboxMessage, isCalled: boolean): End {
  const status = String(phone).endsWith(FAILING) ? 'UNDELIVERABLE' : 'DELIVERED';
  sandbox.act(msgId, 'status', { status, silent: !isCalled });
  return { at: Date.now(), isCalled };
}

/**
 * Ends all messages, in the order in which they were sent: at first all but one of each execution, then those, so many
 * a second. Every second execution has its last outcome with a callback. Returns those ends by the phones of all messages of the execution.
 */
async function end({ host, sandbox }: Place, { executions, messages }: OpenWaits): Promise<Map<number, End>> {
  const sent = sandbox.messages.list().sort((a, b) => a.phone - b.phone);
  const all = Array.from({ length: executions }, (_, i) => sent.slice(i * messages, (i + 1) * messages));
  const isCalled = (i: number): boolean => i % 2 === 0;
  const lasts = all.map(
    (own, i) => own.findLast(({ hook }) => messages === 1 || (hook !== undefined) === isCalled(i))!,
  );
  const early = all.flatMap((own, i) => own.filter((message) => message !== lasts[i]));
  for (const [i, message] of early.entries()) {
    finish(sandbox, message, isCalled(i));
    if (i % messages === 0) await sleep((1000 * EARLY_S) / executions);
  }
  if (early.length > 0) await sleep(1000 * KNOWN_S);
  const start = Date.now();
  const ends = new Map<number, End>();
  for (const [i, last] of lasts.entries()) {
    await sleepUntil(start + (1000 * i) / ENDED[host.mode]);
    const ended = finish(sandbox, last, isCalled(i));
    for (const { phone } of all[i]) ends.set(phone, ended);
  }
  return ends;
}

/** Counts the items with the outcome that the gateway decided, and says how soon each execution went on after its last one. */
async function judge({ client }: Host, workflowId: string, ends: Map<number, End>): Promise<string> {
  let right = 0;
  const late = { called: [] as number[], asked: [] as number[] };
  for await (const execution of executionsOf(client, workflowId)) {
    const items = execution.json('After');
    right += items.filter(isRight).length;
    const last = ends.get(Number(items.at(0)?.phone));
    const [after] = execution.runs('After');
    if (last) late[last.isCalled ? 'called' : 'asked'].push(after.startTime - last.at);
  }
  const times = (all: number[]): string =>
    `${seconds(percentile(all, 50))} s (p99 ${seconds(percentile(all, 99))}, at most ${seconds(Math.max(...all))})`;
  return `${right} of ${ends.size} right; gone on ${times(late.called)} after a callback, ${times(late.asked)} after an outcome without one`;
}

let serial = 0;

/** Has executions send their messages. Returns once the gateway has all, with the processor time that n8n took. */
async function begin(
  { host, sandbox }: Place,
  { executions, messages }: OpenWaits,
  waiting: Waiting,
): Promise<{ workflowId: string; cpu: Cpu }> {
  const { client, webhooks, pids } = host;
  const path = `bench-open-waits-${++serial}`;
  const reference = await client.createWorkflow(workflowOf(host, path, waiting, 2 * LONGEST_S));
  await client.activate(reference);
  await webhooks.untilRegistered(`webhook/${path}`);
  const cpu = cpuOf(pids);
  const start = Date.now();
  const before = sandbox.messages.accepted;
  const accepted = (): number => (sandbox.messages.accepted - before) / messages;
  for (let i = 0; i < executions; i++) {
    await sleepUntil(start + (1000 * i) / BEGUN);
    while (i - accepted() >= MOST_UNDER_WAY) await sleep(20);
    const phones = phonesFrom(i * messages, messages);
    await (await webhooks.postWebhook(path, { phones })).arrayBuffer();
  }
  while (accepted() < executions) await sleep(20);
  return { workflowId: reference.id, cpu: minus(cpuOf(pids), cpu) };
}

async function sleepUntil(at: number): Promise<void> {
  const left = at - Date.now();
  if (left > 0) await sleep(left);
}

async function untilEnded({ client }: Host, workflowId: string, executions: number): Promise<void> {
  const deadline = Date.now() + 1000 * LONGEST_S;
  while ((await endedOf(client, workflowId).catch(() => 0)) < executions && Date.now() < deadline)
    await sleep(500);
}

/** Shares of a core that n8n's processes take while nothing begins or ends. */
async function atRest({ pids }: Host): Promise<Cpu> {
  const before = cpuOf(pids);
  const start = performance.now();
  await sleep(1000 * REST_S);
  const rested = (performance.now() - start) / 1000;
  return mapCpu(minus(cpuOf(pids), before), (taken) => taken / rested);
}

async function settledHeap({ processes }: Host): Promise<Heaps> {
  await sleep(1000 * SETTLE_S);
  const heaps: Heaps = {};
  for (const [name, one] of Object.entries(processes)) heaps[name] = await heapOf(one);
  return heaps;
}

type Heaps = Record<string, number>;

const perExecution = (after: Heaps, before: Heaps, { executions }: OpenWaits): Heaps =>
  mapCpu(after, (bytes, name) => (bytes - before[name]) / executions);

/** Requests of `status` a second, and the most of any second. */
function statusRate({ requests }: Sandbox, from: number, to: number): string {
  const times = requests
    .filter(({ at, raw }) => at >= from && at < to && raw.subarray(0, 200).includes('"status"'))
    .map(({ at }) => at);
  const most = Math.max(
    0,
    ...times.map((at, i) => times.findLastIndex((other) => other < at + 1000) - i + 1),
  );
  return `${((1000 * times.length) / (to - from)).toFixed(1)} (at most ${most})`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A figure of each process; of one process alone without its name. */
function shown(figures: Heaps | Cpu, as: (figure: number) => number | string): string {
  const all = Object.entries(figures);
  return all.map(([name, figure]) => (all.length > 1 ? `${name} ${as(figure)}` : `${as(figure)}`)).join(', ');
}
