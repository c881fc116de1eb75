import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { PACKAGE_NAME, ROOT, TMP } from './paths.mts';
import { mustRun } from './run-command.mts';

const TARBALL = join(TMP, `${PACKAGE_NAME}.tgz`);

/** Builds the package into `dist`: the compiler, static files, and what the gulpfile makes. */
export async function build(): Promise<void> {
  await mustRun('n8n-node', ['build']);
  await mustRun('gulp', ['--silent']);
}

/** Packs `dist` the way it is published, and gives the path of the tarball. */
export async function pack(): Promise<string> {
  await mkdir(TMP, { recursive: true });
  const [{ filename }] = JSON.parse(
    await mustRun('npm', ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', TMP]),
  ) as Array<{ filename: string }>;
  await rename(join(TMP, filename), TARBALL);
  return TARBALL;
}

/** The tarball of the last `pack`, packed now when there is none. */
export async function packed(): Promise<string> {
  if (existsSync(TARBALL)) return TARBALL;
  if (!existsSync(join(ROOT, 'dist'))) await build();
  return await pack();
}

/** Unpacks a tarball of npm into a folder, which is emptied first. */
export async function unpack(tarball: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await mustRun('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
