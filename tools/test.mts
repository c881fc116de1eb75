/**
 * The whole suite: build, types, lint, n8n's scanner, and the layers of tests. Ends with the slowest files, the time
 * of each step, why tests failed, what didn't run because something isn't installed, with the command that adds it, and
 * one line that counts them; its status is 1 when anything failed.
 *
 * Usage: npm test [-- <step> ...] [--install-services]; the steps are listed in LANES. `npm test -- quick` runs a few of
 * them, and `npm test -- long` the long forms of tests, which belong to a release. Nothing is installed on the machine
 * itself, unless `--install-services` or the environment variable `CI` says so.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { hasBrowser } from './browser/chromium.mts';
import { installOldestN8n } from './n8n-host/installations.mts';
import { provideRedis } from './n8n-host/redis.mts';
import { build, pack } from './package.mts';
import { TMP } from './paths.mts';
import { runCommand } from './run-command.mts';
import type { Failure, JestReport, LayerResult } from './suite/jest-report.mts';
import { shorten, summarize } from './suite/jest-report.mts';
import type { Step } from './suite/lanes.mts';
import { runLanes, runStep } from './suite/lanes.mts';

const FORMS: Record<string, string[]> = {
  // The check of a change at hand, in about a minute.
  quick: ['types', 'lint', 'lint-tools', 'unit', 'description'],
  // Steps with tests that have a long form, and one that repeats much of others.
  long: ['build', 'unit', 'engine', 'e2e', 'start-queue'],
};

/** Units that take longest, as parts of their paths below `test/`, which `quick` leaves out. */
const LONG_UNITS = [
  'unit/simulation/',
  'unit/callback/hostile',
  'unit/outside-texts',
  'unit/suspend/memory',
  'unit/trigger/memory',
  'unit/n8n/credential-test',
  'unit/numbers/phone-library',
];

const SLOWEST_SHOWN = 10;

/** With what didn't run, the failed steps and the counts, ten lines. */
const FAILURES_SHOWN = 3;

/** Jest takes one worker for two cores, which is too few for tests that wait more than they compute. */
const WORKERS: Record<string, number> = { unit: 2, zod4: 1, description: 1, engine: 4, e2e: 3, versions: 1 };

/** Layers that compute and leave the processors to what waits for n8n, whose clocks run on. */
const COMPUTING = ['unit', 'zod4', 'description', 'engine'];

const INSTALL_SERVICES = '--install-services';
const asked = process.argv.slice(2).filter((argument) => argument !== INSTALL_SERVICES);
const mayInstall = Boolean(process.env.CI) || process.argv.includes(INSTALL_SERVICES);
const form = asked.join(' ');
const wanted = FORMS[form] ?? asked;
const isWanted = (name: string): boolean =>
  wanted.length === 0 ? name !== 'start-queue' : wanted.includes(name);

/** The output of a single step is shown while it runs; those of several would mix. */
const show = wanted.length === 1;

const layers: LayerResult[] = [];

/** Steps that didn't run, why, and how to add what they need. */
const notRun: string[] = [];

function tell(name: string, output: string): void {
  if (!show) console.log(`\n── ${name}\n${output.trimEnd()}`);
}

/** The end of an output as the reason why a step failed. */
const failureOf = (where: string, output: string): Failure => ({
  where,
  reason: shorten(output.trimEnd().split('\n').slice(-8).join('\n')),
});

/** Runs commands one after the other until one of them fails. */
async function commands(name: string, lines: string[][], yields = true): Promise<Failure[]> {
  for (const [command, ...args] of lines) {
    const { code, output } = await runCommand(command, args, { show, yields });
    tell(name, output);
    if (code !== 0) return [failureOf(name, output)];
  }
  return [];
}

async function jest(layer: string, more: string[] = []): Promise<Failure[]> {
  const report = join(TMP, `${layer}.json`);
  await mkdir(TMP, { recursive: true });
  await rm(report, { force: true });
  const args = ['-c', 'test/jest.config.mjs', '--selectProjects', layer, '--json', '--outputFile', report];
  if (layer in WORKERS) args.push(`--maxWorkers=${WORKERS[layer]}`);
  const { code, output } = await runCommand('jest', [...args, ...more], {
    show,
    env: { NODE_OPTIONS: '--no-warnings', TEST_FORM: form === 'long' ? 'long' : 'short' },
    yields: COMPUTING.includes(layer),
  });
  tell(layer, output);
  // There is none where the layer could not start, because its set-up failed for instance.
  if (!existsSync(report)) return [failureOf(layer, output)];
  const result = summarize(layer, JSON.parse(await readFile(report, 'utf8')) as JestReport);
  layers.push(result);
  return code !== 0 && result.failures.length === 0 ? [failureOf(layer, output)] : result.failures;
}

const step = (name: string, run: Step['run'], needsBuild = true): Step => ({ name, run, needsBuild });
const command = (name: string, needsBuild: boolean, ...lines: string[][]): Step =>
  step(name, async () => await commands(name, lines), needsBuild);
const layer = (name: string): Step => step(name, async () => await jest(name));

/** A step that needs Redis. It has not failed where there is none; the end of the suite says so. */
const overRedis = (name: string, run: Step['run']): Step =>
  step(name, async () => {
    const missing = await redis;
    if (missing === undefined) return await run();
    notRun.push(`${name} (n8n in queue mode): ${missing}`);
    return [];
  });

/** Others read the built package meanwhile. */
const start = async (name: string, ...more: string[]): Promise<Failure[]> =>
  await commands(name, [['node', 'tools/start.mts', '--once', '--built', ...more]], false);

const UNPUBLISHED = ['sandbox', 'tools', 'test', 'bench'];

/** Tools, tests that compute, those that wait for one n8n, and those that start several: side by side. */
const LANES: Step[][] = [
  [
    // Reads nothing anew where no file has changed.
    command('types', false, ['tsc', '--build', 'tsconfig.check.json', 'test/tsconfig.json']),
    command(
      'lint',
      false,
      ['n8n-node', 'lint'],
      ['depcruise', '--config', 'tools/imports.config.mjs', ...['nodes', 'credentials', ...UNPUBLISHED]],
    ),
    // What hasn't changed since is not looked at again: one that floats a promise because another file has changed is seen by
    // the next run without a cache, as in a fresh clone.
    command('lint-tools', false, [
      'eslint',
      ...['--cache', '--cache-strategy', 'content', '--cache-location', join(TMP, 'eslint')],
      ...['-c', 'tools/eslint.config.mjs', 'nodes', 'credentials', ...UNPUBLISHED],
    ]),
    command('scan', true, ['node', 'tools/scan.mts']),
    // Fails where a release could not be made; what only the publisher can fill in is named and no failure.
    command('release', true, ['node', 'tools/release.mts', 'patch', '--dry-run', '--no-build']),
    // A newcomer's first command, to its end: in the shortest lane, since those that start others are the longest.
    step('start', async () => await start('start')),
  ],
  [
    // Those with one worker first: at the end, the others have both processors.
    layer('description'),
    layer('zod4'),
    step(
      'unit',
      async () => await jest('unit', form === 'quick' ? ['--testPathIgnorePatterns', ...LONG_UNITS] : []),
    ),
    layer('engine'),
  ],
  [layer('e2e')],
  [
    overRedis('queue', async () => {
      await oldestN8n;
      return await jest('queue');
    }),
    // Only when asked for: `queue` starts the same processes, and `start` does the same with one.
    overRedis('start-queue', async () => await start('start-queue', '--queue')),
    step('versions', async () => {
      await oldestN8n;
      return await jest('versions');
    }),
  ],
];

const names = ['build', ...LANES.flat().map(({ name }) => name)];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}; the steps are quick, long, ${names.join(', ')}`);
  process.exit(2);
}

const began = performance.now();
// Where it has to be installed, that takes as long as the build.
const redis = isWanted('queue') || isWanted('start-queue') ? provideRedis(mayInstall) : undefined;
if (isWanted('e2e') && !hasBrowser) {
  notRun.push(
    `tests in a browser: there is none for ${process.platform} ${process.arch}: install Google Chrome`,
  );
}

async function buildAndPack(): Promise<Failure[]> {
  if (!isWanted('build')) return [];
  await build();
  await pack();
  return [];
}

// On a new machine it takes minutes, mostly of waiting. The steps that need it report what goes wrong.
const oldestN8n = isWanted('versions') || isWanted('queue') ? installOldestN8n() : undefined;
oldestN8n?.catch(() => undefined);
const lanes = LANES.map((lane) => lane.filter(({ name }) => isWanted(name)));
const steps = (await runLanes(runStep({ name: 'build', run: buildAndPack }), lanes)).filter(({ name }) =>
  isWanted(name),
);

const slowest = layers.flatMap(({ files }) => files).sort((a, b) => b.seconds - a.seconds);
const count = (of: 'passed' | 'failed' | 'skipped'): number =>
  layers.reduce((sum, result) => sum + result[of], 0);
const failures = steps.flatMap((one) => one.failures);
const failed = steps.filter((one) => one.failures.length > 0).map(({ name }) => name);
console.log(`\nSlowest files`);
for (const { file, seconds } of slowest.slice(0, SLOWEST_SHOWN))
  console.log(`${inSeconds(seconds)}  ${file}`);
console.log(`\nSteps`);
for (const { name, seconds } of steps) {
  console.log(`${inSeconds(seconds)}  ${name}${failed.includes(name) ? ' FAILED' : ''}`);
}
console.log(`${inSeconds((performance.now() - began) / 1000)}  in all\n`);
for (const { where, reason } of failures.slice(0, FAILURES_SHOWN)) console.log(`✕ ${where}\n  ${reason}`);
for (const what of notRun) console.log(`Not run: ${what}`);
if (failed.length > 0) console.log(`Failed steps: ${failed.join(', ')} (${failures.length} failures)`);
const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
console.log(`${count('passed')} passed, ${count('failed')} failed${skipped}`);
process.exit(failed.length > 0 ? 1 : 0);

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1).padStart(7)} s`;
}
