/** Sandboxes that tests begin with and leave nothing of. */
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';

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

/** A sandbox of each test's own, whose settings a test may change. */
export function freshSandbox(options: SandboxOptions = {}): Sandbox {
  const sandbox = {} as Sandbox;
  beforeEach(async () => {
    Object.assign(sandbox, await startSandbox(options));
  });
  afterEach(async () => await sandbox.close());
  return sandbox;
}
