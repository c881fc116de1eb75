import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startN8n } from '../../tools/n8n-host/n8n-process.mts';
import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { OWNER, STATE_FILE } from '../support/real-n8n.mts';

/** Starts one real n8n for all end-to-end tests, with the packed tarball installed as a community package. */
export default async function setup(): Promise<void> {
  const folder = join(TMP, 'e2e-n8n');
  await rm(folder, { recursive: true, force: true });
  const host = await startN8n({ folder, tarball: await packed() });
  const client = new N8nClient(host.url);
  await client.setUpOwner(OWNER);
  await mkdir(TMP, { recursive: true });
  const { url, logFile } = host;
  await writeFile(STATE_FILE, JSON.stringify({ url, folder, logFile, session: client.session }));
  // Kept where the teardown of the same process finds it.
  (globalThis as { e2eHost?: typeof host }).e2eHost = host;
}
