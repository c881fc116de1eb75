/**
 * Sends through a model of the gateway on a virtual clock, as seeds decide it, and checks what the node promises
 * (test/support/simulation/). The same seed always does the same, with other ids where the node makes them. Many seeds run
 * on all cores; it ends with 1 if a promise is broken.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { inspect, parseArgs } from 'node:util';

import type { Simulate, Violation } from '../test/support/simulation/outcome.mts';
import { loadProduct } from '../test/support/simulation/product.mts';
import { simulate } from '../test/support/simulation/simulate.mts';
import { simulateOtp } from '../test/support/simulation-of-otp/simulate.mts';
import { simulateTrigger } from '../test/support/simulation-of-trigger/simulate.mts';
import { simulateWait } from '../test/support/simulation-of-waits/simulate.mts';

const USAGE = `Usage: npm run simulate -- [options]

  --seeds <n>   how many seeds (default 5000)
  --from <n>    the first of them (default 1)
  --seed <n>    one seed, with everything that happens
  --waits       wait for delivery instead of sending
  --otp         one-time passwords instead of sending
  --trigger     callbacks of the trigger instead of sending
  --help
`;

/** Seeds that a process runs before it reports. */
const PORTION = 200;
/** Violations that are shown; the others are only counted. */
const SHOWN = 20;

/** What a process reports of its seeds, as one line of JSON. */
interface Report {
  seeds: number;
  messages: number;
  requests: number;
  violations: Array<Violation & { seed: number }>;
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    waits: { type: 'boolean', default: false },
    otp: { type: 'boolean', default: false },
    trigger: { type: 'boolean', default: false },
    /** Every which seed a process runs, from `from` on: it is one of several. */
    step: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`"${text}" is not a whole number from 1 on`);
}

/** By option; sending where none is given. */
const SUBJECTS: Record<'sending' | 'waits' | 'otp' | 'trigger', Simulate> = {
  sending: simulate,
  waits: simulateWait,
  otp: simulateOtp,
  trigger: simulateTrigger,
};

const chosen = (['waits', 'otp', 'trigger'] as const).filter((name) => values[name]);
if (chosen.length > 1) throw new Error('Use one of --waits, --otp and --trigger');
const run = SUBJECTS[chosen[0] ?? 'sending'];
const chosenOptions = chosen.map((name) => `--${name}`);

async function replay(seed: number): Promise<number> {
  const { scenario, trace, violations } = await run(loadProduct(), seed, true);
  const shown = inspect(scenario, { depth: 6, maxArrayLength: 20, breakLength: 120, compact: 10 });
  console.log(`${shown}\n\n${trace.join('\n')}\n`);
  for (const { invariant, words } of violations) console.log(`${invariant}: ${words}`);
  console.log(violations.length === 0 ? 'Every promise was kept.' : `${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
}

/** One of several processes: runs its seeds and reports them, a portion at a time. */
async function work(from: number, until: number, step: number): Promise<void> {
  const product = loadProduct();
  let report: Report = { seeds: 0, messages: 0, requests: 0, violations: [] };
  const flush = () => {
    console.log(JSON.stringify(report));
    report = { seeds: 0, messages: 0, requests: 0, violations: [] };
  };
  for (let seed = from; seed < until; seed += step) {
    const { messages, requests, violations } = await run(product, seed);
    report.seeds += 1;
    report.messages += messages;
    report.requests += requests;
    report.violations.push(...violations.map((violation) => ({ seed, ...violation })));
    if (report.seeds === PORTION) flush();
  }
  flush();
}

async function runMany(from: number, count: number): Promise<number> {
  const start = Date.now();
  const processes = availableParallelism();
  const total: Report = { seeds: 0, messages: 0, requests: 0, violations: [] };
  const failed = new Set<number>();
  const one = async (index: number): Promise<number> => {
    const range = ['--from', String(from + index), '--step', String(processes)];
    const options = [...chosenOptions, ...range, '--seeds', String(count - index)];
    const child = spawn(process.execPath, [process.argv[1], ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { seeds, messages, requests, violations } = JSON.parse(line) as Report;
      total.seeds += seeds;
      total.messages += messages;
      total.requests += requests;
      for (const { seed, invariant, words } of violations) {
        if (!failed.has(seed) && failed.size < SHOWN) console.log(`seed ${seed}, ${invariant}: ${words}`);
        failed.add(seed);
      }
      if (process.stderr.isTTY) process.stderr.write(`\r${total.seeds} of ${count} seeds `);
    }
    return await new Promise((resolve) => {
      if (child.exitCode !== null) resolve(child.exitCode);
      else child.on('exit', (code) => resolve(code ?? 1));
    });
  };
  const codes = await Promise.all(
    Array.from({ length: Math.min(processes, count) }, async (_, i) => await one(i)),
  );
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const { seeds, messages, requests } = total;
  console.log(
    `${seeds} seeds, ${messages} messages, ${requests} requests in ${seconds} s: ${failed.size} seeds broke a promise`,
  );
  const [first] = [...failed].sort((a, b) => a - b);
  if (first !== undefined) {
    const options = [...chosenOptions, '--seed', first].join(' ');
    console.log(`npm run simulate -- ${options} shows what happened`);
  }
  return failed.size > 0 || codes.some((code) => code !== 0) ? 1 : 0;
}

async function main(): Promise<number> {
  const from = wholeNumber(values.from);
  if (values.seed !== undefined) return await replay(wholeNumber(values.seed));
  const count = wholeNumber(values.seeds);
  if (values.step === undefined) return await runMany(from, count);
  await work(from, from + count, wholeNumber(values.step));
  return 0;
}

if (values.help) console.log(USAGE);
else process.exitCode = await main();
