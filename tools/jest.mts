/**
 * Tests as jest runs them: one layer, one file, one title.
 *
 * Usage: npm run jest -- [<file>] [-t <part of a title>] [--selectProjects <layer>]; the layers are in test/jest.config.mjs.
 * A file named by its path runs in the layer that has it.
 */
import { run } from 'jest';

const LAYERS = ['unit', 'zod4', 'description', 'engine', 'e2e', 'queue', 'versions', 'one-realm'];

const given = process.argv.slice(2);
const at = given.indexOf('--selectProjects');
// Jest takes all that follows for names of layers, files too: they come last.
const end = at === -1 ? -1 : given.findIndex((name, i) => i > at && !LAYERS.includes(name));
const chosen = at === -1 ? [] : given.splice(at, (end === -1 ? given.length : end) - at);
const named = given.flatMap((file) => /(?:^|\/)test\/([\w-]+)\//.exec(file)?.[1] ?? []);
const layers = chosen.length > 0 || named.length === 0 ? chosen : ['--selectProjects', ...new Set(named)];
await run(['-c', 'test/jest.config.mjs', ...given, ...layers]);
