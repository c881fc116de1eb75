/** Runs the tests of an area for Stryker: Vitest keeps what is compiled from one mutant to the next, which jest can't. */
import { createRequire } from 'node:module';

import { defineConfig } from 'vitest/config';

import { currentArea, testFilesOf } from './areas.mts';

export default defineConfig({
  // As jest loads it: Vitest would compile the other form of it anew.
  resolve: { alias: { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') } },
  test: {
    // The tests are written for jest, which provides its functions as globals.
    globals: true,
    setupFiles: 'tools/mutation/setup.mts',
    include: ['tools/mutation/loads.test.mts', ...testFilesOf(currentArea())],
    testTimeout: 60_000,
  },
});
