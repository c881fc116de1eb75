/**
 * The layers of the suite, each a jest project: `jest -c test/jest.config.mjs --selectProjects unit`.
 * Tests are `.mts`, compiled to CommonJS by swc, so that they load the nodes the way n8n does.
 */
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

/** Packages are loaded once for the files of a process. */
const ONE_REALM = {
  testEnvironment: '<rootDir>/test/one-realm/environment.mjs',
  runtime: '<rootDir>/test/one-realm/runtime.mjs',
};

const layer = (name, extra = ONE_REALM) => ({
  displayName: name,
  rootDir,
  testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
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
  ...ONE_REALM,
  globalSetup: '<rootDir>/test/e2e/setup.mts',
  globalTeardown: '<rootDir>/test/e2e/teardown.mts',
};

const PACKED = { ...ONE_REALM, globalSetup: '<rootDir>/test/support/pack-sources.mts' };

/** What works with zod, again with the major version that hosts change to, in place of the one that packages find. */
const ZOD4 = {
  testEnvironment: 'node',
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
  projects: [
    layer('unit'),
    layer('description'),
    layer('engine'),
    layer('e2e', E2E),
    layer('queue', PACKED),
    layer('versions', PACKED),
    layer('zod4', ZOD4),
    // Run by a test of its own (unit/tools).
    layer('one-realm'),
  ],
};
