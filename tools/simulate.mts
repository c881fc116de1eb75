/**
 * Sends through gateways made by hand, on a virtual clock, or sends and verifies one-time passwords, as seeds
 * decide it, and checks what is promised (test/support/simulation-of-*). Prints what came of sends, by gateway. The same seed
 * always does the same. Many seeds run on all cores; it ends with 1 if a promise is broken.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { inspect, parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import type { Outcome } from '../test/support/simulation/outcome.mts';
import { loadProduct } from '../test/support/simulation/product.mts';
import { add, NO_FIGURES, tableOf } from '../test/support/simulation-of-sending/judge.mts';
import type { Figures } from '../test/support/simulation-of-sending/judge.mts';
import type { Scenario } from '../test/support/simulation-of-sending/scenario.mts';
import { simulation } from '../test/support/simulation-of-sending/simulate.mts';
import { WORLDS } from '../test/support/simulation-of-sending/worlds.mts';
import { simulateOtp } from '../test/support/simulation-of-otp/simulate.mts';

const USAGE = `Usage: npm run simulate -- [options]

  --seeds <n>   how many seeds (default 5000)
  --from <n>    the first of them (default 1)
  --seed <n>    one seed, with everything that happens; of a send that breaks a promise, its smallest form that does
  --worlds <text>   only gateways with this in their names (test/support/simulation-of-sending/worlds.mts)
  --otp         one-time passwords instead of sending
  --help
`;

/** Violations that are shown; the others are only counted. */
const SHOWN = 20;

/** What a thread reports of a seed; of a send, in which world it was and what came of it. */
interface Report extends Pick<Outcome, 'messages' | 'requests' | 'violations'> {
  seed: number;
  world?: string;
  figures?: Figures;
}

/** The seeds of a thread: every `step`th. */
interface Share {
  from: number;
  until: number;
  step: number;
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    otp: { type: 'boolean', default: false },
    worlds: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`"${text}" is not a whole number from 1 on`);
}

/** Runs what a seed decides. */
type Run = (seed: number, hasTrace?: boolean) => Promise<Outcome & { figures?: Figures }>;

const ofSending = (): Run =>
  simulation(
    loadProduct(),
    WORLDS.filter(({ name }) => name.includes(values.worlds)),
  );

const ofOtp = (): Run => {
  const product = loadProduct();
  return async (seed, hasTrace) => await simulateOtp(product, seed, hasTrace);
};

const load = values.otp ? ofOtp : ofSending;

async function replay(seed: number): Promise<number> {
  const { scenario, trace, violations } = await load()(seed, true);
  const shown = inspect(scenario, { depth: 6, maxArrayLength: 20, breakLength: 120, compact: 10 });
  console.log(`${shown}\n\n${trace.join('\n')}\n`);
  for (const { invariant, words } of violations) console.log(`${invariant}: ${words}`);
  console.log(violations.length === 0 ? 'Every promise was kept.' : `${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
}

/** One of several threads: runs its seeds, and reports each. */
async function work({ from, until, step }: Share): Promise<void> {
  const run = load();
  // Very many errors are made, and nobody reads where: one seed alone shows it.
  Error.stackTraceLimit = 0;
  for (let seed = from; seed < until; seed += step) {
    const { scenario, messages, requests, violations, figures } = await run(seed);
    const world = figures && (scenario as Scenario).world.name;
    parentPort?.postMessage({ seed, messages, requests, violations, world, figures } satisfies Report);
  }
}

async function runMany(from: number, count: number): Promise<number> {
  const start = Date.now();
  const total = { seeds: 0, messages: 0, requests: 0 };
  const failed = new Set<number>();

  /** By promise, how many seeds broke it. */
  const broken = new Map<string, number>();

  /** By world, in the order of the list. */
  const worlds = new Map(WORLDS.map(({ name }) => [name, { ...NO_FIGURES }]));
  const take = ({ seed, messages, requests, violations, world = '', figures }: Report) => {
    total.seeds += 1;
    total.messages += messages;
    total.requests += requests;
    if (figures) add(worlds.get(world) ?? { ...NO_FIGURES }, figures);
    for (const name of new Set(violations.map(({ invariant }) => invariant)))
      broken.set(name, (broken.get(name) ?? 0) + 1);
    for (const { invariant, words } of violations.slice(0, 1)) {
      if (failed.size < SHOWN) console.log(`seed ${seed}, ${invariant}: ${words}`);
      failed.add(seed);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${total.seeds} of ${count} seeds `);
  };
  const step = Math.min(availableParallelism(), count);
  await Promise.all(
    Array.from({ length: step }, async (_, i) => {
      const share: Share = { from: from + i, until: from + count, step };
      const thread = new Worker(import.meta.filename, {
        argv: process.argv.slice(2),
        workerData: share,
        // Seeds leave nothing behind: what they made is gone before it is old.
        resourceLimits: { maxYoungGenerationSizeMb: 64 },
      });
      await once(thread.on('message', take), 'exit');
    }),
  );
  const seen = [...worlds].filter(([, { scenarios }]) => scenarios > 0);
  if (seen.length > 0) console.log(`${tableOf(new Map(seen))}\n`);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const { seeds, messages, requests } = total;
  console.log(
    `${seeds} seeds, ${messages} messages, ${requests} requests in ${seconds} s: ${failed.size} seeds broke a promise`,
  );
  for (const [invariant, count] of broken) console.log(`${String(count).padStart(8)}  ${invariant}`);
  const [first] = [...failed].sort((a, b) => a - b);
  if (first === undefined) return seeds === count ? 0 : 1;
  const own = process.argv
    .slice(2)
    .filter((option, i, all) => !/^--(seeds|from)/.test(all[i - 1] ?? '') && !/^--(seeds|from)/.test(option));
  console.log(`npm run simulate -- ${[...own, '--seed', first].join(' ')} shows what happened`);
  return 1;
}

async function main(): Promise<number> {
  if (values.seed !== undefined) return await replay(wholeNumber(values.seed));
  return await runMany(wholeNumber(values.from), wholeNumber(values.seeds));
}

if (!isMainThread) await work(workerData as Share);
else if (values.help) console.log(USAGE);
else process.exitCode = await main();
