/**
 * Wait for Delivery against models of n8n and of the gateway, on a virtual clock: outcomes that come late or never,
 * callbacks that are lost, late, doubled, reordered and forged, processes that are killed and started again. A seed
 * decides everything; `npm run simulate -- --waits --seed <n>` shows what happens in it.
 */
import { catchMutant } from '../../support/simulation/mutants.mts';
import { loadProduct } from '../../support/simulation/product.mts';
import { WAIT_MUTANTS } from '../../support/simulation-of-waits/mutants.mts';
import { simulateWait } from '../../support/simulation-of-waits/simulate.mts';

const SEEDS = 3000;
/** Milliseconds for all of them, on a machine that has other things to do. */
const TIME = 120_000;
/** Seeds within which each mutant is noticed. */
const SEEDS_FOR_A_MUTANT = 5000;

it(
  `keeps every promise in ${SEEDS} seeds`,
  async () => {
    const product = loadProduct();
    const broken: string[] = [];
    for (let seed = 1; seed <= SEEDS && broken.length < 10; seed++) {
      const { violations } = await simulateWait(product, seed);
      for (const { invariant, words } of violations) {
        broken.push(`${invariant}: ${words} (npm run simulate -- --waits --seed ${seed})`);
      }
    }
    expect(broken).toEqual([]);
  },
  TIME,
);

it.each([5, 17, 42])('does the same in seed %i again', async (seed) => {
  const first = await simulateWait(loadProduct(), seed, true);
  const second = await simulateWait(loadProduct(), seed, true);
  expect(first.trace.length).toBeGreaterThan(1);
  expect(second.trace).toEqual(first.trace);
});

describe('notices a node that', () => {
  it.each(WAIT_MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    async (_, mutant) => {
      const caught = await catchMutant(mutant, 1, SEEDS_FOR_A_MUTANT, simulateWait);
      expect(caught).toMatchObject({ seed: expect.any(Number) });
    },
    TIME,
  );
});
