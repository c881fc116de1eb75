/**
 * Installs the oldest n8n that the package works with, once for all checkouts of this machine.
 *
 * Usage: node tools/install/oldest-n8n.mjs <folder>; the folder is emptied first, unless it holds this installation.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { placeDatabaseModule, placedDatabaseModule } from './database-module.mjs';
import { MODULES, PNPM, pnpm, ROOT, underNode24 } from './pnpm.mjs';

const SOURCE = join(ROOT, 'tools', 'oldest-n8n');
const FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

const [folder] = process.argv.slice(2);
const stamp = join(folder, '.installed');

/** Changes whenever the installation has to. */
const fingerprint = FILES.reduce(
  (hash, file) => hash.update(file).update(readFileSync(join(SOURCE, file))),
  createHash('sha256').update(`${process.platform} ${process.arch} ${PNPM}`),
).digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) cpSync(join(SOURCE, file), join(folder, file));
  await underNode24(async (env) => {
    await pnpm('the oldest n8n', ['install', '--frozen-lockfile', '--ignore-scripts'], env, folder);
  });
  placeDatabaseModule(placedDatabaseModule(MODULES), join(folder, 'node_modules'));
  writeFileSync(stamp, fingerprint);
}
