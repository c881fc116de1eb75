import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CACHE, NODE, ROOT } from '../paths.mts';
import { mustRun } from '../run-command.mts';

/** The oldest n8n that the package works with, and the newest that npm installs, which tools and tests use. */
export type Line = 'oldest' | 'newest';

/** Where each is installed. */
const FOLDERS: Record<Line, string> = {
  oldest: join(CACHE, 'oldest-n8n'),
  newest: join(ROOT, 'tools', 'n8n'),
};

/** An installed n8n. */
export interface Installation {
  /** Its file to start. */
  bin: string;

  /** Full version, such as 2.41.1. */
  version: string;
}

/**
 * The installation of a line.
 * @throws Error when it isn't installed
 */
export function installationOf(line: Line): Installation {
  const n8n = join(FOLDERS[line], 'node_modules', 'n8n');
  const { version } = JSON.parse(readFileSync(join(n8n, 'package.json'), 'utf8')) as { version: string };
  return { version, bin: join(n8n, 'bin', 'n8n') };
}

/** Installs the oldest line, unless this machine has it. */
export async function installOldestN8n(): Promise<void> {
  const output = await mustRun(NODE, [join(ROOT, 'tools', 'install', 'oldest-n8n.mjs'), FOLDERS.oldest]);
  if (output !== '') console.log(output.trimEnd());
}
