/**
 * Tests as jest runs them: one layer, one file, one title.
 *
 * Usage: npm run jest -- --selectProjects <layer> [<file>] [-t <part of a title>]; the layers are in test/jest.config.mjs.
 */
import { runCommand } from './run-command.mts';

const LAYERS = ['unit', 'zod4', 'description', 'engine', 'e2e', 'queue', 'versions', 'one-realm'];

const given = process.argv.slice(2);
const at = given.indexOf('--selectProjects');
// Jest takes all that follows for names of layers, files too: they come last.
const end = at === -1 ? -1 : given.findIndex((name, i) => i > at && !LAYERS.includes(name));
const layers = at === -1 ? [] : given.splice(at, (end === -1 ? given.length : end) - at);
const { code } = await runCommand('jest', ['-c', 'test/jest.config.mjs', ...given, ...layers], {
  show: true,
  env: { NODE_OPTIONS: '--no-warnings' },
});
process.exit(code);
