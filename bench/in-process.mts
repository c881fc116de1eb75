/**
 * The node in n8n's engine and a bare loop over n8n's request helper, which a community node has to use, in one process,
 * in turns, against a gateway elsewhere. Started by tools/bench.mts with `--expose-gc`; the last line that it prints is
 * the result as JSON.
 *
 *   node --expose-gc bench/in-process.mts --url <baseUrl> --sizes 1000,10000 --repeat 5
 */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import {
  ACTION_NODE,
  CREDENTIAL,
  credentialsFor,
  NODE_NAME,
  PACKAGE_NAME,
  runNode,
} from '../test/support/engine.mts';
import type { NodePackage } from '../test/support/engine-host.mts';
import { usePackage } from '../test/support/engine-host.mts';
import { core } from '../test/support/engine-parts.mts';
import { grouped, senderNamed, smsForm } from '../test/support/sends.mts';
import { itemOf } from './contestants.mts';
import { API_KEY, SENDER } from './gateway.mts';
import { median } from './statistics.mts';

/** The batches that the node finds by itself against a quick gateway. */
const FIRST_BATCH = 250;
const LARGEST_BATCH = 4000;
/** Short beside the run, so that little is made between the last sample and the end. */
const SAMPLE_MS = 50;

export interface InProcessTimes {
  items: number;
  nodeMs: number;
  loopMs: number;
}

/** Bytes of live objects on the heap, each counted after a garbage collection. */
export interface InProcessMemory {
  items: number;
  /** The items as JSON text. */
  inputJson: number;
  /** The items as n8n hands them to the node. */
  inputHeap: number;
  /** What the run adds at its fullest, the output items included. */
  added: number;
  /** The output items alone. */
  output: number;
}

/** Milliseconds of one run without options, and with each that leaves rows out. */
export interface SkipTimes {
  without: number;

  /** A tenth of the numbers is on it. */
  stopList: number;

  /** It is open. */
  sendWindow: number;
}

export interface InProcessResult {
  times: InProcessTimes[];
  skips: SkipTimes;
  memory: InProcessMemory;
}

interface Place {
  /** Options of the node. */
  options?: IDataObject;
  baseUrl: string;
  credentials: Record<string, IDataObject>;
}

const inputOf = (count: number): INodeExecutionData[] =>
  Array.from({ length: count }, (_, item) => ({ json: itemOf(item), pairedItem: { item } }));

const PARAMETERS = smsForm({
  smsSignature: senderNamed(SENDER),
  smsMessage: '=Hello {{ $json.name }}',
  options: {},
});

/** Sends the items through a node; gives the milliseconds of the node's run and its output. */
async function throughNode(
  items: INodeExecutionData[],
  { credentials, options = {} }: Place,
  type = ACTION_NODE,
) {
  const { task, items: output } = await runNode({
    type,
    nodeTypes: { [LOOP_NODE]: loopNode },
    parameters: type === LOOP_NODE ? {} : { ...PARAMETERS, options: grouped(options) },
    items,
    credentials,
    mode: 'trigger',
  });
  if (!task || task.error) throw task?.error ?? new Error(`${NODE_NAME} did not run`);
  if (output.length !== items.length) throw new Error(`${output.length} outputs for ${items.length} items`);
  return { milliseconds: task.executionTime, output };
}

const LOOP_NODE = `${PACKAGE_NAME}.benchLoop`;

/** The least that sends the items and pairs the results: no checks, no journal, no errors told apart. */
const loopNode: INodeType = {
  description: {
    displayName: 'Loop',
    name: 'benchLoop',
    group: ['transform'],
    version: 1,
    description: 'Loop',
    defaults: { name: 'Loop' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: CREDENTIAL, required: true }],
    properties: [],
  },
  async execute(this: IExecuteFunctions) {
    const { baseUrl } = await this.getCredentials(CREDENTIAL);
    const items = this.getInputData();
    const output: INodeExecutionData[] = [];
    let size = FIRST_BATCH;
    for (let first = 0; first < items.length; first += size, size = Math.min(4 * size, LARGEST_BATCH)) {
      const data = items.slice(first, first + size).map(({ json }) => ({
        type: 'sms',
        id: json.id,
        phone: Number(json.phone),
        sms_signature: SENDER,
        sms_message: `Hello ${String(json.name)}`,
      }));
      const text = (await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
        method: 'POST',
        url: `${String(baseUrl)}/api/json.php`,
        body: { data },
        encoding: 'text',
      })) as string;
      const answer = JSON.parse(text) as { data: Array<{ success: boolean; data: IDataObject }> };
      answer.data.forEach((result, i) => {
        if (!result.success) throw new Error(`Item ${first + i} was refused`);
        output.push({ json: result.data, pairedItem: { item: first + i } });
      });
    }
    return [output];
  },
};

async function compare(count: number, repeat: number, place: Place): Promise<InProcessTimes> {
  const items = inputOf(count);
  const runs = { [ACTION_NODE]: [] as number[], [LOOP_NODE]: [] as number[] };
  for (let i = 0; i < repeat; i++) {
    for (const [type, times] of Object.entries(runs)) {
      global.gc?.();
      times.push((await throughNode(items, place, type)).milliseconds);
    }
  }
  return {
    items: count,
    nodeMs: median(runs[ACTION_NODE]),
    loopMs: median(runs[LOOP_NODE]),
  };
}

/** Rows of a run that leaves some out. */
const SKIPPED_FROM = 10_000;

const SKIPS = {
  without: {},
  stopList: {
    stopList: `={{ Array.from({ length: ${SKIPPED_FROM / 10} }, (_, i) => ${itemOf(0).phone} + 10 * i) }}`,
  },
  sendWindow: { sendWindow: { values: { from: '00:00', until: '24:00' } } },
};

/** What it costs to decide for each row whether it is left out, in turns. */
async function compareSkips(repeat: number, place: Place): Promise<SkipTimes> {
  const items = inputOf(SKIPPED_FROM);
  const runs = { without: [] as number[], stopList: [] as number[], sendWindow: [] as number[] };
  for (let i = 0; i < repeat; i++) {
    for (const [name, options] of Object.entries(SKIPS)) {
      global.gc?.();
      const { milliseconds, output } = await throughNode(items, { ...place, options });
      const skipped = output.filter(({ json }) => json.result === 'skipped').length;
      if (skipped !== (name === 'stopList' ? SKIPPED_FROM / 10 : 0)) throw new Error(`${skipped} skipped`);
      runs[name as keyof typeof runs].push(milliseconds);
    }
  }
  const [without, stopList, sendWindow] = [runs.without, runs.stopList, runs.sendWindow].map(median);
  return { without, stopList, sendWindow };
}

function liveBytes(): number {
  if (!global.gc) throw new Error('Run this with --expose-gc');
  global.gc();
  return process.memoryUsage().heapUsed;
}

const IDLE_NODE = `${PACKAGE_NAME}.benchIdle`;

/**
 * What n8n itself holds of a run, at its fullest: while a node works, n8n has a copy of each item for it, which goes once the node has
 * ended.
 */
async function engineBytes(items: INodeExecutionData[]): Promise<number> {
  const start = liveBytes();
  let atWork = 0;
  const idleNode: INodeType = {
    description: { ...loopNode.description, displayName: 'Idle', name: 'benchIdle', credentials: [] },
    execute(this: IExecuteFunctions) {
      atWork = liveBytes() - start;
      return Promise.resolve([this.getInputData()]);
    },
  };
  const { items: output } = await runNode({
    type: IDLE_NODE,
    nodeTypes: { [IDLE_NODE]: idleNode },
    parameters: {},
    items,
    mode: 'trigger',
  });
  if (output.length !== items.length) throw new Error('The idle run lost items');
  return Math.max(atWork, liveBytes() - start);
}

async function measureMemory(count: number, place: Place): Promise<InProcessMemory> {
  // What the first collection finalizes only the second one frees: the runs before this one.
  liveBytes();
  await setImmediate();
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
    added: Math.max(most - start, made) - engine,
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

/** The package in `dist`, which is what users have, loaded by n8n's own loader. */
async function builtPackage(): Promise<NodePackage> {
  const loader = new core.PackageDirectoryLoader(join(import.meta.dirname, '..'));
  await loader.loadAll();
  const nodes = Object.entries(loader.nodeTypes).map(([name, { type }]) => [`${PACKAGE_NAME}.${name}`, type]);
  const credentials = Object.entries(loader.credentialTypes).map(([name, { type }]) => [name, type]);
  return {
    nodes: Object.fromEntries(nodes) as NodePackage['nodes'],
    credentials: Object.fromEntries(credentials) as NodePackage['credentials'],
  };
}

async function main(baseUrl: string): Promise<InProcessResult> {
  usePackage(await builtPackage());
  const place = {
    baseUrl,
    credentials: credentialsFor({ baseUrl, asyncUrl: baseUrl, mcpUrl: baseUrl }, API_KEY),
  };
  await compare(1000, 10, place);
  const times: InProcessTimes[] = [];
  for (const size of values.sizes.split(',').map(Number))
    times.push(await compare(size, Number(values.repeat), place));
  const skips = await compareSkips(Number(values.repeat), place);
  return { times, skips, memory: await measureMemory(Number(values.memory), place) };
}

if (values.url) console.log(JSON.stringify(await main(values.url)));
