/** pnpm, and what native modules have to be compiled with. Runs on Node 20, without any dependency. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** The pnpm that package.json names. */
export const PNPM = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).packageManager;
export const MODULES = join(ROOT, 'node_modules');
export const NODE_BIN = join(MODULES, 'node', 'bin');
const IS_WINDOWS = process.platform === 'win32';

/** Runs pnpm and shows under its title, if it has one, that it is still at it; ends this process with pnpm's output when it fails. */
export async function pnpm(title, args, env = {}, cwd = ROOT) {
  const { code, output } = await tryPnpm(title, args, env, cwd);
  if (code === 0) return;
  process.stderr.write(output);
  process.exit(code);
}

/** The same, and returns the exit code and the output. */
export async function tryPnpm(title, args, env = {}, cwd = ROOT) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  const show = (text) => title !== '' && process.stdout.write(text);
  show(`  ${title}: `);
  const ticker = setInterval(() => show(`${seconds()} ... `), 15_000);
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
  show(code === 0 ? `done in ${seconds()}\n` : 'failed\n');
  return { code, output: Buffer.concat(output) };
}

/** The folder of the Node 24 package that holds the headers which native modules are compiled with. */
function headers() {
  const inner = join(MODULES, 'node', 'node_modules');
  const names = existsSync(inner) ? readdirSync(inner) : [];
  return names
    .map((name) => join(inner, name))
    .find((path) => existsSync(join(path, 'include', 'node', 'node.h')));
}

/**
 * Runs `work` with the environment in which native modules are compiled under Node 24, for that one and with its
 * headers, whatever Node the settings of this machine point at, and with a folder for temporary files.
 */
export async function underNode24(work) {
  const temporary = mkdtempSync(join(tmpdir(), 'native-modules-'));
  try {
    const env = { PATH: [NODE_BIN, process.env.PATH].join(delimiter) };
    const found = headers();
    if (found) {
      env.npm_config_nodedir = join(temporary, 'node');
      symlinkSync(found, env.npm_config_nodedir, 'junction');
    }
    await work(env, temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
