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
export const BUDGET = { files: 300, bytes: 200_000 };

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
export const problemsOf = (contents: Contents): string[] => [
  ...contents.files
    .filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))
    .map((file) => `The package contains ${file}, which isn't meant to be published.`),
  ...(['files', 'bytes'] as const).flatMap((unit) => {
    const { [unit]: found } = { files: contents.files.length, bytes: contents.bytes };
    return found > BUDGET[unit] ? [`The package has ${found} ${unit}; its budget is ${BUDGET[unit]}.`] : [];
  }),
];

/**
 * What only the publisher can fill in, all in package.json: the codex, the documentation link of the credential and the
 * release follow from there. LICENSE names the copyright holder. tools/README.md lists it for people.
 */
const PLACEHOLDERS: Array<[file: string, text: RegExp, instead: string]> = [
  [
    'package.json',
    /"email": "[^"]*\.example"/,
    "The field author.email is a placeholder: enter the publisher's address, the same as on npm.",
  ],
  [
    'package.json',
    /"name": "n8n-nodes-messaging-gateway maintainers"/,
    "The field author.name is a placeholder: enter the publisher's name.",
  ],
  [
    'package.json',
    /github\.com\/n8n-nodes-messaging-gateway\//,
    'The fields homepage, bugs and repository name no real repository: enter the one that publishes.',
  ],
  [
    'LICENSE',
    /Copyright .*n8n-nodes-messaging-gateway maintainers/,
    'LICENSE names a placeholder as the copyright holder: enter the publisher.',
  ],
  [
    'credentials/MessagingGatewayApi.credentials.ts',
    /github\.com\/n8n-nodes-messaging-gateway\//,
    "documentationUrl of the credential names no real repository: enter the publisher's.",
  ],
];

/** What the publisher has yet to fill in, as sentences; takes how a file is read. */
export async function findPlaceholders(
  read = async (file: string) => await readFile(join(ROOT, file), 'utf8'),
): Promise<string[]> {
  const isLeft = async ([file, text]: (typeof PLACEHOLDERS)[number]) => text.test(await read(file));
  const left = await Promise.all(PLACEHOLDERS.map(isLeft));
  return PLACEHOLDERS.filter((_, i) => left[i]).map(([, , instead]) => instead);
}
