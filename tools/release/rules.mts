/** What a release is: its version, its section of the changelog, what may be in the package, and what has to be filled in. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../paths.mts';
import { mustRun } from '../run-command.mts';

/**
 * The version of a release: the one that was asked for, or the next patch, minor or major version.
 * @throws RangeError for anything else, and for a version that isn't later
 */
export function nextVersion(from: string, wanted = ''): string {
  const [major, minor, patch] = from.split('.').map(Number);
  const steps: Record<string, string> = {
    patch: `${major}.${minor}.${patch + 1}`,
    minor: `${major}.${minor + 1}.0`,
    major: `${major + 1}.0.0`,
  };
  if (Object.hasOwn(steps, wanted)) return steps[wanted];
  const isLater = wanted.localeCompare(from, 'en', { numeric: true }) > 0;
  if (isLater && /^\d+\.\d+\.\d+$/.test(wanted)) return wanted;
  const asked = `patch, minor, major, or one such as ${steps.minor}. Received: "${wanted}"`;
  throw new RangeError(`Say which version after ${from}: ${asked}`);
}

/** Commits that change nothing for those who use the package. */
const INTERNAL = /^(Release \d|Merge |Format |Test |Lint |Benchmark |Quote |Simulate |Bump )/;

/** A section of the changelog: one line for each commit that users may notice, oldest first. */
export function changelogSection(release: { version: string; date: string; subjects: string[] }): string {
  const lines = release.subjects.filter((subject) => !INTERNAL.test(subject)).reverse();
  const list = lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : '- No changes for users';
  return `## ${release.version} (${release.date})\n\n${list}\n`;
}

/** Puts a section above the ones that a changelog has. */
export function withSection(changelog: string, section: string): string {
  const first = changelog.search(/^## /m);
  if (first === -1) return `${changelog.trimEnd()}\n\n${section}`;
  return `${changelog.slice(0, first)}${section}\n${changelog.slice(first)}`;
}

/** How much a package may hold. A change of the budget belongs into the commit that needs it. */
const MOST_FILES = 300;
const MOST_BYTES = 200_000;

const ALLOWED = [
  /^(package\.json|README\.md|LICENSE)$/,
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

/** What is wrong with the contents of a package, as sentences. */
export const problemsOf = ({ files, bytes }: Contents): string[] => [
  ...files
    .filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))
    .map((file) => `The package contains ${file}, which isn't meant to be published.`),
  ...(files.length > MOST_FILES ? [`The package has ${files.length} files, more than ${MOST_FILES}.`] : []),
  ...(bytes > MOST_BYTES ? [`The package has ${bytes} bytes, more than its budget of ${MOST_BYTES}.`] : []),
];

/**
 * What only the publisher can fill in, nearly all of it in package.json: the codex and the release follow from there.
 * tools/README.md lists it for people.
 */
const FILLED_IN = ['package.json', 'LICENSE', 'credentials/MessagingGatewayApi.credentials.ts'];
const PLACEHOLDER =
  /"email": "[^"]*\.example"|n8n-nodes-messaging-gateway maintainers|github\.com\/n8n-nodes-messaging-gateway\//;

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
