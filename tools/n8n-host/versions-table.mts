/** The table of docs/versions.md, made from what the core checks left. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { withTables } from '../build/tables.mts';
import { ROOT, TMP } from '../paths.mts';
import type { Line } from './installations.mts';
import { LINES } from './installations.mts';

/** What the checks of a line write. */
export const VERSIONS_TMP = join(TMP, 'versions');
export const resultFile = (line: Line | 'given'): string => join(VERSIONS_TMP, `${line}.json`);

interface Result {
  version: string;

  /** By title of the check. */
  passed: Record<string, boolean>;
}

export const VERSIONS_PAGE = join(ROOT, 'docs', 'versions.md');

/** Returns the page as it is, and with what the checks found last. */
export async function versionsPage(): Promise<{ written: string; found: string }> {
  const results = await Promise.all(
    LINES.map(async (line) => JSON.parse(await readFile(resultFile(line), 'utf8')) as Result),
  );
  const titles = Object.keys(results[0].passed);
  const rows = results.map(({ version, passed }) => [
    version,
    ...titles.map((title) => (passed[title] ? 'yes' : 'no')),
  ]);
  const written = await readFile(VERSIONS_PAGE, 'utf8');
  return { written, found: withTables(written, { 'Versions of n8n': [['n8n', ...titles], ...rows] }) };
}
