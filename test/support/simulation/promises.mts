/** The tests of a simulation: promises kept in many seeds, the same result every time, and wrong versions noticed. */
import type { Mutant } from './mutants.mts';
import { catchMutant } from './mutants.mts';
import type { Simulate } from './outcome.mts';
import { loadProduct } from './product.mts';

export interface SimulationTests {
  /** What `npm run simulate` has to be given for it; empty for none. */
  option: string;
  run: Simulate;
  mutants: readonly Mutant[];
  /** How many seeds keep every promise. */
  seeds: number;
  /** Seeds that are run twice. */
  repeated: readonly number[];
  /** Seeds that broke a promise of earlier versions. */
  pinned?: ReadonlyArray<readonly [seed: number, promise: string]>;
  /** Seeds within which each mutant is noticed. */
  seedsForAMutant: number;
}

/** Milliseconds for all seeds, on a machine that has other things to do. */
const TIME = 240_000;

/** Defines the tests. */
export function testSimulation(tests: SimulationTests): void {
  const { option, run, mutants, seeds, repeated, pinned = [], seedsForAMutant } = tests;
  const product = loadProduct();

  /** The violations of a seed, in words, with the way to see it again. */
  const brokenPromises = async (seed: number): Promise<string[]> => {
    const { violations } = await run(product, seed);
    const command = ['npm run simulate --', option, `--seed ${seed}`].filter(Boolean).join(' ');
    return violations.map(({ invariant, words }) => `${invariant}: ${words} (${command})`);
  };

  it(
    `keeps every promise in ${seeds} seeds`,
    async () => {
      const broken: string[] = [];
      for (let seed = 1; seed <= seeds && broken.length < 10; seed++) {
        broken.push(...(await brokenPromises(seed)).slice(0, 1));
      }
      expect(broken).toEqual([]);
    },
    TIME,
  );

  for (const [seed, promise] of pinned) {
    it(`keeps every promise in seed ${seed}: ${promise}`, async () => {
      expect(await brokenPromises(seed)).toEqual([]);
    });
  }

  it.each(repeated)('does the same in seed %i again', async (seed) => {
    const first = await run(product, seed, true);
    const second = await run(loadProduct(), seed, true);
    expect(first.trace.length).toBeGreaterThan(1);
    expect(second.trace).toEqual(first.trace);
  });

  describe('notices a node that', () => {
    it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
      '%s',
      async (_, mutant) => {
        const caught = await catchMutant(mutant, mutant.from ?? 1, seedsForAMutant, run);
        expect(caught).toMatchObject({ seed: expect.any(Number) });
      },
      TIME,
    );
  });
}
