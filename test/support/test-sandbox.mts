/** What most files of tests in n8n's engine begin with and leave nothing of. */
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { NodeRun, NodeRunOptions } from './engine.mts';
import { credentialsFor, runNode } from './engine.mts';
import type { WaitingHost } from './waiting-host.mts';
import { startWaitingHost } from './waiting-host.mts';

/** A sandbox of the file's own, filled in before the first test and empty at the beginning of each. */
export function testSandbox(options: SandboxOptions = {}): Sandbox {
  const sandbox = {} as Sandbox;
  beforeAll(async () => {
    Object.assign(sandbox, await startSandbox(options));
  });
  beforeEach(() => sandbox.reset());
  afterAll(async () => await sandbox.close?.());
  return sandbox;
}

/** The part of n8n that wakes waiting executions, filled in before the first test. */
export function testWaitingHost(): WaitingHost {
  const host = {} as WaitingHost;
  beforeAll(async () => {
    Object.assign(host, await startWaitingHost());
  });
  afterAll(async () => await host.close?.());
  return host;
}

/** Runs a node as `runNode` does, by default with the credential of a sandbox. */
export const runOn = async (sandbox: Sandbox, options: NodeRunOptions): Promise<NodeRun> =>
  await runNode({ credentials: credentialsFor(sandbox), ...options });
