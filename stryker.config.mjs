import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { currentArea } from './tools/mutation/areas.mts';

/** Mutation testing of one area, which `npm run mutate` names; docs/mutation-testing.md has the scores. */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'tools/mutation/jest.config.mjs' },
  mutate: currentArea().mutate,
  // Words of errors are tested where they are put together; a mutant of each would say nothing new.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: [
    'dist',
    'docs/pictures',
    'examples',
    'bench',
    'tools/n8n',
    'tools/oldest-n8n',
    'tools/scanner',
    '.github',
  ],
  // Outside of the project: its compiler and linter would follow the links in it.
  tempDirName: join(tmpdir(), `stryker-messaging-gateway-${process.pid}`),
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `node_modules/.tmp/mutation/${process.env.MUTATION_AREA}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  // Endless loops are noticed by counting; this is for what counts nothing, on a machine that has other things to do.
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 20,
  concurrency: 2,
  thresholds: { high: 95, low: 90, break: 85 },
};
