import { join } from 'node:path';

import { mustRun } from '../run-command.mts';
import { NODE, ROOT } from '../paths.mts';
import { OLDER_FOLDER } from './installations.mts';

/** Installs the older versions of n8n, unless this machine has them. */
export async function installOlderN8n(): Promise<void> {
  const output = await mustRun(NODE, [join(ROOT, 'tools', 'install', 'older-n8n.mjs'), OLDER_FOLDER]);
  if (output !== '') console.log(output.trimEnd());
}
