/**
 * Client, journal, ids, Retry On Fail, stops and loops against a model of the gateway, on a virtual clock. A seed decides
 * everything; `npm run simulate -- --seed <n>` shows what happens in it, and `--seeds 200000` runs many more.
 */
import { MUTANTS } from '../../support/simulation/mutants.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulate } from '../../support/simulation/simulate.mts';

testSimulation({
  option: '',
  run: simulate,
  mutants: MUTANTS,
  seeds: 500,
  repeated: [3, 39, 71],
  pinned: [
    [52, 'a batch that the gateway takes after it reported a fault of its own is not sent twice'],
    [102, 'what it takes after such a fault of one operation is not reported as refused'],
    [114, 'a queued batch is not sent twice either'],
    [132, 'nothing is sent three times when the parts of a batch fail in turn'],
    [200, 'the queue gets nothing again whose answer was lost'],
  ],
  seedsForAMutant: 3000,
});
