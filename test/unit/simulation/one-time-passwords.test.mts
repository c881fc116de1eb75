/**
 * One-time passwords against models of n8n's processes and of its store, on a virtual clock: crowds that ask for codes
 * and enter them, a database that fails, processes that are killed and started again. A seed decides everything;
 * `npm run simulate -- --otp --seed <n>` shows what happens in it.
 */
import { testSimulation } from '../../support/simulation/promises.mts';
import { OTP_MUTANTS } from '../../support/simulation-of-otp/mutants.mts';
import { simulateOtp } from '../../support/simulation-of-otp/simulate.mts';

testSimulation({
  option: '--otp',
  run: simulateOtp,
  mutants: OTP_MUTANTS,
  seeds: 250,
  repeated: [4, 15, 42],
  seedsForAMutant: 2000,
});
