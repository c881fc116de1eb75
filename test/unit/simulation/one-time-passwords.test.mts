/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import type { Limit, NameRecord } from '../../../nodes/MessagingGateway/otp/places.ts';
import { Places } from '../../../nodes/MessagingGateway/otp/places.ts';
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

const withPlaces = (methods: Parameters<typeof withMethods>[2]) =>
  withMethods('MessagingGateway/otp/places.ts', 'Places', methods);

const { take, left } = Places.prototype;

testSimulation({
  option: '--otp',
  run: simulateOtp,
  wrong: {
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
  },
});
