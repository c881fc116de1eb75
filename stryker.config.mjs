import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Mutation testing: changes one thing at a time in the parts that money and the API key depend on, and sees whether a
 * test notices. `npm run mutate` for all, `npm run mutate -- --mutate 'nodes/gateway/callback/*.ts'` for some.
 * docs/mutation-testing.md has the score and explains the mutants that survive.
 */
export default {
  testRunner: 'jest',
  jest: { configFile: 'test/jest.mutation.config.mjs', enableFindRelatedTests: false },
  // pnpm's node_modules isn't searched for plugins.
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  mutate: [
    'nodes/gateway/callback/*.ts',
    'nodes/gateway/client/*.ts',
    'nodes/gateway/contract/*.ts',
    // A table that a script generates.
    '!nodes/gateway/contract/calling-codes.ts',
    'nodes/MessagingGateway/run/journal.ts',
  ],
  // Words of errors are tested where they are put together; a mutant of each would say nothing new.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: [
    'dist',
    'docs',
    'examples',
    'bench',
    'tools/n8n',
    'tools/n8n-versions',
    'tools/scanner',
    '.github',
  ],
  // Outside of the project: its compiler and linter would follow the links in it.
  tempDirName: join(tmpdir(), 'stryker-messaging-gateway'),
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'node_modules/.tmp/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  timeoutMS: 15_000,
  dryRunTimeoutMinutes: 20,
  concurrency: 2,
  thresholds: { high: 95, low: 90, break: 85 },
};
