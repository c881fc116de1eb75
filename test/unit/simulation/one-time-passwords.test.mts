/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import type { Limit, NameRecord } from '../../../nodes/MessagingGateway/otp/places.ts';
import { Places } from '../../../nodes/MessagingGateway/otp/places.ts';
import type { Change } from '../../support/simulation/product.mts';
import { loadProduct, withMethods } from '../../support/simulation/product.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

const withPlaces = (methods: Parameters<typeof withMethods>[2]) =>
  withMethods('MessagingGateway/otp/places.ts', 'Places', methods);

const { take, left } = Places.prototype;

/** Nodes that do something wrong: one of the seeds has to break a promise, else a judge is blind. */
const WRONG: Record<string, Change> = {
  'takes one place more than there are': withPlaces({
    async take(this: Places, limits: Limit[], now: number, record: NameRecord) {
      return await take.call(
        this,
        limits.map((limit) => ({ ...limit, most: limit.most + 1 })),
        now,
        record,
      );
    },
  }),
  'believes itself more than the record': withPlaces({
    async take(this: Places, limits: Limit[], now: number, record: NameRecord) {
      const add = async (name: string) => {
        await record.add(name);
        return true;
      };
      return await take.call(this, limits, now, { ...record, add });
    },
  }),
  'gives no place back': withPlaces({ giveBack: async () => await Promise.resolve() }),
  'does not remember what it took': withPlaces({ hold: () => undefined }),
  'knows no cooldown': withPlaces({ heldAt: () => -Infinity }),
  'promises an attempt more than there is': withPlaces({
    left(this: Places, limit: Limit) {
      return left.call(this, limit) + 1;
    },
  }),
};

/** Seeds that keep every promise. */
const SEEDS = 100;

/** Milliseconds for all seeds, for a simulation that hangs to end; they take seconds, unless the machine is busy. */
const TIME = 1_200_000;

it(
  'keeps every promise, seed after seed',
  async () => {
    const product = loadProduct();
    const broken: string[] = [];
    for (let seed = 1; seed <= SEEDS && broken.length < 10; seed++) {
      const { violations } = await simulateOtp(product, seed);
      for (const { invariant, words } of violations.slice(0, 1))
        broken.push(`${invariant}: ${words} (npm run simulate -- --otp --seed ${seed})`);
    }
    expect(broken).toEqual([]);
  },
  TIME,
);

it('does the same in a seed again', async () => {
  const first = await simulateOtp(loadProduct(), 1, true);
  const second = await simulateOtp(loadProduct(), 1, true);
  expect(first.trace.length).toBeGreaterThan(1);
  expect(second.trace).toEqual(first.trace);
});

it.each(Object.entries(WRONG))(
  'notices a node that %s',
  async (_, change) => {
    const other = loadProduct(change);
    let broken = 0;
    for (let seed = 1; seed <= SEEDS && broken === 0; seed++)
      broken = (await simulateOtp(other, seed)).violations.length;
    expect(broken).toBeGreaterThan(0);
  },
  TIME,
);
