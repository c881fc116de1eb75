import { join } from 'node:path';

import { ROOT } from '../../../tools/paths.mts';
import { runCommand } from '../../../tools/run-command.mts';

it('lets no file of tests find what an earlier one of its process left', async () => {
  const bin = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const files = ['--selectProjects', 'one-realm', '--testTimeout', '5000', '--runInBand', '--silent'];
  const { output } = await runCommand(process.execPath, [bin, '-c', 'test/jest.config.mjs', ...files]);
  expect(output).toContain('Tests:       6 passed, 6 total');
});
