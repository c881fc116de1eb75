import { CONTESTANTS } from './contestants.mts';
import type { ContestantKey } from './contestants.mts';
import type { Cell } from './in-n8n.mts';
import type { InProcessResult } from './in-process.mts';

export interface BenchResult {
  /** Processor, cores, memory, Node and n8n versions, load of the machine before the start. */
  machine: Record<string, string | number>;
  cells: Cell[];
  inProcess?: InProcessResult;
}

const rounded = (value: number): number => Number(value.toPrecision(3));
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** The time of a contestant, if it has one. */
function timeOf(cells: Cell[], key: ContestantKey, items: number, latencyMs: number): number | undefined {
  return cells.find((cell) => cell.contestant === key && cell.items === items && cell.latencyMs === latencyMs)
    ?.medianMs;
}

function rowOf(cells: Cell[], { contestant, items, latencyMs, medianMs, failure }: Cell) {
  const node = timeOf(cells, 'node', items, latencyMs);
  return {
    'In n8n': CONTESTANTS.find(({ key }) => key === contestant)?.title,
    items,
    'latency, ms': latencyMs,
    ms: medianMs && Math.round(medianMs),
    'to this node': medianMs && node && rounded(medianMs / node),
    ...(failure !== undefined && { failure }),
  };
}

function showInProcess({ times, memory }: InProcessResult): void {
  // The loop is the least that sends the same with the request helper that n8n gives to nodes.
  console.table(
    times.map(({ items, nodeMs, loopMs }) => ({
      ...{ 'In process, items': items, 'node, ms': Math.round(nodeMs), 'loop, ms': Math.round(loopMs) },
      ...{ 'node / loop': rounded(nodeMs / loopMs), 'us / item': rounded((nodeMs / items) * 1000) },
    })),
  );
  const { items, inputJson, inputHeap, added, output } = memory;
  console.log(
    `Live objects with ${items} items (heap after garbage collection): input ${megabytes(inputHeap)} (as JSON ${megabytes(inputJson)}); the node adds ${megabytes(added)} at most, ${megabytes(output)} of it output items`,
  );
}

interface Target {
  text: string;
  /** Undefined where a figure that it needs was not measured. */
  value: number | undefined;
  isMet(value: number): boolean;
}

const most = (limit: number) => (value: number) => value <= limit;

/** The time of the node over that of the least loop, where batches grow. */
function toLoop(inProcess: InProcessResult | undefined): number | undefined {
  const found = inProcess?.times.find(({ items }) => items === 10_000);
  return found && found.nodeMs / found.loopMs;
}

/** Targets for what the node decides; what n8n or the machine decides is only shown. */
function targets({ cells, inProcess }: BenchResult): Target[] {
  const toAggregate = (latencyMs: number): number | undefined => {
    const [node, other] = (['node', 'aggregate'] as const).map((key) =>
      timeOf(cells, key, 10_000, latencyMs),
    );
    return node === undefined || other === undefined ? undefined : node / other;
  };
  return [
    {
      text: 'time of this node / Aggregate + HTTP Request, 10,000 items, 0 ms: at most 0.45',
      value: toAggregate(0),
      isMet: most(0.45),
    },
    {
      text: 'time of this node / Aggregate + HTTP Request, 10,000 items, 50 ms: at most 1.4',
      value: toAggregate(50),
      isMet: most(1.4),
    },
    {
      text: 'in process, time of this node / the least loop that sends the same, 10,000 items, batches that grow: at most 2.1',
      value: toLoop(inProcess),
      isMet: most(2.1),
    },
    {
      text: 'in process, 10,000 items with 1,000 on the Stop List / without the list: at most 1.2',
      value: inProcess && inProcess.skips.stopList / inProcess.skips.without,
      isMet: most(1.2),
    },
    {
      text: 'in process, 10,000 items with a Send Window / without one: at most 1.2',
      value: inProcess && inProcess.skips.sendWindow / inProcess.skips.without,
      isMet: most(1.2),
    },
    {
      text: 'memory added / input, 100,000 items: at most 1.6',
      value: inProcess && inProcess.memory.added / inProcess.memory.inputHeap,
      isMet: most(1.6),
    },
  ];
}

/** Shows the whole result: medians of the nodes under test alone. */
export function report(result: BenchResult): void {
  if (result.cells.length > 0) console.table(result.cells.map((cell) => rowOf(result.cells, cell)));
  if (result.inProcess) showInProcess(result.inProcess);
  console.log('\nTargets');
  for (const { text, value, isMet } of targets(result)) {
    const verdict = value === undefined ? 'not measured' : isMet(value) ? 'met' : 'NOT MET';
    console.log(`  ${verdict.padEnd(12)} ${(value?.toFixed(2) ?? '').padStart(6)}  ${text}`);
  }
}
