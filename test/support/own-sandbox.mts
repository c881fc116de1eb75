/** Sandboxes that tests begin with and leave nothing of. */
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';

/** The addresses that the sandboxes of a file have had. */
const addresses = new Set<string>();

/** Starts a sandbox at an address of its own: 168 tests in a row get the same port twice a run, as measured. */
async function startApart(options: SandboxOptions): Promise<Sandbox> {
  for (;;) {
    const sandbox = await startSandbox(options);
    if (!addresses.has(sandbox.baseUrl)) {
      addresses.add(sandbox.baseUrl);
      return sandbox;
    }
    await sandbox.close();
  }
}

/**
 * A sandbox of each test's own, whose settings a test may change. A sandbox emptied between two tests would have forgotten the
 * message by which a node, 2 s later, judges whether its answers count, and so would a new one at the address of an old one.
 */
export function testSandbox(options: SandboxOptions = {}): Sandbox {
  const sandbox = {} as Sandbox;
  beforeEach(async () => {
    Object.assign(sandbox, await startApart(options));
  });
  afterEach(async () => await sandbox.close());
  return sandbox;
}
