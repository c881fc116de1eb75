/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import type { Limit } from '../../../nodes/MessagingGateway/otp/limits.ts';
import { Slots } from '../../../nodes/MessagingGateway/otp/limits.ts';
import type { Run } from '../../../nodes/MessagingGateway/run/run.ts';
import type { Change } from '../../support/simulation/product.mts';
import { loadProduct, withMethods } from '../../support/simulation/product.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

const withSlots = (methods: Parameters<typeof withMethods>[2]) =>
  withMethods('MessagingGateway/otp/limits.ts', 'Slots', methods);

const { take, left } = Slots.prototype;

/** Nodes that do something wrong: one of the seeds has to break a promise, else a judge is blind. */
const WRONG: Record<string, Change> = {
  'takes one slot more than there are': withSlots({
    async take(this: Slots, run: Run, limits: Limit[]) {
      return await take.call(
        this,
        run,
        limits.map((limit) => ({ ...limit, max: limit.max + 1 })),
      );
    },
  }),
  'believes itself more than the record': withSlots({
    async take(this: Slots, run: Run, limits: Limit[]) {
      const { context } = run;
      const checkProcessedAndRecord = async (names: string[]) => {
        await context.helpers.checkProcessedAndRecord(names, 'workflow', { mode: 'entries' });
        return { new: names, processed: [] };
      };
      const helpers = { ...context.helpers, checkProcessedAndRecord };
      const other = { ...run, now: () => run.now(), context: { ...context, helpers } };
      return await take.call(this, other as unknown as Run, limits);
    },
  }),
  'gives no slot back': withSlots({ giveBack: async () => await Promise.resolve() }),
  'does not remember what it took': withSlots({ hold: () => undefined }),
  'knows no cooldown': withSlots({
    async take(this: Slots, run: Run, limits: Limit[]) {
      return await take.call(
        this,
        run,
        limits.filter(({ reason }) => reason !== 'cooldown'),
      );
    },
  }),
  'promises an attempt more than there is': withSlots({
    left(this: Slots, limit: Limit, now: number) {
      return left.call(this, limit, now) + 1;
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
