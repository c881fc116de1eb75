import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES } from '../../../nodes/gateway/errors/http-statuses.ts';
import { TEXT_ENTRIES } from '../../../nodes/gateway/errors/text-entries.ts';
import { PLAIN_WORDS } from '../../../nodes/gateway/errors/words.ts';
import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';
import { RESOURCES } from '../../../nodes/MessagingGateway/run/definition.ts';
import { examplesPage } from '../../../tools/build/examples-page.mts';
import type { DocumentedExample } from '../../../tools/build/examples-page.mts';
import { docs, documentedNode } from '../../../tools/build/docs.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGES = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('has the generated pages as the build writes them', () => {
  const node = documentedNode({
    operations: OPERATIONS,
    resources: RESOURCES,
    textEntries: TEXT_ENTRIES,
    statusEntries: STATUS_ENTRIES,
    explain,
    words: PLAIN_WORDS,
  });
  const pages = docs(node);
  expect(pages).toHaveLength(2);
  for (const { path, text } of pages) expect(read(path)).toBe(text);
});

it.each(PAGES)('%s links to files and headings that exist', (page) => {
  const path = join('docs', page);
  const broken = [...read(path).matchAll(/\]\((?!https?:)([^)]*)\)/g)].flatMap(([, link]) => {
    const [file, anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return [link];
    return anchor === undefined || anchorsOf(read(target)).includes(anchor) ? [] : [link];
  });
  expect(broken).toEqual([]);
});

it('has the page of the examples as the build writes it, each with what to change before a run', () => {
  const examples = readdirSync(join(ROOT, 'examples'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      file: file.slice(0, -'.json'.length),
      workflow: JSON.parse(read(join('examples', file))) as DocumentedExample['workflow'],
    }));
  const { path, text } = examplesPage(examples);
  expect(read(path)).toBe(text);
  const sections = text.split('\n## ').slice(1);
  expect(sections).toHaveLength(examples.length);
  const silent = sections.filter((section) => !/\*\*(Before you run it|To try it):\*\*/.test(section));
  expect(silent.map((section) => section.split('\n')[0])).toEqual([]);
});

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(PAGES)('%s is linked from the README', (page) => {
  expect(read('README.md')).toContain(`](docs/${page}`);
});

it.each(PAGES)('%s has one title and is finished', (page) => {
  const text = read(join('docs', page));
  expect(text.match(/^# /gm)).toHaveLength(1);
  expect(text).not.toMatch(/<!--|TODO|TBD/);
});
