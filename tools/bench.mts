/**
 * The node against what n8n has for the same job, in one go on this machine: in a real n8n with the packed package,
 * and in process against a bare loop of fetch. Takes about a quarter of an hour; with --quick about five minutes.
 *
 * Usage: npm run bench -- [--quick] [--repeat <n>] [--no-build]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { BenchGateway } from '../bench/gateway.mts';
import { startGateway } from '../bench/gateway.mts';
import type { Cell } from '../bench/in-n8n.mts';
import { benchInN8n, describe } from '../bench/in-n8n.mts';
import type { InProcessResult } from '../bench/in-process.mts';
import type { BenchResult } from '../bench/report.mts';
import { benchOpenWaits } from '../bench/open-waits.mts';
import { report } from '../bench/report.mts';
import type { WaitMode } from '../bench/wait-host.mts';
import { describeWait } from '../bench/wait-report.mts';
import { benchWaits } from '../bench/waits.mts';
import { installationOf } from './n8n-host/installations.mts';
import { build, pack } from './package.mts';
import { NODE, TMP } from './paths.mts';
import { mustRun } from './run-command.mts';

const USAGE = `Usage: npm run bench -- [options]

  --quick           100, 1,000 and 10,000 items only
  --repeat <n>      runs of each contestant, or wait (default 3); the median counts
  --sizes <a,b>     numbers of items (default 100,1000,10000,100000; with --wait-costs 3000,20000)
  --parts <a,b>     parts: process (the node in process), n8n (sending in a real n8n); default both
  --waits           only what thousands of open waits cost, and how soon they end; about 40 minutes
  --executions <n>  that wait for one message each (default 6000); then twenty wait for 1,000 each
  --wait-costs      only what one execution that waits for thousands of messages costs
  --modes <a,b>     of n8n, for the waits: regular, queue (default regular)
  --over <a,b>      seconds over which the outcomes of that execution come in (default 10,120)
  --no-build        measure what was built and packed last
  --help
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '3' },
    sizes: { type: 'string' },
    parts: { type: 'string', default: 'process,n8n' },
    waits: { type: 'boolean', default: false },
    'wait-costs': { type: 'boolean', default: false },
    modes: { type: 'string', default: 'regular' },
    over: { type: 'string', default: '10,120' },
    executions: { type: 'string', default: '6000' },
    'no-build': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const modes = values.modes.split(',') as WaitMode[];
const MANY_MESSAGES = { executions: 20, messages: 1000 };

const RESULT_FILE = join(TMP, 'bench.json');

function numbers(text: string): number[] {
  const all = text.split(',').map(Number);
  if (all.every((value) => Number.isInteger(value) && value >= 0)) return all;
  throw new Error(`"${text}" is no list of whole numbers`);
}

function machine(): BenchResult['machine'] {
  return {
    processor: cpus()[0].model,
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    n8n: installationOf('newest').version,
    load: Number(loadavg()[0].toFixed(1)),
  };
}

async function inProcess(gateway: BenchGateway, sizes: number[]): Promise<InProcessResult> {
  await gateway.setLatency(0);
  const output = await mustRun(NODE, [
    '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
    '--expose-gc',
    join('bench', 'in-process.mts'),
    ...['--url', gateway.baseUrl],
    ...['--sizes', sizes.filter((size) => size >= 1000).join(',') || '1000'],
  ]);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as InProcessResult;
}

async function waitCosts(): Promise<void> {
  const over = numbers(values.over);
  const plan = {
    modes,
    waits: numbers(values.sizes ?? '3000,20000').flatMap((messages) =>
      over.map((seconds) => ({ messages, seconds })),
    ),
    repeat: numbers(values.repeat)[0],
  };
  await benchWaits(plan, (costs) => console.log(describeWait(costs)));
}

async function main(): Promise<void> {
  const sizes = numbers(values.sizes ?? (values.quick ? '100,1000,10000' : '100,1000,10000,100000'));
  const plan = { sizes, repeat: numbers(values.repeat)[0] };
  const about = machine();
  console.log(
    Object.entries(about)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  );
  if (!values['no-build']) {
    await build();
    await pack();
  }
  if (values.waits) {
    const [executions] = numbers(values.executions);
    const each = [{ executions, messages: 1 }, MANY_MESSAGES];
    return await benchOpenWaits(modes, each, (line) => console.log(line));
  }
  if (values['wait-costs']) return await waitCosts();
  const parts = values.parts.split(',');
  const cells: Cell[] = [];
  const result: BenchResult = { machine: about, cells };
  const gateway = await startGateway();
  try {
    if (parts.includes('process')) {
      console.log('In process ...');
      result.inProcess = await inProcess(gateway, sizes);
    }
    if (parts.includes('n8n')) {
      console.log('In a real n8n ...');
      await benchInN8n(gateway, plan, (cell) => {
        cells.push(cell);
        console.log(describe(cell));
      });
    }
  } finally {
    await gateway.stop();
    // What was measured before something failed is shown as well.
    await mkdir(TMP, { recursive: true });
    await writeFile(RESULT_FILE, JSON.stringify(result, null, 2));
    report(result);
    console.log(`\nAs JSON: ${RESULT_FILE}`);
  }
}

if (values.help) console.log(USAGE);
else await main();
