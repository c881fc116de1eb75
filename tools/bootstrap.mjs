/**
 * The first step of every script of package.json, on a machine that has only Node 20 and npm: installs what the task
 * needs and is missing, then runs it on the Node 24 that the dependencies bring along.
 *
 * Usage: node tools/bootstrap.mjs <task> [arguments]; the task is a file tools/<task>.mts, else a program of the
 * dependencies. Ends with its status.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

import { canCompile, makeDatabaseModule, placeDatabaseModule } from './install/database-module.mjs';
import { MODULES, NODE_BIN, PNPM, pnpm, ROOT, underNode24 } from './install/pnpm.mjs';

const IS_WINDOWS = process.platform === 'win32';
const NODE = join(NODE_BIN, IS_WINDOWS ? 'node.exe' : 'node');
/** The packages of this project, and n8n with its scanner: what has to be there, and a file that says as of when. */
const OWN = { stamp: join(MODULES, '.installed'), needed: [NODE, join(MODULES, '.bin')] };
const N8N = {
  stamp: join(ROOT, 'tools', 'n8n', 'node_modules', '.installed'),
  needed: [
    join(ROOT, 'tools', 'n8n', 'node_modules', 'n8n'),
    join(ROOT, 'tools', 'scanner', 'node_modules', '@n8n'),
  ],
};

/** What runs without n8n: tasks; layers and steps of tests. Where none of these is named, all run. */
const LIGHT_TASKS = ['sandbox', 'simulate'];
const PROGRAMS = ['n8n-node', 'gulp', 'tsc', 'stryker'];
const TEST_TASKS = ['test', 'jest'];
const LIGHT_TESTS = [
  'quick',
  'build',
  'types',
  'lint',
  'lint-tools',
  'unit',
  'zod4',
  'description',
  'engine',
];
const HEAVY_TESTS = ['e2e', 'queue', 'versions', 'scan', 'release', 'start', 'start-queue', 'long'];

function needsN8n(task, args) {
  if (!TEST_TASKS.includes(task)) return !LIGHT_TASKS.includes(task) && !PROGRAMS.includes(task);
  // A layer is named by its name, or by the path of one of its files.
  const named = args.flatMap((arg) => [arg, /(?:^|\/)test\/([\w-]+)\//.exec(arg)?.[1]]);
  return (
    !named.some((name) => LIGHT_TESTS.includes(name)) || named.some((name) => HEAVY_TESTS.includes(name))
  );
}

/** Changes whenever the installation has to. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${PNPM} ${ROOT}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

const isInstalled = ({ stamp, needed }, wanted) =>
  needed.every((path) => existsSync(path)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

async function install(wanted, withN8n) {
  const start = Date.now();
  console.log(`Installing what is missing (${withN8n ? 'a few minutes' : 'a minute'} the first time)`);
  // Without a compiler, what may not work comes first.
  if (withN8n && !canCompile()) await underNode24(makeDatabaseModule);
  const frozen = ['install', '--frozen-lockfile', '--ignore-scripts'];
  if (!isInstalled(OWN, wanted)) {
    rmSync(OWN.stamp, { force: true });
    await pnpm('packages of this project', [...frozen, '--filter', '.']);
    if (!existsSync(NODE)) await pnpm('Node 24', ['rebuild', 'node']);
    writeFileSync(OWN.stamp, wanted);
  }
  if (withN8n) {
    rmSync(N8N.stamp, { force: true });
    await underNode24(async (env, temporary) => {
      const binary = makeDatabaseModule(env, temporary);
      await pnpm('n8n', frozen, env);
      placeDatabaseModule(await binary, MODULES);
    });
    writeFileSync(N8N.stamp, wanted);
  }
  console.log(`Installed in ${Math.round((Date.now() - start) / 1000)} s`);
}

function run(task, args) {
  const program = PROGRAMS.includes(task)
    ? [join(MODULES, '.bin', task)]
    : [NODE, join(ROOT, 'tools', `${task}.mts`)];
  const child = spawn(program[0], [...program.slice(1), ...args], {
    cwd: ROOT,
    // A program of the dependencies is a .cmd there.
    shell: IS_WINDOWS && program.length === 1,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [NODE_BIN, join(MODULES, '.bin'), process.env.PATH].join(delimiter),
      // n8n's tool starts compiler and linter through the package manager named here; npm is always there.
      npm_config_user_agent: `npm/? node/${process.version}`,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm passes a signal to its shell only, which ends without passing it on: then this process has another parent.
  const parent = process.ppid;
  setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) child.kill('SIGTERM');
  }, 1000).unref();
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

const [task, ...args] = process.argv.slice(2);
if (
  !PROGRAMS.includes(task) &&
  (!/^[a-z]+$/.test(task ?? '') || !existsSync(join(ROOT, 'tools', `${task}.mts`)))
) {
  console.error(`Usage: node tools/bootstrap.mjs <task> [arguments]; there is no task "${task ?? ''}"`);
  process.exit(2);
}
const wanted = fingerprint();
const withN8n = needsN8n(task, args);
if (!isInstalled(OWN, wanted) || (withN8n && !isInstalled(N8N, wanted))) await install(wanted, withN8n);
run(task, args);
