/** docs/verification.md names what checks each rule: the files are there, and so are the titles that it quotes of them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../../../tools/paths.mts';

const page = readFileSync(join(ROOT, 'docs', 'verification.md'), 'utf8');

/** Files and folders named as code, from the root, with the words quoted in brackets behind one. */
const named = [...page.matchAll(/`((?:test|tools|nodes|\.github)\/[^`\s]+)`(?: \("([^"]+)"\))?/g)].map(
  ([, path, words]) => ({ path, words }),
);

async function textOf(path: string): Promise<string> {
  const full = join(ROOT, path);
  if (!statSync(full).isDirectory()) return readFileSync(full, 'utf8');
  const files = (await readdir(full, { recursive: true })).filter((file) => file.endsWith('.mts'));
  return files.map((file) => readFileSync(join(full, file), 'utf8')).join('\n');
}

it('names many files and folders, each of which is there', () => {
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('quotes words that are in the tests that it names for them', async () => {
  const quoting = named.filter(({ words }) => words !== undefined);
  expect(quoting.length).toBeGreaterThan(2);
  const texts = await Promise.all(quoting.map(async ({ path }) => await textOf(path)));
  expect(quoting.filter(({ words }, i) => !texts[i].includes(words))).toEqual([]);
});
