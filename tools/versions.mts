/**
 * Runs the core checks on every line of n8n, and writes the table of docs/versions.md.
 *
 * Usage: npm run versions
 */
import { installOlderN8n } from './n8n-host/older-n8n.mts';
import { writeVersions } from './n8n-host/versions-table.mts';
import { build, pack } from './package.mts';
import { runCommand } from './run-command.mts';

await installOlderN8n();
await build();
await pack();
const { code } = await runCommand(
  'jest',
  [
    ...['-c', 'test/jest.config.mjs', '--selectProjects', 'versions', 'e2e', '--maxWorkers=2'],
    ...['--testPathPatterns', 'test/versions/', 'e2e/core-checks'],
  ],
  {
    show: true,
    env: { NODE_OPTIONS: '--no-warnings' },
  },
);
await writeVersions();
process.exit(code);
