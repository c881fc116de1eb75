/**
 * Makes a release: checks that nothing is missing, sets the version, gives what the changelog has under "Unreleased" that
 * version, packs the tarball, and shows what goes into the provenance statement. A tag that is pushed then has GitHub publish it
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
import {
  contentsOf,
  findPlaceholders,
  nextVersion,
  problemsOf,
  unreleased,
  withRelease,
} from './release/rules.mts';
import { mustRun } from './run-command.mts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});
const isDryRun = values['dry-run'];
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

/** The checkout may belong to somebody else, as where root runs this in a container, and git is to read it all the same. */
const git = async (...args: string[]) =>
  (await mustRun('git', ['-c', `safe.directory=${ROOT}`, ...args])).trim();

/** A reason against a release, in words that say how to go on. */
const obstacles = async (version: string, news: string | undefined): Promise<string[]> =>
  [
    ...(await findPlaceholders()),
    news === undefined && 'CHANGELOG.md has nothing under "Unreleased": say there what users will notice.',
    (await git('status', '--porcelain')) !== '' && 'The working tree has changes: commit them first.',
    (await git('rev-parse', '--abbrev-ref', 'HEAD')) !== 'main' && 'Releases are made on the branch main.',
    (await git('tag', '--list', version)) !== '' && `The tag ${version} exists: choose a later version.`,
  ].filter((one) => one !== false);

async function main(): Promise<number> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
    repository: { url: string };
  };
  const isReleased = (await git('tag', '--list', manifest.version)) !== '';
  const version = nextVersion(manifest.version, positionals[0], isReleased);
  const changelog = await readFile(CHANGELOG, 'utf8');
  const news = unreleased(changelog);
  console.log(`${isReleased ? manifest.version : 'nothing'} → ${version}\n\n${news ?? ''}\n`);
  const found = await obstacles(version, news);
  if (found.length > 0) {
    const title = isDryRun ? 'A release would be refused' : 'Refused';
    console.error(`${title}:\n${found.map((one) => `  - ${one}`).join('\n')}\n`);
    if (!isDryRun) return 1;
  }
  if (!isDryRun) {
    await mustRun('npm', ['version', version, '--no-git-tag-version', '--allow-same-version']);
    await writeFile(CHANGELOG, withRelease(changelog, version, new Date().toISOString().slice(0, 10)));
  }
  if (!isDryRun || !values['no-build']) await build();
  const tarball = await pack();
  const contents = await contentsOf(tarball);
  const digest = createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64');
  console.log(`${tarball}\n  ${contents.files.length} files, ${contents.bytes} bytes`);
  console.log('Inputs of the provenance statement:');
  console.log(`  subject  n8n-nodes-messaging-gateway@${version}, sha512-${digest}`);
  console.log(`  source   ${await git('rev-parse', 'HEAD')} of ${manifest.repository.url}`);
  console.log('  builder  .github/workflows/publish.yml on GitHub Actions (id-token: write)');
  const problems = problemsOf(contents);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  if (isDryRun) {
    console.log('\nDry run: nothing was changed.');
    return 0;
  }
  await git('add', 'package.json', 'CHANGELOG.md');
  await git('commit', '-m', `Release ${version}`);
  await git('tag', version);
  console.log(`\nCommitted and tagged. Publish it: git push --atomic origin main ${version}`);
  return 0;
}

process.exit(await main());
