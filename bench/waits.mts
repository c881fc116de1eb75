import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { TMP } from '../tools/paths.mts';
import type { BenchGateway } from './gateway.mts';
import { startGateway } from './gateway.mts';
import type { Cpu } from './processor-time.mts';
import { cpuOf, forgetPeak, mapCpu, minus, peakBytesOf } from './processor-time.mts';
import { percentile } from './statistics.mts';
import type { Host, Waiting, WaitMode } from './wait-host.mts';
import { endedOf, executionsOf, FAILING, isRight, phonesFrom, startHost, workflowOf } from './wait-host.mts';

export interface WaitPlan {
  modes: WaitMode[];
  /** Messages of one execution, and the seconds over which their outcomes come in. */
  waits: Array<{ messages: number; seconds: number }>;
  /** How often each wait is measured. */
  repeat: number;
}

/** What a wait cost. */
export interface WaitCost {
  mode: WaitMode;
  messages: number;
  seconds: number;
  /** Seconds until the execution had ended. */
  took: number;
  /** Seconds of processor time of n8n's processes: of the same sends without a wait, and of the wait beyond that. */
  sendCpu: Cpu;
  waitCpu: Cpu;
  /** The same of n8n's own Wait node behind the same sends, for as long as the outcomes come in: of n8n's saving and loading alone. */
  waitNodeCpu: Cpu;
  /** Most bytes of n8n's resident set, of the largest process. */
  peakBytes: number;
  /** Milliseconds of n8n's REST interface meanwhile and during the same sends alone, and requests that it refused. */
  p50: number;
  p99: number;
  sendP99: number;
  refused: number;
  /** Calls of the gateway that reached n8n, and its `status` requests. */
  callbacks: number;
  statusRequests: number;
  /** Items with the outcome that the gateway decided. */
  right: number;
}

/** Requests of n8n's REST interface in a wait: of fifty, the p99 would be the slowest; each takes n8n 3 ms of processor time. */
const POLLS = 500;
/** How long n8n runs before anything is measured: in its first minute it takes more for everything. */
const WARM_UP_S = 60;
/**
 * How long n8n is watched after an execution has ended: V8 collects the garbage of a large one some time later. Having it
 * collected would be quicker, but V8 then forgets the code it has compiled, so that n8n takes twice as long to load the next.
 */
const AFTERWARDS_S = 30;
/** How long after the last outcome a wait has usually ended. */
const LATENESS_S = 5;
/** How long n8n rests after the outcomes have been read from it, which it loads like any execution. */
const REST_S = 10;
const LONGEST_S = 600;

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

/** Lets an execution wait for its messages in a real n8n. Gives the costs of each wait and mode to `tell`. */
export async function benchWaits(plan: WaitPlan, tell: (costs: WaitCost[]) => void): Promise<void> {
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
  tell: (costs: WaitCost[]) => void,
): Promise<void> {
  const folder = join(TMP, 'bench', `n8n-waits-${mode}`);
  await rm(folder, { recursive: true, force: true });
  const { host, stop } = await startHost(mode, folder, gateway);
  try {
    // As large as what is measured: V8 compiles on the first run of such a size, which would be the one without a wait.
    const messages = Math.max(500, ...plan.waits.map((wait) => wait.messages));
    await runAll(host, { messages, seconds: 2 }, { waiting: 'node', atLeast: WARM_UP_S });
    for (const wait of plan.waits) {
      const costs: WaitCost[] = [];
      for (let i = 0; i < plan.repeat; i++) costs.push(await measure(host, gateway, wait));
      tell(costs);
    }
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Case {
  messages: number;
  seconds: number;
}

/**
 * The processor time of a wait is that of n8n from the start of the execution until some seconds after its end, less
 * that of the same execution without a wait, which comes before it and is watched for as long: what n8n does while idle,
 * and for what the measurement asks it, is in both.
 */
async function measure(host: Host, gateway: BenchGateway, wait: Case): Promise<WaitCost> {
  await gateway.control('config', CONFIG(wait.seconds));
  await gateway.control('reset', {});
  const sends = await runAll(host, wait, {
    waiting: 'nobody',
    atLeast: wait.seconds + LATENESS_S + AFTERWARDS_S,
  });
  await gateway.control('reset', {});
  const waitNode = await runAll(host, wait, { waiting: 'waitNode', atLeast: sends.watched });
  await gateway.control('reset', {});
  const waits = await runAll(host, wait, { waiting: 'node', atLeast: sends.watched });
  const counts = await traffic(gateway);
  await gateway.control('reset', {});
  let right = 0;
  for await (const execution of executionsOf(host.client, waits.workflowId))
    right += execution.json('After').filter(isRight).length;
  await sleep(REST_S * 1000);
  const { took, times, refused, peakBytes } = waits;
  const idle = mapCpu(minus(sends.cpu, sends.cpuAtEnd), (seconds) => seconds / (sends.watched - sends.took));
  const beyondSends = ({ cpu, watched }: Run): Cpu =>
    mapCpu(minus(cpu, sends.cpu), (seconds, name) => seconds - idle[name] * (watched - sends.watched));
  return {
    ...wait,
    mode: host.mode,
    took,
    sendCpu: mapCpu(sends.cpuAtEnd, (seconds, name) => seconds - idle[name] * sends.took),
    waitCpu: beyondSends(waits),
    waitNodeCpu: beyondSends(waitNode),
    peakBytes,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    sendP99: percentile(sends.times, 99),
    refused,
    ...counts,
    right,
  };
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

interface RunOptions {
  waiting: Waiting;
  /** Seconds for which n8n is watched at least. */
  atLeast?: number;
}

interface Run {
  workflowId: string;
  /** Seconds until the execution had ended, and until the watch had. */
  took: number;
  watched: number;
  /** What n8n had taken when the execution had ended, and in all. */
  cpuAtEnd: Cpu;
  cpu: Cpu;
  /** Milliseconds that n8n's REST interface took until the execution had ended, and requests that it refused. */
  times: number[];
  refused: number;
  peakBytes: number;
}

async function runAll(host: Host, wait: Case, { waiting, atLeast = 0 }: RunOptions): Promise<Run> {
  const { client, webhooks, pids } = host;
  const { messages, seconds } = wait;
  const path = `bench-waits-${++serial}`;
  const reference = await client.createWorkflow(workflowOf(host, path, waiting, seconds));
  await client.activate(reference);
  await webhooks.untilRegistered(`webhook/${path}`);
  for (const pid of Object.values(pids)) forgetPeak(pid);
  const before = cpuOf(pids);
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  await (await webhooks.postWebhook(path, { phones: phonesFrom(0, messages) })).arrayBuffer();
  const pollMs = (seconds * 1000) / POLLS;
  const times: number[] = [];
  let refused = 0;
  const ask = async (): Promise<number> => {
    const asked = performance.now();
    try {
      return await endedOf(client, reference.id);
    } catch {
      // n8n could not answer, which is what is counted.
      refused += 1;
      return 0;
    } finally {
      times.push(performance.now() - asked);
    }
  };
  while ((await ask()) < 1 && elapsed() < LONGEST_S + seconds) await sleep(pollMs);
  const took = elapsed();
  const cpuAtEnd = minus(cpuOf(pids), before);
  const whileRunning = { times: [...times], refused };
  while (elapsed() < Math.max(atLeast, took + AFTERWARDS_S)) {
    await sleep(pollMs);
    await ask();
  }
  const watched = elapsed();
  const cpu = minus(cpuOf(pids), before);
  const peakBytes = Math.max(...Object.values(pids).map(peakBytesOf));
  await client.deactivate(reference);
  return { workflowId: reference.id, took, watched, cpuAtEnd, cpu, ...whileRunning, peakBytes };
}
