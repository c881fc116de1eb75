/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import type { LimitRefusal, RateLimit, Reservation } from '../../../nodes/gateway/otp/rate-limits.ts';
import { RateLimits } from '../../../nodes/gateway/otp/rate-limits.ts';
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

const withLimits = (methods: Parameters<typeof withMethods>[2]) =>
  withMethods('gateway/otp/rate-limits.ts', 'RateLimits', methods);

type Decide = (limits: readonly RateLimit[]) => Reservation | LimitRefusal | undefined;
type Reserve = RateLimits['reserve'];

/** `reserve`, which decides some limits otherwise. */
const reserveWith = (decide: Decide) =>
  async function (this: RateLimits, ...given: Parameters<Reserve>): Promise<unknown> {
    return decide(given[0]) ?? (await RateLimits.prototype.reserve.apply(this, given));
  };
const refusal: LimitRefusal = { reason: 'no_code', limit: 0, retryAfterMs: 1 };
const passes: Reservation = { release: () => undefined };

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
    'counts each text that can be no code as an attempt': withLimits({
      reserve: reserveWith(([{ reason }]) => (reason === 'no_code' ? refusal : undefined)),
    }),
    'counts no text that can be no code': withLimits({
      reserve: reserveWith(([{ reason }]) => (reason === 'no_code' ? passes : undefined)),
    }),
    'refuses nothing by itself': withLimits({ refusalOf: () => undefined }),
    'promises an attempt more than there is': withLimits({ leftOf: ({ limit }: RateLimit) => limit }),
  },
});
