/**
 * Mutation testing of the parts that money and the API key depend on; see stryker.config.mjs.
 *
 * Usage: npm run mutate [-- --mutate 'nodes/gateway/callback/*.ts']
 */
import { runCommand } from './run-command.mts';

const { code } = await runCommand('stryker', ['run', ...process.argv.slice(2)], { show: true });
process.exit(code);
