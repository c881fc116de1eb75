import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CACHE, NODE, ROOT } from '../paths.mts';
import { mustRun } from '../run-command.mts';

/** The lines of n8n that the package is tried on, oldest first; the last one is what tools and tests use otherwise. */
export const LINES = ['1.123', '2.0', '2.20', '2.37', '2.41'] as const;
export type Line = (typeof LINES)[number];
export const CURRENT_LINE: Line = '2.41';

/** Where the older lines are installed. */
const OLDER_FOLDER = join(CACHE, 'n8n');

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
  const folder = line === CURRENT_LINE ? join(ROOT, 'tools', 'n8n') : join(OLDER_FOLDER, line);
  const n8n = join(folder, 'node_modules', 'n8n');
  const { version } = JSON.parse(readFileSync(join(n8n, 'package.json'), 'utf8')) as { version: string };
  return { version, bin: join(n8n, 'bin', 'n8n') };
}

/** Installs the older lines, unless this machine has them. */
export async function installOlderN8n(): Promise<void> {
  const output = await mustRun(NODE, [join(ROOT, 'tools', 'install', 'older-n8n.mjs'), OLDER_FOLDER]);
  if (output !== '') console.log(output.trimEnd());
}
