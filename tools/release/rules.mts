/** What a release is: its version, its section of the changelog, what may be in the package, and what has to be filled in. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../paths.mts';
import { mustRun } from '../run-command.mts';

/**
 * The version of a release: the one that was asked for, or the next patch, minor or major version.
 *
 * @param from the version of package.json
 * @param wanted what was asked for
 * @param isReleased whether `from` was released already; the first release is the version that package.json has
 * @throws RangeError for anything else, and for a version that isn't later
 */
export function nextVersion(from: string, wanted = '', isReleased = true): string {
  const [major, minor, patch] = from.split('.').map(Number);
  const steps: Record<string, string> = {
    patch: `${major}.${minor}.${patch + 1}`,
    minor: `${major}.${minor + 1}.0`,
    major: `${major + 1}.0.0`,
  };
  if (Object.hasOwn(steps, wanted)) return steps[wanted];
  if (wanted === from && !isReleased) return from;
  const isLater = wanted.localeCompare(from, 'en', { numeric: true }) > 0;
  if (isLater && /^\d+\.\d+\.\d+$/.test(wanted)) return wanted;
  const asked = `patch, minor, major, or one such as ${steps.minor}. Received: "${wanted}"`;
  throw new RangeError(`Say which version after ${from}: ${asked}`);
}

/** Where a change writes what users will notice of it. */
const UNRELEASED = /^## Unreleased$/m;

/** What users will notice of the next release, as the changelog has it; undefined where that is nothing. */
export function unreleased(changelog: string): string | undefined {
  const section = changelog.split(UNRELEASED)[1]?.split(/^## /m)[0].trim();
  return section === '' ? undefined : section;
}

/**
 * Returns the changelog in which what wasn't released is the section of a version.
 * @throws RangeError where there is nothing
 */
export function withRelease(changelog: string, version: string, date: string): string {
  if (unreleased(changelog) === undefined)
    throw new RangeError('CHANGELOG.md has nothing under "Unreleased"');
  return changelog.replace(UNRELEASED, `## ${version} (${date})`);
}

/** How much a package may hold. A change of the budget belongs into the commit that needs it. */
const MAX_FILES = 300;
const MAX_BYTES = 250_000;

const ALLOWED = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/(credentials|nodes)\/.+\.(js|d\.ts|svg)$/,
  /^dist\/nodes\/[^/]+\/[^/]+\.node\.json$/,
  /^dist\/nodes\/[^/]+\/__schema__\/.+\.json$/,
  // What n8n reads at its start in place of the code.
  /^dist\/(known|types)\/(nodes|credentials)\.json$/,
];

export interface Contents {
  files: string[];

  /** Of the packed tarball. */
  bytes: number;
}

/** Lists what is in a tarball of npm. */
export async function contentsOf(tarball: string): Promise<Contents> {
  const names = (await mustRun('tar', ['-tzf', tarball])).trim().split('\n');
  return { files: names.map((name) => name.replace(/^package\//, '')), bytes: (await stat(tarball)).size };
}

/** Faults in the contents of a package, as sentences. */
export const problemsOf = ({ files, bytes }: Contents): string[] => [
  ...files
    .filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))
    .map((file) => `The package contains ${file}, which isn't meant to be published.`),
  ...(files.length > MAX_FILES ? [`The package has ${files.length} files, more than ${MAX_FILES}.`] : []),
  ...(bytes > MAX_BYTES ? [`The package has ${bytes} bytes, more than its budget of ${MAX_BYTES}.`] : []),
];

/**
 * What only the publisher can fill in: in package.json, from which the release follows, and few other places.
 * docs/internals/publishing.md lists it for people.
 */
const FILLED_IN = [
  'package.json',
  'LICENSE',
  'README.md',
  'credentials/MessagingGatewayApi.credentials.ts',
  'nodes/MessagingGateway/MessagingGateway.node.json',
  'nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node.json',
];
const PLACEHOLDER =
  /"email": "[^"]*\.example"|n8n-nodes-messaging-gateway maintainers|github\.com\/n8n-nodes-messaging-gateway\/|named with the first release/;

/** What the publisher has yet to fill in, as sentences; takes how a file is read. */
export async function findPlaceholders(
  read = async (file: string) => await readFile(join(ROOT, file), 'utf8'),
): Promise<string[]> {
  const left = async (file: string) =>
    (await read(file))
      .split('\n')
      .filter((line) => PLACEHOLDER.test(line))
      .map((line) => `${file} has a placeholder, enter what is the publisher's: ${line.trim()}`);
  return (await Promise.all(FILLED_IN.map(left))).flat();
}
