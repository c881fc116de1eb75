/** The table of docs/versions.md, made from what the core checks left. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Line } from './installations.mts';
import { LINES } from './installations.mts';
import { ROOT, TMP } from '../paths.mts';

/** What the checks of a line write. */
export const VERSIONS_TMP = join(TMP, 'versions');
export const resultFile = (line: Line | 'given'): string => join(VERSIONS_TMP, `${line}.json`);

interface Result {
  version: string;
  /** By title of the check. */
  passed: Record<string, boolean>;
}

const PAGE = join(ROOT, 'docs', 'versions.md');
/** The header of the table and its rows. */
const TABLE = /^\| n8n \|.*\n\|[-|]+\|\n(?:\|.*\n)*/m;

const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`;

async function tableOfResults(): Promise<string> {
  const results = await Promise.all(
    LINES.map(async (line) => JSON.parse(await readFile(resultFile(line), 'utf8')) as Result),
  );
  const titles = Object.keys(results[0].passed);
  return [
    row(['n8n', ...titles]),
    `|${'---|'.repeat(titles.length + 1)}\n`,
    ...results.map(({ version, passed }) =>
      row([version, ...titles.map((title) => (passed[title] ? 'yes' : 'no'))]),
    ),
  ].join('');
}

/** Returns the page, the table that it has, and the one that the checks found last. @throws Error where it has none */
async function tables(): Promise<{ page: string; written: string; found: string }> {
  const page = await readFile(PAGE, 'utf8');
  const [written] = TABLE.exec(page) ?? [];
  if (written === undefined) throw new Error('docs/versions.md has no table that begins with "| n8n |"');
  return { page, written, found: await tableOfResults() };
}

/** Whether the page says what the checks found last. */
export async function versionsHold(): Promise<boolean> {
  const { written, found } = await tables();
  if (found === written) return true;
  console.error(
    `The table of docs/versions.md differs from what was found:\n${found}Write it: npm run versions`,
  );
  return false;
}

/** Writes what the checks found last into the page. */
export async function writeVersions(): Promise<void> {
  const { page, written, found } = await tables();
  await writeFile(PAGE, page.replace(written, found));
  console.log(found);
}
