/**
 * Installs the older versions of n8n that the package is tried on, once for all checkouts of this machine.
 *
 * Usage: node tools/install/older-n8n.mjs <folder>; the folder is emptied first, unless it holds this installation.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { placeDatabaseModule, placedDatabaseModule } from './database-module.mjs';
import { MODULES, PNPM, pnpm, ROOT, underNode24 } from './pnpm.mjs';

const SOURCES = join(ROOT, 'tools', 'n8n-versions');

const [folder] = process.argv.slice(2);
const stamp = join(folder, '.installed');

/** Changes whenever the installation has to. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${PNPM}`);
  for (const file of readdirSync(SOURCES, { recursive: true }).sort()) {
    if (/\.(json|yaml)$/.test(file)) hash.update(file).update(readFileSync(join(SOURCES, file)));
  }
  return hash.digest('hex');
}

const wanted = fingerprint();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(SOURCES, folder, { recursive: true });
  await underNode24(async (env) => {
    // One after the other, each by itself: parts of n8n use packages that they don't declare, and would find those of
    // another version in an installation of all.
    for (const line of readdirSync(SOURCES)) {
      const args = ['install', '--frozen-lockfile', '--ignore-scripts'];
      await pnpm(`n8n ${line}`, args, env, join(folder, line));
      placeDatabaseModule(placedDatabaseModule(MODULES), join(folder, line, 'node_modules'));
    }
  });
  writeFileSync(stamp, wanted);
}
