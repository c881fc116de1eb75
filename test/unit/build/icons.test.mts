import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { icons } from '../../../tools/build/icons.mts';

const root = join(import.meta.dirname, '../../..');

describe('icons', () => {
  it('are committed as gulp draws them', async () => {
    const files = await icons(root);
    expect(files).toHaveLength(6);
    for (const { path, text } of files) {
      expect({ path, text: await readFile(join(root, path), 'utf8') }).toEqual({ path, text });
    }
  });

  it('are square and have no placeholder left', async () => {
    for (const { text } of await icons(root)) {
      expect(text).toContain('viewBox="0 0 60 60"');
      expect(text).not.toContain('{{');
    }
  });

  it('differ between light and dark, and are one drawing otherwise', async () => {
    const colourless = (text: string) => text.replace(/#[0-9a-f]{6}/g, '');
    const files = await icons(root);
    const light = files.filter(({ path }) => !path.endsWith('.dark.svg'));
    const dark = files.filter(({ path }) => path.endsWith('.dark.svg'));
    expect(new Set(light.map(({ text }) => text)).size).toBe(1);
    expect(new Set(dark.map(({ text }) => text)).size).toBe(1);
    expect(light[0].text).not.toBe(dark[0].text);
    expect(colourless(light[0].text)).toBe(colourless(dark[0].text));
  });
});
