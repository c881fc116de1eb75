/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

const LIMITS = 'gateway/otp/rate-limits.ts';
const SLOTS = 'gateway/otp/rate-slots.ts';

testSimulation({
  option: '--otp',
  run: simulateOtp,
  seeds: 250,
  repeated: [4, 15, 42],
  wrong: {
    'forgets the slots of a code that was not sent': withMethods(SLOTS, 'RateSlots', {
      giveBack: () => undefined,
    }),
    'opens all slots at the same time': withMethods(SLOTS, 'RateSlots', { slotAt: () => 0 }),
    'refuses nothing by itself': withMethods(LIMITS, 'RateLimits', { refusalOf: () => undefined }),
  },
});
