import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { GeneratedFile } from './generated-file.mts';

/** The drawing that every icon is made from. Not named `.svg`, so that the build doesn't ship it. */
const DRAWING = 'assets/icon.svg.template';

/** Where the icons live, without the ending. */
const PLACES = [
  'nodes/MessagingGateway/messagingGateway',
  'nodes/MessagingGatewayTrigger/messagingGatewayTrigger',
  'credentials/messagingGatewayApi',
];

/** Colours by theme: `light` stands on n8n's white canvas, `dark` on its dark one. */
const THEMES = [
  { ending: '.svg', bubble: '#0b7a75', mark: '#ffffff' },
  { ending: '.dark.svg', bubble: '#4fd1c5', mark: '#10312f' },
];

/**
 * Draws the icons of both nodes and of the credential, light and dark, from the one drawing.
 * Takes the root folder of the repository; returns six files. Fails when the drawing cannot be read.
 */
export async function icons(root: string): Promise<GeneratedFile[]> {
  const drawing = await readFile(join(root, DRAWING), 'utf8');
  return PLACES.flatMap((place) =>
    THEMES.map(({ ending, bubble, mark }) => ({
      path: place + ending,
      text: drawing.replaceAll('{{bubble}}', bubble).replaceAll('{{mark}}', mark),
    })),
  );
}
