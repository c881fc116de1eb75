import { stat } from 'node:fs/promises';

import { mustRun } from '../run-command.mts';

/** What a package may hold, and how much of it. A change of the budget belongs into the commit that needs it. */
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
export function problemsOf({ files, bytes }: Contents): string[] {
  const foreign = files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)));
  return [
    ...foreign.map((file) => `The package contains ${file}, which isn't meant to be published.`),
    ...(files.length > BUDGET.files
      ? [`The package has ${files.length} files; its budget is ${BUDGET.files}.`]
      : []),
    ...(bytes > BUDGET.bytes ? [`The package has ${bytes} bytes; its budget is ${BUDGET.bytes}.`] : []),
  ];
}
