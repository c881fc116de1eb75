/**
 * Client, journal, ids, Retry On Fail, Retry, stops, crashes and loops against a model of the gateway that is an adversary,
 * on a virtual clock. A seed decides everything; `npm run simulate -- --seed <n>` shows what happens in it, and
 * `--seeds 200000` runs many more.
 */
import { MUTANTS } from '../../support/simulation/mutants.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulate } from '../../support/simulation/simulate.mts';

testSimulation({
  option: '',
  run: simulate,
  mutants: MUTANTS,
  seeds: 250,
  repeated: [3, 48, 78],
  seedsForAMutant: 3000,
});
