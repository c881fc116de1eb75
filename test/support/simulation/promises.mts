/** The tests of a simulation: promises kept in many seeds, the same result every time, and wrong versions noticed. */
import type { Simulate } from './outcome.mts';
import type { Change } from './product.mts';
import { loadProduct } from './product.mts';

/** Seeds that keep every promise. */
const SEEDS = 100;

interface SimulationTests {
  /** What `npm run simulate` has to be given for it. */
  option: string;
  run: Simulate;
  /** Nodes that do something wrong, by what that is: one of the seeds has to break a promise, else a judge is blind. */
  wrong: Record<string, Change>;
}

/** Milliseconds for all seeds, for a simulation that hangs to end; they take seconds, unless the machine is busy. */
const TIME = 1_200_000;

/** Defines the tests. */
export function testSimulation({ option, run, wrong }: SimulationTests): void {
  const product = loadProduct();

  it(
    'keeps every promise, seed after seed',
    async () => {
      const broken: string[] = [];
      for (let seed = 1; seed <= SEEDS && broken.length < 10; seed++) {
        const { violations } = await run(product, seed);
        for (const { invariant, words } of violations.slice(0, 1))
          broken.push(`${invariant}: ${words} (npm run simulate -- ${option} --seed ${seed})`);
      }
      expect(broken).toEqual([]);
    },
    TIME,
  );

  it('does the same in a seed again', async () => {
    const first = await run(loadProduct(), 1, true);
    const second = await run(loadProduct(), 1, true);
    expect(first.trace.length).toBeGreaterThan(1);
    expect(second.trace).toEqual(first.trace);
  });

  it.each(Object.entries(wrong))(
    'notices a node that %s',
    async (_, change) => {
      const other = loadProduct(change);
      let broken = 0;
      for (let seed = 1; seed <= SEEDS && broken === 0; seed++)
        broken = (await run(other, seed)).violations.length;
      expect(broken).toBeGreaterThan(0);
    },
    TIME,
  );
}
