/** The tests of a simulation: promises kept in many seeds, the same result every time, and wrong versions noticed. */
import type { Simulate } from './outcome.mts';
import type { Change } from './product.mts';
import { loadProduct } from './product.mts';

export interface SimulationTests {
  /** What `npm run simulate` has to be given for it; empty for none. */
  option: string;
  run: Simulate;
  /** How many seeds keep every promise. */
  seeds: number;
  /** Other seeds that keep every promise, and broke one before something was mended. */
  mended?: readonly number[];

  /** Seeds that are run twice. */
  repeated: readonly number[];
  /** Nodes that do something wrong, by what that is: one of the seeds has to break a promise, else a judge is blind. */
  wrong: Record<string, Change | Wrong>;
}

/**
 * A wrong node, and seeds that show it, which are tried before all others; or `alone`, where others show it by another
 * promise, and these seeds prove that a judge excuses no more than it has to.
 */
export interface Wrong {
  change: Change;
  shownBy: readonly number[];
  alone?: true;
}

/** Milliseconds for all seeds, for a simulation that hangs to end; they take seconds, unless the machine is busy. */
const TIME = 1_200_000;

/** Defines the tests. */
export function testSimulation(tests: SimulationTests): void {
  const { option, run, wrong, seeds, repeated, mended = [] } = tests;
  const product = loadProduct();

  /** The violations of a seed, in words, with the way to see it again. */
  const brokenPromises = async (seed: number): Promise<string[]> => {
    const { violations } = await run(product, seed);
    const command = ['npm run simulate --', option, `--seed ${seed}`].filter(Boolean).join(' ');
    return violations.map(({ invariant, words }) => `${invariant}: ${words} (${command})`);
  };

  it(
    'keeps every promise, seed after seed',
    async () => {
      const broken: string[] = [];
      for (let seed = 1; seed <= seeds && broken.length < 10; seed++) {
        broken.push(...(await brokenPromises(seed)).slice(0, 1));
      }
      expect(broken).toEqual([]);
    },
    TIME,
  );

  for (const seed of mended) {
    it(`keeps every promise in seed ${seed}`, async () => expect(await brokenPromises(seed)).toEqual([]));
  }

  it.each(repeated)('does the same in seed %i again', async (seed) => {
    const first = await run(loadProduct(), seed, true);
    const second = await run(loadProduct(), seed, true);
    expect(first.trace.length).toBeGreaterThan(1);
    expect(second.trace).toEqual(first.trace);
  });

  it.each(Object.entries(wrong))(
    'notices a node that %s',
    async (_, given) => {
      const wrongNode: Wrong = typeof given === 'function' ? { change: given, shownBy: [] } : given;
      const { change, shownBy, alone } = wrongNode;
      const other = loadProduct(change);
      const all = [...shownBy, ...Array.from({ length: alone ? 0 : seeds }, (_seed, i) => i + 1)];
      let broken = 0;
      for (const seed of all) {
        broken = (await run(other, seed)).violations.length;
        if (broken > 0) break;
      }
      expect(broken).toBeGreaterThan(0);
    },
    TIME,
  );
}
