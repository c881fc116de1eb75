/** The README and the pages of the documentation: what they link to, name and show. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { problemsOf } from '../../../tools/release/rules.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BUDGET_BYTES = 3_000_000;
const WIDEST = 1440;

const filesOf = (folder: string, end: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const GUIDES = filesOf('docs', '.md');
const DOCS = [...GUIDES, ...filesOf('docs/internals', '.md')];
const PICTURES = filesOf('docs/pictures', '');
const EXAMPLES = filesOf('examples', '.json').map((path) => path.slice('examples/'.length));

const withoutCode = (page: string): string => page.replaceAll(/^ *```[^]*?^ *```$/gm, '');

/** The anchors that GitHub gives to the headings of a page; a repeated heading gets none that can be relied on. */
const anchorsOf = (page: string): string[] => {
  const anchors = [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return anchors.filter((anchor) => anchors.indexOf(anchor) === anchors.lastIndexOf(anchor));
};

const OTHERS = ['CONTRIBUTING.md', 'SECURITY.md', 'sandbox/README.md'];

describe.each(['README.md', ...DOCS, ...OTHERS])('%s', (page) => {
  const text = read(page);
  /** Links and pictures, as paths from the root, with the words for those who don't see them. */
  const links = [...withoutCode(text).matchAll(/(!?)\[([^\]]*)\]\((?!https?:)([^)]*)\)/g)].map(
    ([, mark, words, link]) => {
      const [file, anchor] = link.split('#');
      return { isPicture: mark !== '', words, link, anchor, target: file ? join(dirname(page), file) : page };
    },
  );

  it('links to files and headings that exist, and says in words what each picture shows', () => {
    const broken = links.filter(
      ({ target, anchor }) =>
        !existsSync(join(ROOT, target)) ||
        (anchor !== undefined && !anchorsOf(read(target)).includes(anchor)),
    );
    expect(broken).toEqual([]);
    expect(links.filter(({ isPicture, words }) => isPicture && words.length < 10)).toEqual([]);
    // Links in other forms, which this doesn't see.
    expect(withoutCode(text)).not.toMatch(/<(a|img)\b|\]\[|^\[[^\]]+\]:/m);
  });
});

it('the README leads to each guide, and CONTRIBUTING to each page about the inside', () => {
  const contributing = read('CONTRIBUTING.md');
  const unlinked = DOCS.filter(
    (page) => !(GUIDES.includes(page) ? readme : contributing).includes(`](${page}`),
  );
  expect(unlinked).toEqual([]);
});

it('CONTRIBUTING names places that exist', () => {
  const cells = [...read('CONTRIBUTING.md').matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell]) => cell);
  const places = cells.flatMap((cell) => [...cell.matchAll(/`([\w/.-]+[/\w])`/g)].map(([, place]) => place));
  expect(places.length).toBeGreaterThan(10);
  const exists = (place: string) =>
    ['.', 'nodes/MessagingGateway'].some((folder) => existsSync(join(ROOT, folder, place)));
  expect(places.filter((place) => !exists(place))).toEqual([]);
});

it('the checklist of n8n names files that exist', () => {
  const page = read('docs/internals/verification.md');
  const named = [...page.matchAll(/`((?:test|tools|nodes|\.github)\/[^`\s]+)`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('the README has the headings that the node and the credential lead to', () => {
  const places = [
    'credentials/MessagingGatewayApi.credentials.ts',
    'nodes/MessagingGateway/MessagingGateway.node.json',
    'nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node.json',
  ];
  const anchors = places.flatMap((place) =>
    [...read(place).matchAll(/#([a-z-]+)['"`]/g)].map(([, anchor]) => anchor),
  );
  expect(anchors.length).toBeGreaterThan(1);
  expect([...anchorsOf(readme), 'readme']).toEqual(expect.arrayContaining(anchors));
});

describe('the pictures', () => {
  it('are all shown, one of them for each example', () => {
    const shown = [readme, ...DOCS.map(read)].join('\n');
    expect(
      PICTURES.filter((path) => !shown.includes(`pictures/${path.slice('docs/pictures/'.length)})`)),
    ).toEqual([]);
    const examples = read('docs/examples.md');
    const missing = EXAMPLES.filter(
      (file) => !examples.includes(`](pictures/example-${file.replace(/json$/, 'png')})`),
    );
    expect(missing).toEqual([]);
  });

  it('are small: PNG no wider than a screen, and few bytes together', () => {
    for (const path of PICTURES) {
      const picture = readFileSync(join(ROOT, path));
      // A PNG begins with its name and its first chunk, which begins with the width.
      expect(picture.toString('latin1', 1, 4)).toBe('PNG');
      expect(picture.readUInt32BE(16)).toBeLessThanOrEqual(WIDEST);
    }
    const bytes = PICTURES.reduce((sum, path) => sum + statSync(join(ROOT, path)).size, 0);
    expect(bytes).toBeLessThan(BUDGET_BYTES);
  });

  it("aren't published in the package", () => {
    expect(problemsOf({ files: ['package.json', ...PICTURES], bytes: 1 })).toHaveLength(PICTURES.length);
    expect((JSON.parse(read('package.json')) as { files: string[] }).files).toEqual(['dist', 'CHANGELOG.md']);
  });
});
