/** What mutation testing changes, area by area, and the tests that have to notice (docs/mutation-testing.md). */
import { globSync } from 'node:fs';

interface MutationArea {
  /** Globs of source files. */
  mutate: readonly string[];

  /** Globs of test files, below `test/unit`. */
  tests: readonly string[];
}

export const MUTATION_AREAS: Record<string, MutationArea> = {
  otp: {
    // A form is tested as n8n shows it (test/description).
    mutate: [
      'nodes/gateway/otp/*.ts',
      'nodes/MessagingGateway/otp/*.ts',
      '!nodes/MessagingGateway/otp/fields.ts',
    ],
    tests: ['otp/*'],
  },
  client: { mutate: ['nodes/gateway/client/*.ts'], tests: ['client/*'] },
  callback: {
    mutate: ['nodes/gateway/callback/*.ts', 'nodes/gateway/net/*.ts'],
    tests: ['callback/*', 'net/*'],
  },
  journal: { mutate: ['nodes/MessagingGateway/run/journal.ts'], tests: ['run/*'] },
  contract: {
    // The calling codes are a table that a script generates.
    mutate: [
      'nodes/gateway/contract/*.ts',
      'nodes/gateway/numbers/*.ts',
      'nodes/gateway/sms/*.ts',
      'nodes/gateway/text/{characters,json,links,url}.ts',
      '!nodes/gateway/numbers/calling-codes.ts',
    ],
    tests: ['contract/*', 'numbers/*', 'sms/*', 'text/*'],
  },
};

/**
 * Test files that are left out: time limits, a library of numbers, and properties checked hundreds of thousands of times
 * say nothing more about a mutant, and take minutes.
 */
const LEFT_OUT = /bounded-time|-library|hostile|exhaustive/;

/** The paths of an area's test files, from the root of the repository. */
export const testFilesOf = ({ tests }: MutationArea): string[] =>
  tests
    .flatMap((files) => globSync(`test/unit/${files}.test.mts`))
    .filter((file) => !LEFT_OUT.test(file))
    .sort();

/**
 * Returns the area of that name.
 * @throws Error naming all areas for any other name
 */
export function areaOf(name: string): MutationArea {
  if (Object.hasOwn(MUTATION_AREAS, name)) return MUTATION_AREAS[name];
  throw new Error(`There is no area "${name}"; the areas are ${Object.keys(MUTATION_AREAS).join(', ')}`);
}

/** The area that a run of Stryker is about: one process runs one area. */
export const currentArea = (): MutationArea => areaOf(process.env.MUTATION_AREA ?? '');
