/**
 * What mutation testing runs (`npm run mutate`): the unit tests of the mutated folders, as one project. The variable
 * UNIT_FOLDERS, a list with commas, limits them where only some folders are mutated.
 */
import all from './jest.config.mjs';

const FOLDERS = process.env.UNIT_FOLDERS?.split(',') ?? [
  'callback',
  'client',
  'contract',
  'delivery',
  'run',
  'sending',
];

const { displayName: _, ...unit } = all.projects[0];

export default {
  ...unit,
  // Their time limits and their library of numbers say nothing more about a mutant, and take minutes.
  testPathIgnorePatterns: ['/node_modules/', 'bounded-time', 'phone-library'],
  testMatch: FOLDERS.map((folder) => `<rootDir>/test/unit/${folder}/**/*.test.mts`),
};
