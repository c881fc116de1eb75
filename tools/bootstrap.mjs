/**
 * The first step of every command of the README, on a machine that has only Node 20 and npm: installs what is
 * missing, then runs the task on the Node 24 that the dependencies bring along.
 *
 * Usage: node tools/bootstrap.mjs <task> [arguments]; the task is a file tools/<task>.mts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@10.34.9';
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_PACKAGE = join(ROOT, 'node_modules', 'node');
const NODE_BIN = join(NODE_PACKAGE, 'bin');
const STAMP = join(ROOT, 'node_modules', '.installed');

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/** What the installation depends on; when it changes, the installation is brought up to date. */
function fingerprint() {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const file of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

function isInstalled(wanted) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted && existsSync(join(NODE_BIN, nodeName()));
}

const nodeName = () => (process.platform === 'win32' ? 'node.exe' : 'node');

/** The folder of the Node 24 package that holds the headers for native modules. */
function headers() {
  const inner = join(NODE_PACKAGE, 'node_modules');
  const found = existsSync(inner)
    ? readdirSync(inner).map((name) => join(inner, name)).find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')))
    : undefined;
  return found;
}

function pnpm(title, args, env = {}) {
  const start = Date.now();
  process.stdout.write(`  ${title} … `);
  const result = spawnSync('npx', ['--yes', PNPM, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    process.stdout.write('failed\n');
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`);
    process.exit(result.status ?? 1);
  }
  process.stdout.write(`${seconds(start)}\n`);
}

function install(wanted) {
  const start = Date.now();
  console.log('Installing dependencies (a few minutes the first time)');
  pnpm('packages', ['install', '--frozen-lockfile', '--ignore-scripts']);
  // Node 24 first: the native modules of n8n are built for it and with its headers.
  if (!existsSync(join(NODE_BIN, nodeName()))) pnpm('Node 24', ['rebuild', '--recursive', 'node']);
  const nodedir = headers();
  pnpm('native modules of n8n', ['rebuild', '--recursive', 'sqlite3', 'isolated-vm'], {
    PATH: `${NODE_BIN}${delimiter}${process.env.PATH}`,
    ...(nodedir && { npm_config_nodedir: nodedir }),
  });
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, wanted);
  console.log(`Installed in ${seconds(start)}`);
}

const [task, ...args] = process.argv.slice(2);
if (!task || !existsSync(join(ROOT, 'tools', `${task}.mts`))) {
  console.error(`Usage: node tools/bootstrap.mjs <task>; there is no task "${task ?? ''}"`);
  process.exit(2);
}

const wanted = fingerprint();
if (!isInstalled(wanted)) install(wanted);

const child = spawn(join(NODE_BIN, nodeName()), [join(ROOT, 'tools', `${task}.mts`), ...args], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: [NODE_BIN, join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    // n8n's tool runs the compiler and the linter through a package manager; npm is the one that is there.
    npm_config_user_agent: 'npm',
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
