/**
 * The last look before publishing: the tag is the version of package.json, the changelog has it, and nothing is left of
 * the publisher's placeholders. Needs no dependencies. Usage: node tools/release-check.mts <tag>
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from './paths.mts';
import { findPlaceholders } from './release/rules.mts';

const tag = process.argv[2];
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
const problems = [
  ...(tag === version ? [] : [`The tag is ${tag}, and package.json says ${version}.`]),
  ...(changelog.includes(`\n## ${version} (`) ? [] : [`CHANGELOG.md has no section of ${version}.`]),
  ...(await findPlaceholders()),
];
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
