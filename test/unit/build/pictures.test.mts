/** The pictures of the documentation: each is used and there, each example has one, and they stay small. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import sharp from 'sharp';

import { problemsOf } from '../../../tools/release/contents.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join('docs', 'pictures');
const BUDGET_BYTES = 3_000_000;
const WIDEST = 1440;

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
const pictures = readdirSync(join(ROOT, FOLDER)).map((file) => join(FOLDER, file));

/** What the pages show, as paths from the root, with the words for those who don't see it. */
const shown = pages.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[([^\]]*)\]\((?!https?:)([^)]+)\)/g)].map(
    ([, words, path]) => ({ page, words, path: relative(ROOT, join(ROOT, dirname(page), path)) }),
  ),
);

it('shows pictures that exist', () => {
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('has a use for each picture', () => {
  const used = new Set(shown.map(({ path }) => path));
  expect(pictures.filter((picture) => !used.has(picture))).toEqual([]);
});

it('says in words what each picture shows', () => {
  expect(shown.filter(({ words }) => words.length < 10)).toEqual([]);
});

it.each(readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.json')))(
  '%s has a section with its picture',
  (file) => {
    const page = readFileSync(join(ROOT, 'docs', 'examples.md'), 'utf8');
    expect(page).toContain(`](pictures/example-${file.replace(/json$/, 'png')})`);
  },
);

it('is small: PNG no wider than a screen, and few bytes together', async () => {
  const sizes = pictures.map(async (picture) => await sharp(join(ROOT, picture)).metadata());
  for (const { format, width } of await Promise.all(sizes)) {
    expect(format).toBe('png');
    expect(width).toBeLessThanOrEqual(WIDEST);
  }
  const bytes = pictures.reduce((sum, picture) => sum + statSync(join(ROOT, picture)).size, 0);
  expect(bytes).toBeLessThan(BUDGET_BYTES);
});

it("isn't published in the package", () => {
  const files = ['package.json', ...pictures];
  expect(problemsOf({ files, bytes: 1 })).toHaveLength(pictures.length);
  const { files: published } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    files: string[];
  };
  expect(published).toEqual(['dist']);
});
