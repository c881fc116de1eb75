/**
 * The layers of the suite, each a jest project: `jest -c test/jest.config.mjs --selectProjects unit`.
 * Tests are `.mts`, compiled to CommonJS by swc, so that they load the nodes the way n8n does.
 */
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

const layer = (name, extra = {}) => ({
  displayName: name,
  rootDir,
  testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
  testEnvironment: 'node',
  moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/node_modules/.tmp/', '<rootDir>/tools/n8n/node_modules/'],
  transform: {
    '\\.m?ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  ...extra,
});

const E2E = {
  globalSetup: '<rootDir>/test/e2e/setup.mts',
  globalTeardown: '<rootDir>/test/e2e/teardown.mts',
};

/** What works with zod, again with the major version that hosts change to. */
const ZOD4 = {
  testMatch: [
    'unit/callback/parse',
    'unit/connector/*',
    'unit/contract/*',
    'unit/sending/*',
    'engine/operations',
  ].map((files) => `<rootDir>/test/${files}.test.mts`),
  moduleNameMapper: { '^zod/v3$': 'zod4/v3' },
};

export default {
  rootDir,
  // For a test that hangs to end; how long others take is up to the machine.
  testTimeout: 900_000,
  testSequencer: '<rootDir>/test/longest-first.mjs',
  projects: [
    layer('unit'),
    layer('description'),
    layer('engine'),
    layer('e2e', E2E),
    layer('queue'),
    layer('versions'),
    layer('zod4', ZOD4),
  ],
};
