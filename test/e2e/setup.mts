import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startWarm } from '../../tools/n8n-host/warm-start.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { STATE_FILE } from '../support/real-n8n.mts';

/** Starts one real n8n for all end-to-end tests, with the packed tarball installed as a community package. */
export default async function setup(): Promise<void> {
  const folder = join(TMP, 'e2e-n8n');
  const { n8n: host, client } = await startWarm({
    ...{ folder, tarball: await packed() },
    // Expressions have n8n's default engine, which is made when the first one needs it, and not for every run and call.
    env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true' },
  });
  const { url, logFile } = host;
  await writeFile(STATE_FILE, JSON.stringify({ url, folder, logFile, session: client.session }));
  // Kept where the teardown of the same process finds it.
  (globalThis as { e2eHost?: typeof host }).e2eHost = host;
}
