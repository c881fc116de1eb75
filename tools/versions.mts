/**
 * Runs the core checks on the oldest and the newest n8n. With --url it runs them on an n8n that
 * runs already and has the package installed, and removes from it what they made.
 *
 * Usage: npm run versions [-- --url <address> [--sandbox-host <name>] [--only <title of a check>]]
 */
import { parseArgs } from 'node:util';

import { installOldestN8n } from './n8n-host/installations.mts';
import { build, pack } from './package.mts';
import { runCommand } from './run-command.mts';

const USAGE = `Usage: npm run versions -- [options]

  --url <address>        check the n8n there, such as http://localhost:5678; its owner's login is in the environment
                         variables N8N_EMAIL and N8N_PASSWORD, with which an n8n without an owner gets one
  --sandbox-host <name>  how that n8n reaches this machine, where it isn't on it: an address of this machine, or a name
                         that leads to 127.0.0.1, such as host.docker.internal
  --only <title>         only the checks whose titles have this in them
  --help
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'sandbox-host': { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const { url, only } = values;
if (url !== undefined && !(process.env.N8N_EMAIL && process.env.N8N_PASSWORD)) {
  console.error(`N8N_EMAIL and N8N_PASSWORD have to hold the login of the owner of ${url}`);
  process.exit(2);
}
const given = url?.replace(/\/+$/, '');
if (given === undefined) {
  await installOldestN8n();
  await build();
  await pack();
}
const { code } = await runCommand(
  'jest',
  [
    ...['-c', 'test/jest.config.mjs', '--maxWorkers=2', '--selectProjects', 'e2e'],
    ...(given === undefined ? ['versions'] : []),
    ...['--testPathPatterns', 'test/versions/', 'e2e/core-checks'],
    ...(only === undefined ? [] : ['-t', only]),
  ],
  {
    show: true,
    env: { NODE_OPTIONS: '--no-warnings', GIVEN_N8N: given, SANDBOX_HOST: values['sandbox-host'] },
  },
);
process.exit(code);
