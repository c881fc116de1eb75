/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import type { RateLimit } from '../../../nodes/gateway/otp/rate-limits.ts';
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

const withLimits = (methods: Parameters<typeof withMethods>[2]) =>
  withMethods('gateway/otp/rate-limits.ts', 'RateLimits', methods);

testSimulation({
  option: '--otp',
  run: simulateOtp,
  seeds: 100,
  repeated: [4, 15, 42],
  wrong: {
    'forgets the slots of a code that was not sent': withLimits({
      recordedOf: (limit: unknown) => ({ limit, slots: new Map() }),
    }),
    'takes one slot more than there are': withLimits({
      recordedOf: (limit: RateLimit) => ({ limit: { ...limit, limit: limit.limit + 1 }, slots: new Map() }),
    }),
    'refuses nothing by itself': withLimits({ refusalOf: () => undefined }),
    'promises an attempt more than there is': withLimits({ leftOf: ({ limit }: RateLimit) => limit }),
  },
});
