/**
 * Wait for Delivery against models of n8n and of the gateway, on a virtual clock: outcomes that come late or never,
 * callbacks that are lost, late, doubled, reordered and forged, processes that are killed and started again. A seed
 * decides everything; `npm run simulate -- --waits --seed <n>` shows what happens in it.
 */
import { testSimulation } from '../../support/simulation/promises.mts';
import { WAIT_MUTANTS } from '../../support/simulation-of-waits/mutants.mts';
import { simulateWait } from '../../support/simulation-of-waits/simulate.mts';

testSimulation({
  option: '--waits',
  run: simulateWait,
  mutants: WAIT_MUTANTS,
  seeds: 250,
  repeated: [5, 17, 42],
  seedsForAMutant: 5000,
});
