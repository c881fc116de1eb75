/**
 * The node in n8n's engine and a bare loop of `fetch` in one process, in turns, against a gateway elsewhere. Started
 * by tools/bench.mts with `--expose-gc`; the last line that it prints is the result as JSON.
 *
 *   node --expose-gc bench/in-process.mts --url <baseUrl> --sizes 1000,10000 --repeat 5
 */
import { parseArgs } from 'node:util';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { NODE_NAME, PASS_NODE, credentialsFor, runNode } from '../test/support/engine.mts';
import { itemOf } from './contestants.mts';
import { API_KEY, SENDER } from './gateway.mts';
import { median } from './statistics.mts';

/** The node's default. */
const BATCH_SIZE = 100;
/** A collection of a large heap takes about as long as some requests; more of them would not see more. */
const SAMPLE_MS = 1000;

export interface InProcessTimes {
  items: number;
  batchSize: number;
  /** Milliseconds of each run, in turns. */
  nodeRuns: number[];
  loopRuns: number[];
  nodeMs: number;
  loopMs: number;
  /** Milliseconds of processor time of this process: what a busy machine changes least. */
  nodeCpuMs: number;
  loopCpuMs: number;
}

/** Bytes of live objects on the heap, each counted after a garbage collection. */
export interface InProcessMemory {
  items: number;
  /** The items as JSON text. */
  inputJson: number;
  /** The items as n8n hands them to the node. */
  inputHeap: number;
  /** What the run adds at its fullest, the output items included; an upper bound. */
  added: number;
  /** The output items alone. */
  output: number;
}

export interface InProcessResult {
  times: InProcessTimes[];
  memory: InProcessMemory;
}

interface Place {
  baseUrl: string;
  credentials: Record<string, IDataObject>;
}

const inputOf = (count: number): INodeExecutionData[] =>
  Array.from({ length: count }, (_, item) => ({ json: itemOf(item), pairedItem: { item } }));

const PARAMETERS: IDataObject = {
  resource: 'message',
  operation: 'sendSms',
  phone: '={{ $json.phone }}',
  smsSignature: { __rl: true, mode: 'name', value: SENDER },
  smsMessage: '=Hello {{ $json.name }}',
  options: {},
};

/** Sends the items through the node; gives the milliseconds of the node's run and its output. */
async function throughNode(items: INodeExecutionData[], { credentials }: Place) {
  const { task, items: output } = await runNode({
    parameters: PARAMETERS,
    items,
    credentials,
    mode: 'trigger',
  });
  if (!task || task.error) throw task?.error ?? new Error(`${NODE_NAME} did not run`);
  if (output.length !== items.length) throw new Error(`${output.length} outputs for ${items.length} items`);
  return { milliseconds: task.executionTime, output };
}

/** Sends the items with nothing but fetch; gives the milliseconds that it took. */
async function throughLoop(items: INodeExecutionData[], { baseUrl }: Place): Promise<number> {
  const start = performance.now();
  const output: INodeExecutionData[] = [];
  for (let first = 0; first < items.length; first += BATCH_SIZE) {
    const data = items.slice(first, first + BATCH_SIZE).map(({ json }) => ({
      type: 'sms',
      id: json.id,
      phone: Number(json.phone),
      sms_signature: SENDER,
      sms_message: `Hello ${String(json.name)}`,
    }));
    const response = await fetch(`${baseUrl}/api/json.php`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: API_KEY, data }),
    });
    const answer = (await response.json()) as { data: Array<{ success: boolean; data: IDataObject }> };
    answer.data.forEach((result, i) => {
      if (!result.success) throw new Error(`Item ${first + i} was refused`);
      output.push({ json: result.data, pairedItem: { item: first + i } });
    });
  }
  if (output.length !== items.length) throw new Error(`${output.length} results for ${items.length} items`);
  return performance.now() - start;
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function compare(count: number, repeat: number, place: Place): Promise<InProcessTimes> {
  const items = inputOf(count);
  const nodeRuns: number[] = [];
  const loopRuns: number[] = [];
  const nodeCpu: number[] = [];
  const loopCpu: number[] = [];
  for (let i = 0; i < repeat; i++) {
    // Whoever comes second must not pay for the garbage of the first.
    global.gc?.();
    let cpu = process.cpuUsage();
    nodeRuns.push((await throughNode(items, place)).milliseconds);
    nodeCpu.push(cpuSince(cpu));
    global.gc?.();
    cpu = process.cpuUsage();
    loopRuns.push(await throughLoop(items, place));
    loopCpu.push(cpuSince(cpu));
  }
  return {
    items: count,
    batchSize: BATCH_SIZE,
    nodeRuns,
    loopRuns: loopRuns.map(Math.round),
    nodeMs: median(nodeRuns),
    loopMs: median(loopRuns),
    nodeCpuMs: median(nodeCpu),
    loopCpuMs: median(loopCpu),
  };
}

function liveBytes(): number {
  if (!global.gc) throw new Error('Run this with --expose-gc');
  global.gc();
  return process.memoryUsage().heapUsed;
}

/** What the engine itself holds at the end of a run whose node does nothing. */
async function engineBytes(items: INodeExecutionData[]): Promise<number> {
  const start = liveBytes();
  const idle = await runNode({ type: PASS_NODE, parameters: {}, items });
  const end = liveBytes();
  if (idle.items.length !== items.length) throw new Error('The idle run lost items');
  return end - start;
}

async function measureMemory(count: number, place: Place): Promise<InProcessMemory> {
  const empty = liveBytes();
  const items = inputOf(count);
  const inputHeap = liveBytes() - empty;
  const engine = await engineBytes(items);

  const start = liveBytes();
  let most = start;
  const timer = setInterval(() => (most = Math.max(most, liveBytes())), SAMPLE_MS);
  const { output } = await throughNode(items, place);
  clearInterval(timer);
  const made = liveBytes() - start;
  if (output.length !== count) throw new Error('The run lost items');
  return {
    items: count,
    inputJson: Buffer.byteLength(JSON.stringify(items.map(({ json }) => json))),
    inputHeap,
    // The last sample may be older than the output items.
    added: most - start - engine + made,
    output: made,
  };
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    sizes: { type: 'string', default: '1000,10000' },
    repeat: { type: 'string', default: '5' },
    memory: { type: 'string', default: '100000' },
  },
});

async function main(baseUrl: string): Promise<InProcessResult> {
  const place = {
    baseUrl,
    credentials: credentialsFor({ baseUrl, asyncUrl: baseUrl, mcpUrl: baseUrl }, API_KEY),
  };
  await compare(1000, 10, place);
  const times: InProcessTimes[] = [];
  for (const size of values.sizes.split(',').map(Number)) {
    times.push(await compare(size, Number(values.repeat), place));
  }
  return { times, memory: await measureMemory(Number(values.memory), place) };
}

if (values.url) console.log(JSON.stringify(await main(values.url)));
