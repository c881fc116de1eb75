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
    // Workflows that can't be published keep n8n busy for 15 seconds each, five at a time by default.
    env: { N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '12' },
  });
  const { url, logFile } = host;
  await writeFile(STATE_FILE, JSON.stringify({ url, folder, logFile, session: client.session }));
  // Kept where the teardown of the same process finds it.
  (globalThis as { e2eHost?: typeof host }).e2eHost = host;
}
