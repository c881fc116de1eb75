import { join } from 'node:path';

import { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import { packed, packSources } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { LEAN } from '../support/lean-n8n.mts';
import type { State } from '../support/real-n8n.mts';

/**
 * Starts one real n8n for all end-to-end tests, with the packed sources installed as a community package, unless
 * `GIVEN_N8N` is the address of one that has it.
 */
export default async function setup(): Promise<void> {
  const { GIVEN_N8N: given, N8N_EMAIL: email = '', N8N_PASSWORD: password = '' } = process.env;
  const found = given
    ? { client: await N8nClient.connect(given, { email, password }), folder: '', logFile: '' }
    : await start();
  const { session, url, version } = found.client;
  const state: State = { url, version, session, folder: found.folder, logFile: found.logFile };
  process.env.E2E_STATE = JSON.stringify(state);
}

async function start() {
  await packSources();
  const folder = join(TMP, 'e2e-n8n');
  const { n8n: host, client } = await startWithOwner({ folder, tarball: await packed(), env: LEAN });
  // Kept where the teardown of the same process finds it.
  (globalThis as { e2eHost?: typeof host }).e2eHost = host;
  return { client, folder, logFile: host.logFile };
}
