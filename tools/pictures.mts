/**
 * The pictures of the documentation, in one go: starts the sandbox and a real n8n with the packed package, and writes
 * to docs/pictures what a headless Chromium shows of the editor, of the phone page, of the canvas of each example, and
 * of every error. Takes about six minutes.
 *
 * Usage: npm run pictures -- [--only editor,phone,examples,errors,credentials] [--no-build]
 */
import { parseArgs } from 'node:util';

import { build, pack, packed } from './package.mts';
import { takeCanvasPictures } from './pictures/canvases.mts';
import { takeEditorPictures } from './pictures/editor.mts';
import { takeErrorPictures } from './pictures/errors.mts';
import { takePhonePictures } from './pictures/phone.mts';
import { openStudio } from './pictures/studio.mts';
import type { Studio } from './pictures/studio.mts';

const USAGE = `Usage: npm run pictures -- [options]

  --only <a,b>   parts: editor, phone, examples, errors, credentials (errors of its test); default all
  --no-build     show what was built and packed last
  --help
`;

const PARTS: Record<string, (studio: Studio) => Promise<void>> = {
  editor: takeEditorPictures,
  phone: takePhonePictures,
  examples: takeCanvasPictures,
};

const ERRORS = ['errors', 'credentials'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: [...Object.keys(PARTS), ...ERRORS].join() },
    'no-build': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function timed(part: string, work: () => Promise<void>): Promise<void> {
  const start = Date.now();
  await work();
  console.log(`${part}: ${Math.round((Date.now() - start) / 1000)} s`);
}

async function main(): Promise<void> {
  const only = values.only.split(',');
  const unknown = only.filter((part) => !ERRORS.includes(part) && !(part in PARTS));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}\n\n${USAGE}`);
  if (!values['no-build']) await build();
  const tarball = values['no-build'] ? await packed() : await pack();
  const parts = Object.entries(PARTS).filter(([part]) => only.includes(part));
  if (parts.length > 0) {
    const studio = await openStudio({ tarball });
    try {
      for (const [part, take] of parts) await timed(part, async () => await take(studio));
    } finally {
      await studio.close();
    }
  }
  const [nodes, credentials] = ERRORS.map((part) => only.includes(part));
  if (!nodes && !credentials) return;
  // An n8n of its own, which knows certificates and names that don't exist elsewhere.
  await timed('errors', async () => await takeErrorPictures({ tarball, nodes, credentials }));
}

if (values.help) console.log(USAGE);
else await main();
