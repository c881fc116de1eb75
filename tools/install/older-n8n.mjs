/**
 * Installs the older versions of n8n that the package is tried on, once for all checkouts of this machine.
 *
 * Usage: node tools/install/older-n8n.mjs <folder>; each line has a folder in it, which is emptied first, unless it holds
 * this installation.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { placeDatabaseModule, placedDatabaseModule } from './database-module.mjs';
import { MODULES, PNPM, pnpm, ROOT, underNode24 } from './pnpm.mjs';

const SOURCES = join(ROOT, 'tools', 'n8n-versions');

const [folder] = process.argv.slice(2);
const stampOf = (line) => join(folder, line, '.installed');

/** Changes whenever the installation of a line has to. */
function fingerprint(line) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${PNPM}`);
  for (const file of readdirSync(join(SOURCES, line)).sort()) {
    if (/\.(json|yaml)$/.test(file)) hash.update(file).update(readFileSync(join(SOURCES, line, file)));
  }
  return hash.digest('hex');
}

const isInstalled = (line) =>
  existsSync(stampOf(line)) && readFileSync(stampOf(line), 'utf8') === fingerprint(line);

const missing = readdirSync(SOURCES).filter((line) => !isInstalled(line));
if (missing.length > 0) {
  await underNode24(async (env) => {
    // One after the other, each by itself: parts of n8n use packages that they don't declare, and would find those of
    // another version in an installation of all.
    for (const line of missing) {
      const target = join(folder, line);
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      cpSync(join(SOURCES, line), target, {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      });
      const args = ['install', '--frozen-lockfile', '--ignore-scripts'];
      await pnpm(`n8n ${line}`, args, env, target);
      placeDatabaseModule(placedDatabaseModule(MODULES), join(target, 'node_modules'));
      writeFileSync(stampOf(line), fingerprint(line));
    }
  });
}
