/**
 * n8n's database module comes without a binary: it fetches one from GitHub, or is compiled. To compile it takes a minute and
 * more, so that is done once, beside the installation of n8n, and copied to the oldest n8n. Runs on Node 20, without any
 * dependency.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT, tryPnpm } from './pnpm.mjs';

const BINARY = join('build', 'Release', 'node_sqlite3.node');

/** Folder of the module in an installation of n8n. */
function databaseModule(modules) {
  const store = join(modules, '.pnpm');
  const name = readdirSync(store).find((entry) => entry.startsWith('sqlite3@'));
  return join(store, name ?? 'sqlite3', 'node_modules', 'sqlite3');
}

const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Whether this machine has what the module is compiled with. Windows has its own ways to find a compiler. */
export const canCompile = () =>
  process.platform === 'win32' ||
  [['g++', 'clang++', 'c++'], ['make'], ['python3', 'python']].every((one) => one.some(isThere));

const INSTALL_COMPILER =
  process.platform === 'darwin' ? 'xcode-select --install' : 'sudo apt-get install -y g++ make python3';

/**
 * Gets the module of the newest n8n in a folder of its own, whose path has no space as the makefiles need it. Takes
 * what `underNode24` passes on; returns the path of the binary. pnpm keeps it for the next checkout. Ends this process
 * where the module can neither be fetched nor compiled.
 */
export async function makeDatabaseModule(env, temporary) {
  const [, version] = /^  sqlite3@([\d.]+):$/m.exec(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'));
  const folder = mkdtempSync(join(temporary, 'database-'));
  const manifest = {
    private: true,
    dependencies: { sqlite3: version },
    pnpm: { onlyBuiltDependencies: ['sqlite3'] },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // Compiled for speed, it would take twice as long, and hold the installation up.
  const { code, output } = await tryPnpm('', ['install'], { ...env, CFLAGS: '-O1' }, folder);
  if (code !== 0 && canCompile()) {
    process.stderr.write(output);
    process.exit(code);
  }
  if (code !== 0) {
    console.error(
      `n8n's database module has to be compiled here, since its binary can't be had from github.com: install a C++ compiler, make and Python (${INSTALL_COMPILER}), then run this again.`,
    );
    process.exit(1);
  }
  return join(databaseModule(join(folder, 'node_modules')), BINARY);
}

/** Copies the binary into an installation. The module's interface to Node is the same for all versions of Node. */
export function placeDatabaseModule(binary, modules) {
  const target = join(databaseModule(modules), BINARY);
  mkdirSync(dirname(target), { recursive: true });
  // pnpm may have linked one that it kept, which other installations share.
  rmSync(target, { force: true });
  copyFileSync(binary, target);
}

/** The binary that the newest n8n of this checkout uses. */
export const placedDatabaseModule = (modules) => join(databaseModule(modules), BINARY);
