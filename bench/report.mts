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

const grouped = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)}x`;

function table(head: string[], rows: string[][]): string {
  const widths = head.map((text, i) => Math.max(text.length, ...rows.map((row) => row[i].length)));
  const line = (row: string[]) =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)]
    .map((text) => `  ${text.trimEnd()}`)
    .join('\n');
}

/** The time of a contestant, if it has one. */
function timeOf(cells: Cell[], key: ContestantKey, items: number, latencyMs: number): number | undefined {
  return cells.find((cell) => cell.contestant === key && cell.items === items && cell.latencyMs === latencyMs)
    ?.medianMs;
}

function cellRow(cells: Cell[], { contestant, items, latencyMs, medianMs }: Cell): string[] {
  const node = timeOf(cells, 'node', items, latencyMs);
  const { title } = CONTESTANTS.find(({ key }) => key === contestant) ?? { title: contestant };
  if (medianMs === undefined) return [title, 'failed', '-', '-'];
  return [
    title,
    `${grouped(medianMs)} ms`,
    grouped(items / (medianMs / 1000)),
    node ? times(medianMs / node) : '-',
  ];
}

function cellTables(cells: Cell[]): string[] {
  const head = ['In n8n', 'time', 'items/s', 'to this node'];
  const kinds = new Map(cells.map((cell) => [`${cell.latencyMs}|${cell.items}`, cell]));
  return [...kinds.values()].map(({ latencyMs, items }) => {
    const some = cells.filter((cell) => cell.latencyMs === latencyMs && cell.items === items);
    const failures = some.flatMap(({ contestant, failure }) =>
      failure === undefined ? [] : [`  ${contestant} failed: ${failure}`],
    );
    const title = `\n${grouped(items)} items, gateway latency ${latencyMs} ms`;
    return [
      title,
      table(
        head,
        some.map((cell) => cellRow(cells, cell)),
      ),
      ...failures,
    ].join('\n');
  });
}

function inProcessTable({ times: measured, memory }: InProcessResult): string {
  const rows = measured.map(({ items, batchSize, nodeMs, loopMs }) => [
    `${grouped(items)} items, batches ${batchSize === undefined ? 'that grow' : `of ${batchSize}`}`,
    `${grouped(nodeMs)} ms`,
    `${grouped(loopMs)} ms`,
    times(nodeMs / loopMs),
    grouped(items / (nodeMs / 1000)),
    grouped((nodeMs / items) * 1000),
  ]);
  const head = ['In process', 'node', 'loop', 'node/loop', 'items/s', 'us/item'];
  const { items, inputJson, inputHeap, added, output } = memory;
  return [
    '\nIn process, the same batches and gateway latency 0',
    table(head, rows),
    '  loop: the least that sends the same with the request helper that n8n gives to nodes.',
    `\nLive objects with ${grouped(items)} items (heap after garbage collection)`,
    `  input ${megabytes(inputHeap)} (as JSON ${megabytes(inputJson)}); the node adds ${megabytes(added)} at most,`,
    `  ${megabytes(output)} of it output items: ${times(added / inputHeap)} the input`,
  ].join('\n');
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
  const found = inProcess?.times.find(({ items, batchSize }) => items === 10_000 && batchSize === undefined);
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

/** The whole result as text for a terminal. */
export function report(result: BenchResult): string {
  const verdicts = targets(result).map(({ text, value, isMet }) => {
    if (value === undefined) return `  not measured          ${text}`;
    return `  ${isMet(value) ? 'met    ' : 'NOT MET'} ${value.toFixed(2).padStart(10)}   ${text}`;
  });
  return [
    ...cellTables(result.cells),
    ...(result.inProcess ? [inProcessTable(result.inProcess)] : []),
    `\nTargets\n${verdicts.join('\n')}`,
    '\nTimes are medians of the nodes under test alone.',
  ].join('\n');
}
