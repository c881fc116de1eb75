/**
 * The whole suite: build, types, lint, n8n's scanner, and the layers of tests. Ends with one line that counts
 * the tests, and with 1 when anything failed.
 *
 * Usage: npm test [-- --only <step> ...]; the steps are listed in STEPS.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { missingServices } from './n8n-host/services.mts';
import { installOlderN8n } from './n8n-host/older-n8n.mts';
import { readmeHolds } from './n8n-host/versions-table.mts';
import { build, pack } from './package.mts';
import { TMP } from './paths.mts';
import { runCommand } from './run-command.mts';
import { scan } from './scan.mts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const LAYERS = ['unit', 'zod4', 'description', 'engine', 'e2e', 'queue'];
/**
 * Where jest must not decide: it takes one worker for two cores, which is too few for tests that wait more than they
 * compute; and where nodes run in the process of the tests, an execution that a test left asleep has timers of up to ten
 * minutes.
 */
const JEST_OPTIONS: Record<string, string[]> = {
  unit: ['--forceExit'],
  zod4: ['--forceExit'],
  engine: ['--maxWorkers=2', '--forceExit'],
  e2e: ['--maxWorkers=2'],
  versions: ['--maxWorkers=2'],
};
const counts: Counts = { passed: 0, failed: 0, skipped: 0 };

async function command(name: string, args: string[]): Promise<boolean> {
  const { code } = await runCommand(name, args, { show: true });
  return code === 0;
}

async function scanner(): Promise<boolean> {
  const findings = Object.entries(await scan());
  for (const [leg, { passed, message, details }] of findings) {
    if (!passed) console.log(`${leg}: ${message}\n${details ?? ''}`);
  }
  return findings.every(([, { passed }]) => passed);
}

async function jest(layer: string): Promise<boolean> {
  const report = join(TMP, `${layer}.json`);
  await mkdir(TMP, { recursive: true });
  await rm(report, { force: true });
  const args = ['-c', 'test/jest.config.mjs', '--selectProjects', layer, '--json', '--outputFile', report];
  const { code } = await runCommand('jest', [...args, ...(JEST_OPTIONS[layer] ?? [])], {
    show: true,
    env: { NODE_OPTIONS: '--no-warnings' },
  });
  if (!existsSync(report)) {
    // The layer could not start, its set-up for instance, and no test of it ran.
    counts.failed += 1;
    return false;
  }
  const result = JSON.parse(await readFile(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTotalTests: number;
    numRuntimeErrorTestSuites: number;
  };
  counts.passed += result.numPassedTests;
  // A file that does not load holds tests that did not run.
  counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  counts.skipped += result.numPendingTests;
  if (result.numTotalTests === 0) console.error(`The layer ${layer} has no tests`);
  return code === 0 && result.numTotalTests > 0;
}

const only = process.argv.slice(2).filter((argument) => argument !== '--only');
const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);

let installation: Promise<void> | undefined;

/** Installs the older versions of n8n, once. */
const olderN8n = async (): Promise<void> => await (installation ??= installOlderN8n());

const STEPS: Record<string, () => Promise<boolean>> = {
  async build() {
    await build();
    await pack();
    return true;
  },
  types: async () =>
    (await command('tsc', ['-p', 'tsconfig.json', '--noEmit'])) &&
    (await command('tsc', ['-p', 'test/tsconfig.json'])),
  lint: async () => await command('n8n-node', ['lint']),
  'lint-tools': async () =>
    await command('eslint', ['-c', 'tools/eslint.config.mjs', 'sandbox', 'tools', 'test', 'bench']),
  scan: scanner,
  ...Object.fromEntries(LAYERS.map((layer) => [layer, async () => await jest(layer)])),
  async e2e() {
    // On a new machine it takes minutes, in which these tests mostly wait. The step `versions` reports what goes wrong.
    if (isWanted('versions')) void olderN8n().catch(() => undefined);
    return await jest('e2e');
  },
  async versions() {
    await olderN8n();
    return (await jest('versions')) && (await readmeHolds());
  },
  // Fails where a release could not be made; what only the publisher can fill in is named and no failure.
  release: async () => await command('node', ['tools/release.mts', 'patch', '--dry-run', '--no-build']),
  // What a newcomer runs first, to its end.
  start: async () => await command('node', ['tools/start.mts', '--once']),
  // Redis and PostgreSQL are not on every machine; the layer `queue` says so where they are missing.
  'start-queue': async () =>
    missingServices().length > 0 || (await command('node', ['tools/start.mts', '--queue', '--once'])),
};

const unknown = only.filter((name) => !(name in STEPS));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}; the steps are ${Object.keys(STEPS).join(', ')}`);
  process.exit(2);
}

const summary: string[] = [];
const failedSteps: string[] = [];
for (const [name, step] of Object.entries(STEPS)) {
  if (!isWanted(name)) continue;
  console.log(`\n── ${name}`);
  const start = Date.now();
  const passed = await step().catch((error: unknown) => {
    console.error(error);
    return false;
  });
  if (!passed) failedSteps.push(name);
  summary.push(
    `${passed ? 'passed' : 'FAILED'}  ${name.padEnd(12)} ${((Date.now() - start) / 1000).toFixed(1)} s`,
  );
  // Nothing else can be judged without a build.
  if (!passed && name === 'build') break;
}
console.log(`\n${summary.join('\n')}\n`);
if (failedSteps.length > 0) console.log(`Failed steps: ${failedSteps.join(', ')}`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(failedSteps.length > 0 ? 1 : 0);
