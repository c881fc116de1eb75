/**
 * The trigger against a model of n8n's processes, their starts and their static data, on a virtual clock: callbacks that
 * are late, doubled and repeated, executions that n8n fails to start, processes that are killed and started again. A
 * seed decides everything; `npm run simulate -- --trigger --seed <n>` shows what happens in it.
 */
import { testSimulation } from '../../support/simulation/promises.mts';
import { TRIGGER_MUTANTS } from '../../support/simulation-of-trigger/mutants.mts';
import { simulateTrigger } from '../../support/simulation-of-trigger/simulate.mts';

testSimulation({
  option: '--trigger',
  run: simulateTrigger,
  mutants: TRIGGER_MUTANTS,
  seeds: 250,
  repeated: [5, 17, 42],
  seedsForAMutant: 1000,
});
