/**
 * Builds what the compiler does not. Runs after `n8n-node build`, which empties `dist`, compiles and copies the
 * static files that are in the source tree.
 *
 * `gulp generate` writes the generated files into the source tree, where they are committed (lint and the
 * compiler look for them there); `gulp` does that too, brings them into `dist`, and takes out of `dist` what is
 * no part of the package.
 */
const { cp, mkdir, readdir, rm, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');

const { parallel, series } = require('gulp');

const root = __dirname;
const dist = join(root, 'dist');

/** The folders that the package ships. */
const SHIPPED = ['credentials', 'nodes'];

async function write(files) {
  for (const { path, text } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    await mkdir(dirname(join(dist, path)), { recursive: true });
    await cp(join(root, path), join(dist, path));
  }
}

async function icons() {
  const build = await import('./tools/build/icons.mts');
  await write(await build.icons(root));
}

/** `n8n-node build` copies each picture that it finds, those of other packages in nested folders included. */
async function prune() {
  for (const entry of await readdir(dist)) {
    if (!SHIPPED.includes(entry)) await rm(join(dist, entry), { recursive: true });
  }
}

exports.icons = icons;
exports.default = series(parallel(icons), prune);
