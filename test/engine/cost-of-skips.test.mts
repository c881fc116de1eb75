/** What the Stop List and the Send Window cost a run: their length and number must not be felt. */
import type { IDataObject } from 'n8n-workflow';

import { ACTION_NODE, credentialsFor, PASS_NODE, runWorkflow, SOURCE_NODE } from '../support/engine.mts';
import { smsForm } from '../support/sends.mts';
import { testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const COUNT = 10_000;
const ITEMS = Array.from({ length: COUNT }, (_, i) => ({ phone: 380500000000 + i, name: `N${i}` }));
/** Every tenth number. */
const LIST = "={{ $('Rows').all().filter((row, i) => i % 10 === 0) }}";
const STOPPED = ITEMS.filter((_, i) => i % 10 === 0).map(({ phone }) => phone);
const WINDOW = { values: { from: '00:00', until: '24:00' } };

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
    skipped: rows.filter(({ skipped }) => skipped === true).map(({ phone }) => phone),
  };
}

const median = (all: number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

it('a stop list from another node is read once for a run, and costs no more than a window: neither is felt in 10,000 rows', async () => {
  const times: Record<string, number[]> = { without: [], list: [], window: [] };
  await timeOf({});
  for (let round = 0; round < 3; round += 1) {
    times.without.push((await timeOf({})).ms);
    const listed = await timeOf({ stopList: LIST });
    expect(listed.skipped).toEqual(STOPPED);
    times.list.push(listed.ms);
    times.window.push((await timeOf({ sendWindow: WINDOW })).ms);
  }
  const [without, list, window] = [times.without, times.list, times.window].map(median);
  // Read for each row, the list alone would take minutes. What is left is the reading of 1,000 numbers, once.
  expect(list).toBeLessThan(2 * without + 300);
  expect(window).toBeLessThan(1.5 * without + 200);
});
