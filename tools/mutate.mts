/**
 * Mutation testing of the parts that money, one-time passwords and the API key depend on (docs/mutation-testing.md):
 * changes one thing at a time, and sees whether a test notices.
 *
 * Usage: npm run mutate [-- [<area> ...] [options of Stryker]]; the areas are in tools/mutation/areas.mts. Ends with 1
 * where an area is below the score that stryker.config.mjs asks for.
 */
import { areaOf, MUTATION_AREAS } from './mutation/areas.mts';
import { runCommand } from './run-command.mts';

const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith('-'));
const split = firstOption === -1 ? given.length : firstOption;
const areas = split === 0 ? Object.keys(MUTATION_AREAS) : given.slice(0, split);
// Before the first of them runs for many minutes.
areas.forEach(areaOf);
let failed = false;
for (const area of areas) {
  console.log(`\n── ${area}`);
  const { code } = await runCommand('stryker', ['run', ...given.slice(split)], {
    show: true,
    env: { MUTATION_AREA: area },
  });
  failed ||= code !== 0;
}
process.exit(failed ? 1 : 0);
