import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Line } from '../../tools/n8n-host/installations.mts';
import { installationOf } from '../../tools/n8n-host/installations.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { resultFile, VERSIONS_TMP } from '../../tools/n8n-host/versions-table.mts';
import { startWarm } from '../../tools/n8n-host/warm-start.mts';
import { packed } from '../../tools/package.mts';
import type { Bench } from './core-checks.mts';
import { CHECKS } from './core-checks.mts';
import { credentialData, CREDENTIAL_TYPE } from './real-n8n.mts';

/** Runs the checks on one version of n8n, in one process, and leaves their results for the README's table. */
export function checkOn(line: Line): void {
  const passed: Record<string, boolean> = Object.fromEntries(CHECKS.map(({ title }) => [title, false]));
  const folder = join(tmpdir(), `n8n-nodes-messaging-gateway-on-${line}-${process.pid}`);
  let n8n: N8nProcess | undefined;
  let sandbox: Sandbox | undefined;
  let bench: Bench;

  beforeAll(async () => {
    // Outside of the project: below it, the package would find the project's n8n-workflow and zod instead of this n8n's.
    sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 50 } } });
    const tarball = await packed();
    const { client, ...host } = await startWarm({ folder, tarball, installation: installationOf(line) });
    n8n = host.n8n;
    const credential = await client.createCredential('Gateway', CREDENTIAL_TYPE, credentialData(sandbox));
    bench = { n8n, client, sandbox, credential };
  });

  beforeEach(() => {
    sandbox?.reset();
    sandbox?.decideOutcome(undefined);
    sandbox?.configure({ callbacks: { shuffleMs: 0, attempts: 8 } });
  });

  afterAll(async () => {
    await mkdir(VERSIONS_TMP, { recursive: true });
    await writeFile(resultFile(line), JSON.stringify({ version: n8n?.version, passed }));
    await n8n?.stop();
    await sandbox?.close();
    if (Object.values(passed).every(Boolean)) await rm(folder, { recursive: true, force: true });
  });

  describe(`n8n ${line}`, () => {
    it.each(CHECKS.map((check) => [check.title, check] as const))('%s', async (title, check) => {
      await check.run(bench);
      passed[title] = true;
    });
  });
}
