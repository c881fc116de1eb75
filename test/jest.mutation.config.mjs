/** What mutation testing runs (`npm run mutate`): the unit tests of one area, as one project. */
import { currentArea } from '../tools/mutation-areas.mts';
import all from './jest.config.mjs';

const { displayName: _, ...unit } = all.projects[0];

export default {
  ...unit,
  testMatch: currentArea().tests.map((files) => `<rootDir>/test/unit/${files}.test.mts`),
  // Time limits, a library of numbers 200,000 bodies and as many codes say nothing more about a mutant, and take minutes.
  testPathIgnorePatterns: ['/node_modules/', 'bounded-time', 'phone-library', 'hostile', 'exhaustive'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/few-runs.cjs' },
};
