import { globSync } from 'node:fs';
import { resolve } from 'node:path';

import { currentArea } from './areas.mts';

const [excluded, included] = [true, false].map((isExcluded) =>
  currentArea().mutate.filter((glob) => glob.startsWith('!') === isExcluded),
);

// Vitest counts no test of a file that can't be loaded, so that a mutant with which nothing loads would survive.
it('loads every file of the area', async () => {
  const files = globSync([...included], { exclude: excluded.map((glob) => glob.slice(1)) });
  for (const file of files) expect(await import(resolve(file))).toBeDefined();
});
