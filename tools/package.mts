import { existsSync, globSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { PACKAGE_NAME, ROOT, TMP } from './paths.mts';
import { mustRun } from './run-command.mts';

const TARBALL = join(TMP, `${PACKAGE_NAME}.tgz`);

/** Builds the package into `dist`: the compiler, static files, and what the gulpfile makes. */
export async function build(): Promise<void> {
  await mustRun('n8n-node', ['build']);
  // With this option, gulp says nothing but its errors.
  await mustRun('gulp', ['-L']);
}

/** Files that npm packs beside those that package.json names. */
const ALWAYS_PACKED = ['package.json', 'README.md', 'LICENSE'];

/**
 * Packs `dist` the way it is published, and gives the path of the tarball. npm packs the same from a folder without the
 * installed packages, all of which it reads otherwise: nine tenths of the time that it takes.
 */
export async function pack(): Promise<string> {
  await mkdir(TMP, { recursive: true });
  const folder = await mkdtemp(join(TMP, 'packed-'));
  try {
    const { files } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
    for (const name of [...ALWAYS_PACKED, ...files])
      await cp(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
    const args = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder, folder];
    const [{ filename }] = JSON.parse(await mustRun('npm', args)) as Array<{ filename: string }>;
    await rename(join(folder, filename), TARBALL);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return TARBALL;
}

/** The tarball of the last `pack`, packed now when there is none. */
export async function packed(): Promise<string> {
  if (existsSync(TARBALL)) return TARBALL;
  if (!existsSync(join(ROOT, 'dist'))) await build();
  return await pack();
}

/** The files and folders of which the package is made. */
const SOURCES = [
  'nodes',
  'credentials',
  'tools/build',
  'gulpfile.js',
  'package.json',
  'README.md',
  'CHANGELOG.md',
];

/** Builds and packs what is there now, unless nothing has changed since the last `pack`. */
export async function packSources(): Promise<void> {
  const last = existsSync(TARBALL) ? statSync(TARBALL).mtimeMs : 0;
  const files = SOURCES.flatMap((name) => [name, ...globSync(`${name}/**`, { cwd: ROOT })]);
  if (!files.some((file) => statSync(join(ROOT, file)).mtimeMs > last)) return;
  await build();
  await pack();
}

/** Unpacks a tarball of npm into a folder, which is emptied first. */
export async function unpack(tarball: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await mustRun('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
