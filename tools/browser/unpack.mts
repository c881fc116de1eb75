/**
 * Unpacks the Chromium of `@sparticuz/chromium`, the libraries that it links to, and fonts into a folder, once.
 *
 * Usage: node tools/browser/unpack.mts <folder>
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const [folder] = process.argv.slice(2);
const require = createRequire(import.meta.url);

/** Of DejaVu, the families of a page's text without the condensed ones. */
const FONT = /^DejaVu(Sans|SansMono|Serif)(-(Bold|Oblique|BoldOblique|Italic|BoldItalic))?\.ttf$/;

async function unpack(target: string): Promise<void> {
  // The package unpacks to the folder for temporary files.
  process.env.TMPDIR = target;
  // Imported only now, since it looks at the environment when it is loaded.
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  const binaries = join(dirname(require.resolve('@sparticuz/chromium')), '..', 'bin');
  await inflate(join(binaries, 'al2023.tar.br'));
  await cp(dirname(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')), join(target, 'fonts', 'DejaVu'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ttf') || FONT.test(basename(path)),
  });
  await cp(join(import.meta.dirname, 'fonts.conf'), join(target, 'fonts.conf'));
}

// Several processes may want it at once: each unpacks by itself, and the first one to be ready puts it in its place.
await mkdir(dirname(folder), { recursive: true });
const temporary = await mkdtemp(`${folder}-`);
try {
  await unpack(temporary);
  await rename(temporary, folder);
} catch (error) {
  if (!existsSync(folder)) throw error;
} finally {
  await rm(temporary, { recursive: true, force: true });
}
