/**
 * The pictures of the documentation, in one go: starts the sandbox and a real n8n with the packed package, and writes
 * to docs/pictures what a headless Chromium shows of the editor, of the phone page, and of the canvas of each example.
 * Takes about two minutes.
 *
 * Usage: npm run pictures -- [--only editor,phone,examples] [--no-build]
 */
import { parseArgs } from 'node:util';

import { takeCanvasPictures } from './pictures/canvases.mts';
import { takeEditorPictures } from './pictures/editor.mts';
import { takePhonePictures } from './pictures/phone.mts';
import { openStudio } from './pictures/studio.mts';
import type { Studio } from './pictures/studio.mts';

const USAGE = `Usage: npm run pictures -- [options]

  --only <a,b>   parts: editor, phone, examples; default all
  --no-build     show what was built and packed last
  --help
`;

const PARTS: Record<string, (studio: Studio) => Promise<void>> = {
  editor: takeEditorPictures,
  phone: takePhonePictures,
  examples: takeCanvasPictures,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(PARTS).join() },
    'no-build': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const only = values.only.split(',');
  const unknown = only.filter((part) => !(part in PARTS));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}\n\n${USAGE}`);
  const studio = await openStudio({ built: values['no-build'] });
  try {
    for (const part of only) {
      const start = Date.now();
      await PARTS[part](studio);
      console.log(`${part}: ${Math.round((Date.now() - start) / 1000)} s`);
    }
  } finally {
    await studio.close();
  }
}

if (values.help) console.log(USAGE);
else await main();
