/** What a Stop List costs a run. How much it is felt is measured in the benchmark, beside the Send Window (`npm run bench`). */
import type { IDataObject } from 'n8n-workflow';

import { ACTION_NODE, credentialsFor, PASS_NODE, runWorkflow, SOURCE_NODE } from '../support/engine.mts';
import { smsForm } from '../support/sends.mts';
import { testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const COUNT = 10_000;
const ITEMS = Array.from({ length: COUNT }, (_, i) => ({ phone: 380500000001 + i, name: `N${i}` }));
/** Every tenth number. */
const LIST = "={{ $('Rows').all().filter((row, i) => i % 10 === 0) }}";
const STOPPED = ITEMS.filter((_, i) => i % 10 === 0).map(({ phone }) => phone);

/** Milliseconds of the node's run over all rows, and which it skipped. Nothing is sent: all else costs the same. */
async function timeOf(options: IDataObject) {
  const run = await runWorkflow({
    credentials: credentialsFor(sandbox),
    nodes: [
      { name: 'Rows', type: SOURCE_NODE },
      { name: 'Pass', type: PASS_NODE },
      {
        name: 'Send',
        type: ACTION_NODE,
        parameters: smsForm({
          smsMessage: '=Hello {{ $json.name }}',
          options: { checkOnly: true, ...options },
        }),
      },
    ],
    items: ITEMS,
  });
  const rows = run.outputs('Send')[0].map(({ json }) => json);
  return {
    ms: run.runData.Send[0].executionTime,
    skipped: rows.filter(({ result }) => result === 'skipped').map(({ phone }) => phone),
  };
}

it('a stop list from another node is read once for a run, and not for each of 10,000 rows', async () => {
  const without = await timeOf({});
  const list = await timeOf({ stopList: LIST });
  expect(list.skipped).toEqual(STOPPED);
  // Read for each row, it takes some twenty times as long; a busy machine is no reason to fail.
  expect(list.ms).toBeLessThan(5 * without.ms + 2000);
});
