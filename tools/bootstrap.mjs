/**
 * The first step of every command of the README, on a machine that has only Node 20 and npm: installs what is
 * missing, then runs the task on the Node 24 that the dependencies bring along.
 *
 * Usage: node tools/bootstrap.mjs <task> [arguments]; the task is a file tools/<task>.mts. Ends with its status.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@10.34.9';
const IS_WINDOWS = process.platform === 'win32';
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const NODE_BIN = join(MODULES, 'node', 'bin');
const NODE = join(NODE_BIN, IS_WINDOWS ? 'node.exe' : 'node');
const STAMP = join(MODULES, '.installed');

/** Without these nothing works, so a folder that lost one of them is installed anew whatever the stamp says. */
const NEEDED = [
  NODE,
  join(MODULES, '.bin'),
  join(ROOT, 'tools', 'n8n', 'node_modules', 'n8n'),
  join(ROOT, 'tools', 'scanner', 'node_modules', '@n8n'),
];

/** Changes whenever the installation has to. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${PNPM} ${ROOT}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

function isInstalled(wanted) {
  return (
    NEEDED.every((path) => existsSync(path)) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted
  );
}

/** The folder of the Node 24 package that holds the headers which native modules are compiled with. */
function headers() {
  const inner = join(MODULES, 'node', 'node_modules');
  const names = existsSync(inner) ? readdirSync(inner) : [];
  return names
    .map((name) => join(inner, name))
    .find((path) => existsSync(join(path, 'include', 'node', 'node.h')));
}

/** Folder of n8n's database module, which has to be compiled. */
function databaseModule() {
  const virtualStore = join(MODULES, '.pnpm');
  const name = readdirSync(virtualStore).find((entry) => entry.startsWith('sqlite3@'));
  return join(virtualStore, name ?? 'sqlite3', 'node_modules', 'sqlite3');
}

function databaseLoads() {
  return (
    spawnSync(NODE, ['-e', 'require(process.argv[1])', databaseModule()], { stdio: 'ignore' }).status === 0
  );
}

/** Runs pnpm and shows that it is still at it; ends this process with pnpm's output when it fails. */
async function pnpm(title, args, env = {}, cwd = ROOT) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  process.stdout.write(`  ${title}: `);
  const ticker = setInterval(() => process.stdout.write(`${seconds()} ... `), 15_000);
  const output = [];
  const child = spawn('npx', ['--yes', PNPM, ...args], {
    cwd,
    env: { ...process.env, npm_config_confirm_modules_purge: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: IS_WINDOWS,
  });
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  clearInterval(ticker);
  process.stdout.write(code === 0 ? `done in ${seconds()}\n` : 'failed\n');
  if (code !== 0) {
    process.stderr.write(Buffer.concat(output));
    process.exit(code);
  }
}

async function install(wanted) {
  const start = Date.now();
  console.log('Installing what is missing (a few minutes the first time)');
  rmSync(STAMP, { force: true });
  const frozen = ['install', '--frozen-lockfile'];
  await pnpm('packages of this project', [...frozen, '--ignore-scripts', '--filter', '.']);
  if (!existsSync(NODE)) await pnpm('Node 24', ['rebuild', 'node']);
  const temporary = mkdtempSync(join(tmpdir(), 'native-modules-'));
  try {
    await installN8n(frozen, temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  writeFileSync(STAMP, wanted);
  console.log(`Installed in ${Math.round((Date.now() - start) / 1000)} s`);
}

/**
 * Installs n8n under Node 24: its native modules are compiled for that one, with its headers, whatever Node the
 * settings of this machine point at. pnpm keeps what it compiled for the next checkout.
 */
async function installN8n(frozen, temporary) {
  const env = { PATH: [NODE_BIN, process.env.PATH].join(delimiter) };
  const found = headers();
  if (found) {
    env.npm_config_nodedir = join(temporary, 'node');
    symlinkSync(found, env.npm_config_nodedir, 'junction');
  }
  const title = 'n8n and its native modules';
  // The makefiles of native modules cannot take a path with a space.
  if (!/\s/.test(ROOT)) {
    await pnpm(title, frozen, env);
    // An installation that was broken off can leave pnpm believing that it compiled them.
    if (!databaseLoads())
      await pnpm('native modules once more', ['rebuild', '-r', 'sqlite3', 'isolated-vm'], env);
    return;
  }
  await pnpm('n8n', [...frozen, '--ignore-scripts'], env);
  if (!databaseLoads()) await compileElsewhere(temporary, env);
}

async function compileElsewhere(temporary, env) {
  const target = databaseModule();
  const { version } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const manifest = {
    private: true,
    dependencies: { sqlite3: version },
    pnpm: { onlyBuiltDependencies: ['sqlite3'] },
  };
  writeFileSync(join(temporary, 'package.json'), JSON.stringify(manifest));
  await pnpm("n8n's database module", ['install'], env, temporary);
  const binary = join('build', 'Release', 'node_sqlite3.node');
  mkdirSync(dirname(join(target, binary)), { recursive: true });
  copyFileSync(join(temporary, 'node_modules', 'sqlite3', binary), join(target, binary));
}

/**
 * The processes between npm and this one, npm included; none when npm did not start it. npm passes a signal to its
 * shell only, and the shell ends without passing it on, so this one has to see by itself that they are gone.
 */
function processesUpToNpm() {
  const found = [];
  let pid = process.ppid;
  while (process.env.npm_lifecycle_event && found.length < 5 && pid > 1) {
    found.push(pid);
    const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? [];
    if (/^(\S*\/)?npm\b/.test(command)) return found;
    pid = Number(parent ?? 0);
  }
  return [];
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process any more.
    return false;
  }
}

function run(task, args) {
  const child = spawn(NODE, [join(ROOT, 'tools', `${task}.mts`), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [NODE_BIN, join(MODULES, '.bin'), process.env.PATH].join(delimiter),
      // n8n's tool starts compiler and linter through the package manager named here; npm is always there.
      npm_config_user_agent: `npm/? node/${process.version}`,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const above = processesUpToNpm();
  setInterval(() => {
    if (!above.every(isAlive)) child.kill('SIGTERM');
  }, 1000).unref();
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

const [task, ...args] = process.argv.slice(2);
if (!/^[a-z]+$/.test(task ?? '') || !existsSync(join(ROOT, 'tools', `${task}.mts`))) {
  console.error(`Usage: node tools/bootstrap.mjs <task> [arguments]; there is no task "${task ?? ''}"`);
  process.exit(2);
}
const wanted = fingerprint();
if (!isInstalled(wanted)) await install(wanted);
run(task, args);
