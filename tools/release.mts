/**
 * Makes a release: checks that nothing is missing, sets the version, writes the changelog from the commits, packs the
 * tarball, and shows what goes into the provenance statement. A tag that is pushed then has GitHub publish it
 * (.github/workflows/publish.yml).
 *
 * Usage: npm run release -- <version | patch | minor | major> [--dry-run [--no-build]]
 * A dry run changes nothing, and names what a real one would refuse; with --no-build it packs what was built last.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build, pack } from './package.mts';
import { ROOT } from './paths.mts';
import { changelogSection, withSection } from './release/changelog.mts';
import { contentsOf, problemsOf } from './release/contents.mts';
import { nextVersion } from './release/next-version.mts';
import { findPlaceholders } from './release/publisher.mts';
import { mustRun } from './run-command.mts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const isDryRun = values['dry-run'];
const MANIFEST = join(ROOT, 'package.json');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

const git = async (...args: string[]) => (await mustRun('git', args)).trim();

interface Plan {
  manifest: string;
  from: string;
  version: string;
  section: string;
}

async function lastTag(): Promise<string | undefined> {
  const tags = await git('tag', '--merged', 'HEAD', '--sort=-v:refname');
  return tags.split('\n').find((tag) => /^\d+\.\d+\.\d+$/.test(tag));
}

async function makePlan(): Promise<Plan> {
  const manifest = await readFile(MANIFEST, 'utf8');
  const from = (JSON.parse(manifest) as { version: string }).version;
  const version = nextVersion(from, positionals[0]);
  const tag = await lastTag();
  const range = tag === undefined ? 'HEAD' : `${tag}..HEAD`;
  const subjects = (await git('log', '--no-merges', '--format=%s', range)).split('\n').filter(Boolean);
  const date = new Date().toISOString().slice(0, 10);
  return { manifest, from, version, section: changelogSection({ version, date, subjects }) };
}

/** What keeps a release from being made, in the words that say how to go on. */
async function obstacles({ version }: Plan): Promise<string[]> {
  const found = await findPlaceholders();
  if ((await git('status', '--porcelain')) !== '')
    found.push('The working tree has changes: commit them first.');
  if ((await git('rev-parse', '--abbrev-ref', 'HEAD')) !== 'main')
    found.push('Releases are made on the branch main.');
  if ((await git('tag', '--list', version)) !== '')
    found.push(`The tag ${version} exists: choose a later version.`);
  return found;
}

async function main(): Promise<number> {
  const plan = await makePlan();
  console.log(`${plan.from} → ${plan.version}\n\n${plan.section}`);
  const found = await obstacles(plan);
  if (found.length > 0) {
    console.error(
      `${isDryRun ? 'A release would be refused' : 'Refused'}:\n${found.map((one) => `  - ${one}`).join('\n')}\n`,
    );
    if (!isDryRun) return 1;
  }
  if (!isDryRun) {
    await writeFile(
      MANIFEST,
      plan.manifest.replace(`"version": "${plan.from}"`, `"version": "${plan.version}"`),
    );
    const before = await readFile(CHANGELOG, 'utf8');
    await writeFile(CHANGELOG, withSection(before, plan.section));
  }
  if (!isDryRun || !values['no-build']) await build();
  const tarball = await pack();
  const contents = await contentsOf(tarball);
  const problems = problemsOf(contents);
  const digest = createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64');
  console.log(`${tarball}\n  ${contents.files.length} files, ${contents.bytes} bytes`);
  console.log('Inputs of the provenance statement:');
  console.log(`  subject  n8n-nodes-messaging-gateway@${plan.version}, sha512-${digest}`);
  console.log(
    `  source   ${await git('rev-parse', 'HEAD')} of ${(JSON.parse(plan.manifest) as { repository: { url: string } }).repository.url}`,
  );
  console.log('  builder  .github/workflows/publish.yml on GitHub Actions (id-token: write)');
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  if (isDryRun) {
    console.log('\nDry run: nothing was changed.');
    return 0;
  }
  await git('add', 'package.json', 'CHANGELOG.md');
  await git('commit', '-m', `Release ${plan.version}`);
  await git('tag', plan.version);
  console.log(`\nCommitted and tagged. Publish it: git push --atomic origin main ${plan.version}`);
  return 0;
}

process.exit(await main());
