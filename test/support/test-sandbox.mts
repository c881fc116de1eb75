/** The sandbox with which most files of tests in n8n's engine begin, and of which they leave nothing. */
import type { Sandbox } from '../../sandbox/server.mts';
import type { NodeRun, NodeRunOptions } from './engine.mts';
import { credentialsFor, runNode } from './engine.mts';
import type { WaitingHost } from './waiting-host.mts';
import { startWaitingHost } from './waiting-host.mts';

export { testSandbox } from './own-sandbox.mts';

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
