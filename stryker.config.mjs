import { tmpdir } from 'node:os';
import { join } from 'node:path';

import suite from './test/jest.config.mjs';

const unit = suite.projects.find(({ displayName }) => displayName === 'unit');

/** Mutation testing of the files that `npm run mutate -- <file>,<file>` names, by the unit tests that load them. */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    config: {
      ...unit,
      // That of the copy that Stryker changes.
      rootDir: '.',
      // Stryker has an environment of its own.
      testEnvironment: 'node',
      runtime: undefined,
      setupFiles: ['<rootDir>/test/support/brief-properties.mts'],
      // Time limits, a library of numbers and simulations take minutes, and say nothing more about a mutant; the others are
      // about pages and tools.
      testPathIgnorePatterns: [
        ...['outside-texts', '-library', 'hostile', 'exhaustive', 'unit/simulation/'],
        ...['unit/build/', 'unit/release/', 'unit/tools/', 'unit/sandbox/'],
      ],
    },
  },
  // Words of errors are tested where they are put together; a mutant of each would say nothing new.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: [
    'dist',
    'docs/pictures',
    'bench',
    'tools/n8n',
    'tools/oldest-n8n',
    'tools/scanner',
    '.github',
  ],
  // Outside of the project: its compiler and linter would follow the links in it.
  tempDirName: join(tmpdir(), `stryker-messaging-gateway-${process.pid}`),
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  // One in a constant of a file has all tests run, each in a process that loads all anew.
  ignoreStatic: true,
  timeoutMS: 10_000,
  concurrency: 2,
};
