/**
 * n8n's database module comes without a binary. To compile it takes a minute and more, so that is done once, beside the
 * installation of n8n, and copied to the older versions. Runs on Node 20, without any dependency.
 */
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

import { pnpm, ROOT } from './pnpm.mjs';

const BINARY = join('build', 'Release', 'node_sqlite3.node');

/** Folder of the module in an installation of n8n. */
function databaseModule(modules) {
  const store = join(modules, '.pnpm');
  const name = readdirSync(store).find((entry) => entry.startsWith('sqlite3@'));
  return join(store, name ?? 'sqlite3', 'node_modules', 'sqlite3');
}

/**
 * Compiles the module of the newest n8n in a folder of its own, whose path has no space as the makefiles need it. Takes
 * what `underNode24` passes on; returns the path of the binary. pnpm keeps it for the next checkout.
 */
export async function compileDatabaseModule(env, temporary) {
  const [, version] = /^  sqlite3@([\d.]+):$/m.exec(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'));
  const folder = mkdtempSync(join(temporary, 'database-'));
  const manifest = {
    private: true,
    dependencies: { sqlite3: version },
    pnpm: { onlyBuiltDependencies: ['sqlite3'] },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // Compiled for speed, it would take twice as long, and hold the installation up.
  await pnpm('', ['install'], { ...env, CFLAGS: '-O1' }, folder);
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
