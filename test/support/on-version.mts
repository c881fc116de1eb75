import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Line } from '../../tools/n8n-host/installations.mts';
import { installationOf } from '../../tools/n8n-host/installations.mts';
import { startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import type { CheckHost } from './check-host.mts';
import { CHECKS, SANDBOX_HOST } from './core-checks.mts';
import { credentialData, CREDENTIAL_TYPE } from './real-n8n.mts';

/** An n8n that runs. */
interface RunningN8n {
  url: string;
  client: N8nClient;
  /** `passed` tells whether all checks did. */
  stop?(passed: boolean): Promise<void>;
}

/**
 * Runs the checks on the n8n of a line, and leaves nothing in it.
 * @param line `given` where it is any n8n that runs already
 */
export function checkOn(line: Line | 'given', start: () => Promise<RunningN8n>): void {
  let passed = 0;
  let n8n: RunningN8n | undefined;
  let sandbox: Sandbox | undefined;
  let host: CheckHost;

  beforeAll(async () => {
    sandbox = await startSandbox({
      host: SANDBOX_HOST,
      config: { queueDelayMs: 1, outcomes: { afterMs: 50 } },
    });
    n8n = await start();
    const { client } = n8n;
    const credential = await client.createCredential(
      `Gateway of ${line}`,
      CREDENTIAL_TYPE,
      credentialData(sandbox),
    );
    host = { n8n, client, sandbox, credential };
  });

  beforeEach(() => {
    sandbox?.reset();
    sandbox?.decideOutcome(undefined);
    sandbox?.configure({ callbacks: { shuffleMs: 0, attempts: 8 } });
  });

  afterAll(async () => {
    await n8n?.client.removeMade();
    await n8n?.stop?.(passed === CHECKS.length);
    await sandbox?.close();
  });

  describe(`n8n ${line}`, () => {
    it.each(CHECKS.map((check) => [check.title, check] as const))(
      'this n8n passes the check: %s',
      async (_, check) => {
        await check.run(host);
        passed += 1;
      },
    );
  });
}

/** Starts an n8n of a line with the packed package. Its folder stays where a check failed. */
export async function startOf(line: Line): Promise<RunningN8n> {
  // Outside of the project: below it, the package would find the project's n8n-workflow and zod instead of this n8n's.
  const folder = join(tmpdir(), `n8n-nodes-messaging-gateway-on-${line}-${process.pid}`);
  const tarball = await packed();
  const { n8n, client } = await startWithOwner({ folder, tarball, installation: installationOf(line) });
  return {
    url: n8n.url,
    client,
    async stop(passed) {
      await n8n.stop();
      if (passed) await rm(folder, { recursive: true, force: true });
    },
  };
}
