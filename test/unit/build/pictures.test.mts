/** The pictures of the documentation: each is used and there, each example has one, and they stay small. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

import { problemsOf } from '../../../tools/release/contents.mts';
import { sizeOf, withFewColours } from '../../../tools/pictures/png.mts';

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

it('is small: PNG no wider than a screen, and few bytes together', () => {
  const wide = pictures.filter((picture) => sizeOf(readFileSync(join(ROOT, picture))).width > WIDEST);
  expect(wide).toEqual([]);
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

describe('the palette', () => {
  const part = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  /** A PNG of `channels` bytes a pixel, from rows that begin with the number of their filter. */
  const png = (width: number, rows: number[][], channels: 3 | 4): Buffer => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(rows.length, 4);
    header.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8);
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      part('IHDR', header),
      part('IDAT', deflateSync(Buffer.from(rows.flat()))),
      part('IEND', Buffer.alloc(0)),
    ]);
  };
  /** The colours of a PNG with a palette, pixel by pixel. */
  const coloursOf = (picture: Buffer): string[] => {
    const parts = new Map<string, Buffer>();
    for (let at = 8; at < picture.length; at += picture.readUInt32BE(at) + 12) {
      parts.set(
        picture.toString('latin1', at + 4, at + 8),
        picture.subarray(at + 8, at + 8 + picture.readUInt32BE(at)),
      );
    }
    const { width } = sizeOf(picture);
    const palette = parts.get('PLTE') ?? Buffer.alloc(0);
    return [...inflateSync(parts.get('IDAT') ?? Buffer.alloc(0))]
      .filter((_, i) => i % (width + 1) !== 0)
      .map((index) => palette.toString('hex', 3 * index, 3 * index + 3));
  };

  it('keeps the colours of a picture that has few, whatever filters its rows have', () => {
    const rows = [
      [0, 10, 20, 30, 255, 10, 20, 30, 255],
      [1, 1, 2, 3, 255, 9, 18, 27, 0],
      [2, 9, 18, 27, 0, 0, 0, 0, 0],
      [3, 0, 0, 0, 128, 0, 0, 0, 0],
      [4, 1, 1, 1, 0, 0, 0, 0, 0],
    ];
    expect(coloursOf(withFewColours(png(2, rows, 4)))).toEqual([
      ...['0a141e', '0a141e', '010203', '0a141e', '0a141e', '0a141e'],
      ...['050a0f', '070f16', '060b10', '070f16'],
    ]);
  });

  it('takes similar ones for those of a picture that has many', () => {
    const row = Array.from({ length: 600 }, (_, i) => [i & 255, (i * 7) & 255, i >> 8]).flat();
    const colours = coloursOf(withFewColours(png(600, [[0, ...row]], 3)));
    expect(new Set(colours).size).toBeLessThanOrEqual(256);
    const far = colours.filter((colour, i) =>
      [0, 1, 2].some(
        (n) => Math.abs(Number.parseInt(colour.slice(2 * n, 2 * n + 2), 16) - row[3 * i + n]) > 32,
      ),
    );
    expect(far).toEqual([]);
  });

  it('refuses what it does not know', () => {
    const interlaced = png(1, [[0, 1, 2, 3]], 3);
    interlaced[28] = 1;
    expect(() => withFewColours(interlaced)).toThrow('Not a PNG');
  });
});
