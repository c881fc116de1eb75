import { CONTESTANTS } from './contestants.mts';
import type { ContestantKey } from './contestants.mts';
import { N8N_SETTINGS } from './callbacks.mts';
import type { CallbackRate, N8nSetting } from './callbacks.mts';
import type { LoadCost } from './load.mts';
import type { Cell } from './in-n8n.mts';
import type { InProcessResult } from './in-process.mts';

export interface BenchResult {
  /** Processor, cores, memory, Node and n8n versions, load of the machine before the start. */
  machine: Record<string, string | number>;
  cells: Cell[];
  inProcess?: InProcessResult;
  callbacks: CallbackRate[];
  load?: LoadCost[];
}

const grouped = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? '-' : `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 27 ? 1 : 0)} MB`;
const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)}x`;

function table(head: string[], rows: string[][]): string {
  const widths = head.map((text, i) => Math.max(text.length, ...rows.map((row) => row[i].length)));
  const line = (row: string[]) =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)]
    .map((text) => `  ${text.trimEnd()}`)
    .join('\n');
}

/** Finds a cell that has a time, measured or calculated. */
function timeOf(cells: Cell[], key: ContestantKey, items: number, latencyMs: number): number | undefined {
  return cells.find((cell) => cell.contestant === key && cell.items === items && cell.latencyMs === latencyMs)
    ?.medianMs;
}

function milliseconds({ medianMs, calculatedFrom, failure }: Cell): string {
  if (failure !== undefined) return 'failed';
  if (medianMs === undefined) return '-';
  return `${calculatedFrom === undefined ? '' : '~'}${grouped(medianMs)} ms`;
}

function cellRow(cells: Cell[], cell: Cell): string[] {
  const node = timeOf(cells, 'node', cell.items, cell.latencyMs);
  const { medianMs, items, peakBytes, startBytes } = cell;
  const { title } = CONTESTANTS.find(({ key }) => key === cell.contestant) ?? { title: cell.contestant };
  return [
    title,
    milliseconds(cell),
    medianMs ? grouped(items / (medianMs / 1000)) : '-',
    medianMs && node ? times(medianMs / node) : '-',
    megabytes(peakBytes),
    peakBytes !== undefined && startBytes !== undefined ? megabytes(peakBytes - startBytes) : '-',
  ];
}

function cellTables(cells: Cell[]): string[] {
  const head = ['In n8n', 'time', 'items/s', 'to this node', 'n8n peak', 'above start'];
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

function growthTable(cells: Cell[]): string {
  const latencies = [...new Set(cells.map(({ latencyMs }) => latencyMs))];
  const sizes = [...new Set(cells.map(({ items }) => items))];
  const keys = [...new Set(cells.map(({ contestant }) => contestant))];
  const rows = latencies.flatMap((latencyMs) =>
    keys.flatMap((key) => {
      const some = cells.filter((cell) => cell.contestant === key && cell.latencyMs === latencyMs);
      if (some.length === 0) return [];
      const micro = sizes.map((items) => {
        const cell = some.find((one) => one.items === items);
        const { medianMs, calculatedFrom } = cell ?? {};
        return medianMs === undefined || calculatedFrom !== undefined
          ? '-'
          : grouped((medianMs / items) * 1000);
      });
      return [[`${CONTESTANTS.find((one) => one.key === key)?.title}, ${latencyMs} ms`, ...micro]];
    }),
  );
  return `\nMicroseconds for each item\n${table(['In n8n', ...sizes.map(grouped)], rows)}`;
}

function inProcessTable({ times: measured, memory }: InProcessResult): string {
  const rows = measured.map(({ items, batchSize, nodeMs, loopMs, helperMs, nodeCpuMs, loopCpuMs }) => [
    `${grouped(items)} items, batches ${batchSize === undefined ? 'that grow' : `of ${batchSize}`}`,
    `${grouped(nodeMs)} ms`,
    `${grouped(loopMs)} ms`,
    `${grouped(helperMs)} ms`,
    times(nodeMs / loopMs),
    times(helperMs / loopMs),
    times(nodeMs / helperMs),
    times(nodeCpuMs / loopCpuMs),
    grouped(items / (nodeMs / 1000)),
    grouped((nodeMs / items) * 1000),
  ]);
  const head = [
    'In process',
    'node',
    'fetch loop',
    'n8n loop',
    'node/fetch',
    'n8n/fetch',
    'node/n8n',
    'CPU node/fetch',
    'items/s',
    'us/item',
  ];
  const { items, inputJson, inputHeap, added, output } = memory;
  return [
    '\nIn process, the same batches and gateway latency 0',
    table(head, rows),
    '  fetch loop: nothing but fetch. n8n loop: the same loop with the request helper that n8n gives to nodes.',
    `\nLive objects with ${grouped(items)} items (heap after garbage collection)`,
    `  input ${megabytes(inputHeap)} (as JSON ${megabytes(inputJson)}); the node adds ${megabytes(added)} at most,`,
    `  ${megabytes(output)} of it output items: ${times(added / inputHeap)} the input`,
  ].join('\n');
}

const rateOf = (rates: CallbackRate[], contestant: CallbackRate['contestant'], setting: N8nSetting) =>
  rates.find((rate) => rate.contestant === contestant && rate.setting === setting)?.perSecond;

/** Callbacks a second of the trigger as a share of those of n8n's Webhook node. */
function callbackRatio(rates: CallbackRate[], setting: N8nSetting): number | undefined {
  const [trigger, webhook] = [rateOf(rates, 'trigger', setting), rateOf(rates, 'webhook', setting)];
  return trigger === undefined || webhook === undefined ? undefined : trigger / webhook;
}

const CALLBACK_TITLES: Record<CallbackRate['contestant'], string> = {
  trigger: 'Messaging Gateway Trigger',
  webhook: 'Webhook',
};

function callbackTable(rates: CallbackRate[]): string {
  const rows = rates.map(({ contestant, setting, perSecond, p50, p99 }) => [
    `${CALLBACK_TITLES[contestant]}, ${N8N_SETTINGS[setting].title}`,
    grouped(perSecond),
    contestant === 'trigger' ? times(callbackRatio(rates, setting) ?? NaN) : '',
    `${grouped(p50)} ms`,
    `${grouped(p99)} ms`,
  ]);
  const head = ['Callbacks that start a workflow', 'a second', 'to Webhook', 'answer p50', 'p99'];
  return `\n${table(head, rows)}`;
}

interface Target {
  text: string;
  /** Undefined where a figure that it needs was not measured. */
  value: number | undefined;
  isMet(value: number): boolean;
}

const most = (limit: number) => (value: number) => value <= limit;
const least = (limit: number) => (value: number) => value >= limit;

/** Targets for what the node decides; what n8n or the machine decides is only shown. */
function targets({ cells, inProcess, callbacks }: BenchResult): Target[] {
  const toAggregate = (latencyMs: number): number | undefined => {
    const [node, other] = (['node', 'aggregate'] as const).map((key) =>
      timeOf(cells, key, 10_000, latencyMs),
    );
    return node === undefined || other === undefined ? undefined : node / other;
  };
  return [
    {
      text: 'time of this node / Aggregate + HTTP Request, 10,000 items, 0 ms: at most 0.6',
      value: toAggregate(0),
      isMet: most(0.6),
    },
    {
      text: 'time of this node / Aggregate + HTTP Request, 10,000 items, 50 ms: at most 2.5',
      value: toAggregate(50),
      isMet: most(2.5),
    },
    {
      text: 'in process, microseconds of processor time for a message above No Operation, 50,000 items: at most 12',
      value: inProcess?.aboveNothing,
      isMet: most(12),
    },
    {
      text: 'memory added / input, 100,000 items: at most 2',
      value: inProcess && inProcess.memory.added / inProcess.memory.inputHeap,
      isMet: most(2),
    },
    {
      text: `callbacks a second, trigger / Webhook node, ${N8N_SETTINGS.sameIsolate.title}: at least 0.95`,
      value: callbackRatio(callbacks, 'sameIsolate'),
      isMet: least(0.95),
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
    ...(result.cells.length > 0 ? [...cellTables(result.cells), growthTable(result.cells)] : []),
    ...(result.inProcess ? [inProcessTable(result.inProcess)] : []),
    ...(result.callbacks.length > 0 ? [callbackTable(result.callbacks)] : []),
    `\nTargets\n${verdicts.join('\n')}`,
    '\n~ is calculated from the largest measured number of items. Times are medians of the nodes under test alone.',
  ].join('\n');
}
