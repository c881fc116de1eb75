/** The unit tests of an area, for Stryker. */
import suite from '../../test/jest.config.mjs';
import { currentArea, testFilesOf } from './areas.mts';

const { rootDir } = suite;
const unit = suite.projects.find(({ displayName }) => displayName === 'unit');

export default {
  ...unit,
  // Stryker has an environment of its own.
  testEnvironment: 'node',
  runtime: undefined,
  testMatch: testFilesOf(currentArea()).map((file) => `<rootDir>/${file}`),
  setupFiles: ['<rootDir>/tools/mutation/setup.mts'],
  rootDir,
  testTimeout: 60_000,
};
