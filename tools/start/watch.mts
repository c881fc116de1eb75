import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Child } from '../n8n-host/child.mts';
import { follow } from '../n8n-host/child.mts';
import { packageIn } from '../n8n-host/n8n-process.mts';
import { unpack } from '../package.mts';
import { NODE, ROOT } from '../paths.mts';

/** Variables of an n8n that loads the package anew when its files change, and tells its editor. */
export const RELOADING = { N8N_DEV_RELOAD: 'true' };

/** Installs a tarball without the lists that n8n would read in place of the code, which changes. */
export async function installForChange(tarball: string, folder: string): Promise<void> {
  await unpack(tarball, packageIn(folder));
  for (const list of ['known', 'types']) await rm(join(packageIn(folder), 'dist', list), { recursive: true });
}

/** Compiles the nodes into an n8n whenever one of their files changes, and prints the compiler's complaints. */
export function compileInto(folder: string): Child {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = ['--watch', '--preserveWatchOutput', '--outDir', join(packageIn(folder), 'dist')];
  return follow(spawn(NODE, [compiler, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }));
}
