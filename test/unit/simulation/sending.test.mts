/**
 * Client, journal, ids, Retry On Fail, stops and loops against a model of the gateway, on a virtual clock. A seed decides
 * everything; `npm run simulate -- --seed <n>` shows what happens in it, and `--seeds 200000` runs many more.
 */
import { catchMutant, MUTANTS } from '../../support/simulation/mutants.mts';
import { loadProduct } from '../../support/simulation/product.mts';
import { simulate } from '../../support/simulation/simulate.mts';

const SEEDS = 5000;
/** Milliseconds for all of them, on a machine that has other things to do. */
const TIME = 240_000;
/** Seeds within which each mutant is noticed. */
const SEEDS_FOR_A_MUTANT = 3000;

/** Seeds that broke a promise of earlier versions. */
const PINNED: Array<[seed: number, promise: string]> = [
  [52, 'a batch that the gateway takes after it reported a fault of its own is not sent twice'],
  [102, 'what it takes after such a fault of one operation is not reported as refused'],
  [114, 'a queued batch is not sent twice either'],
  [132, 'nothing is sent three times when the parts of a batch fail in turn'],
  [200, 'the queue gets nothing again whose answer was lost'],
];

const product = loadProduct();

/** The violations of a seed, in words, with the way to see it again. */
async function brokenPromises(seed: number): Promise<string[]> {
  const { violations } = await simulate(product, seed);
  return violations.map(
    ({ invariant, words }) => `${invariant}: ${words} (npm run simulate -- --seed ${seed})`,
  );
}

it(
  `keeps every promise in ${SEEDS} seeds`,
  async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      broken.push(...(await brokenPromises(seed)).slice(0, 1));
      if (broken.length >= 10) break;
    }
    expect(broken).toEqual([]);
  },
  TIME,
);

it.each(PINNED)('keeps every promise in seed %i: %s', async (seed) => {
  expect(await brokenPromises(seed)).toEqual([]);
});

it.each([3, 39, 71])('does the same in seed %i again', async (seed) => {
  const first = await simulate(product, seed, true);
  const second = await simulate(loadProduct(), seed, true);
  expect(first.trace.length).toBeGreaterThan(3);
  expect(second.trace).toEqual(first.trace);
});

describe('notices a node that', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    async (_, mutant) => {
      expect(await catchMutant(mutant, 1, SEEDS_FOR_A_MUTANT)).toMatchObject({ seed: expect.any(Number) });
    },
    TIME,
  );
});
