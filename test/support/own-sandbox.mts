/** Sandboxes that tests begin with and leave nothing of. */
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';

/**
 * A sandbox of each test's own, whose settings a test may change. A sandbox emptied between two tests would have forgotten the
 * message by which a node, 2 s later, judges whether its answers count.
 */
export function testSandbox(options: SandboxOptions = {}): Sandbox {
  const sandbox = {} as Sandbox;
  beforeEach(async () => {
    Object.assign(sandbox, await startSandbox(options));
  });
  afterEach(async () => await sandbox.close());
  return sandbox;
}
