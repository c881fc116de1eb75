/**
 * Mutation testing of the parts that money, one-time passwords and the API key depend on (docs/mutation-testing.md):
 * changes one thing at a time, and sees whether a test notices.
 *
 * Usage: npm run mutate [-- [<area> ...] [options of Stryker]]; the areas are in tools/mutation/areas.mts. Ends with 1
 * where an area is below the score that stryker.config.mjs asks for.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { MUTATION_AREAS } from './mutation/areas.mts';
import { TMP } from './paths.mts';
import { runCommand } from './run-command.mts';

interface Report {
  files: Record<string, { mutants: Array<{ status: string }> }>;
}

const reportOf = (area: string): string => join(TMP, 'mutation', `${area}.json`);

/** One row of the table of docs/mutation-testing.md. */
async function rowOf(area: string, minutes: number): Promise<string> {
  const { files } = JSON.parse(await readFile(reportOf(area), 'utf8')) as Report;
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const survived = count('Survived', 'NoCoverage');
  const score = (100 * noticed) / Math.max(1, noticed + survived);
  return `| ${area} | ${noticed} | ${survived} | ${score.toFixed(1)}% | ${minutes.toFixed(0)} min |`;
}

const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith('-'));
const split = firstOption === -1 ? given.length : firstOption;
const areas = split === 0 ? Object.keys(MUTATION_AREAS) : given.slice(0, split);
const unknown = areas.filter((area) => !Object.hasOwn(MUTATION_AREAS, area));
if (unknown.length > 0) {
  console.error(
    `There is no area ${unknown.join(', ')}; the areas are ${Object.keys(MUTATION_AREAS).join(', ')}`,
  );
  process.exit(2);
}

await mkdir(join(TMP, 'mutation'), { recursive: true });
const rows: string[] = [];
let failed = false;
for (const area of areas) {
  console.log(`\n── ${area}`);
  const start = Date.now();
  await rm(reportOf(area), { force: true });
  const { code } = await runCommand('stryker', ['run', ...given.slice(split)], {
    show: true,
    env: { MUTATION_AREA: area },
  });
  failed ||= code !== 0;
  if (existsSync(reportOf(area))) rows.push(await rowOf(area, (Date.now() - start) / 60_000));
}
console.log(`\n| Area | Noticed | Survived | Score | Time |\n|---|---|---|---|---|\n${rows.join('\n')}`);
process.exit(failed ? 1 : 0);
