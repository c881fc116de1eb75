/** What a repeated execution may have sent before, as n8n's run data tells it (field notes: Retry), and its ids. */
import crypto from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Journal } from '../../../nodes/MessagingGateway/run/journal.ts';

/** The data of a Retry whose execution ended in the node before this one. */
const NOT_BEGUN = { Start: [{ executionIndex: 0 }], Rows: [{ executionIndex: 0 }] };

/** The journal of a run of the node in an execution that has this data. */
const journalOf = (
  data: IDataObject,
  executionId: string,
  { mode = 'retry', $runIndex = 0 as unknown, runData = NOT_BEGUN as object } = {},
) =>
  new Journal({
    getNode: () => ({ name: 'Send' }),
    runExecutionData: { resultData: { runData } },
    getContext: () => data,
    getExecutionId: () => executionId,
    getMode: () => mode,
    getWorkflowDataProxy: () => ({ $runIndex }),
  } as unknown as IExecuteFunctions);

/** The data of an execution as n8n saves it, and gives it to each repetition. */
const savedBy = (executionId: string): string => {
  const data: IDataObject = {};
  expect(journalOf(data, executionId, { mode: 'trigger' }).mayHaveSentBefore).toBe(false);
  return JSON.stringify(data);
};

it('each repetition of an execution that had begun may be one of several, whoever made the ids', () => {
  const saved = savedBy('7');
  for (const execution of ['8', '9']) {
    const data = JSON.parse(saved) as IDataObject;
    // A row that one try left out, another repetition may have sent: a later try has to ask as well.
    const tries = [1, 2].map(() => journalOf(data, execution).mayHaveSentBefore);
    expect(tries).toEqual([true, true]);
  }
});

it('only a repetition may have sent before, and not an execution that goes on elsewhere', () => {
  const data = JSON.parse(savedBy('7')) as IDataObject;
  expect(journalOf(data, '8', { mode: 'trigger' }).mayHaveSentBefore).toBe(false);
});

it.each([
  [0, 0],
  [3, 3],
  [undefined, 0],
])('the run index %p of n8n is %i', ($runIndex, index) => {
  const { runIndex } = journalOf({}, '7', { mode: 'trigger', $runIndex: $runIndex ?? null });
  expect(runIndex).toBe(index);
});

it('a run that had not begun was never sent before', () => {
  const data = JSON.parse(savedBy('7')) as IDataObject;
  const second = () => journalOf(data, '8', { $runIndex: 1 }).mayHaveSentBefore;
  expect([second(), second()]).toEqual([false, false]);
});

/** The run data that n8n 2.41.1 passes to a Retry of an execution that was cut off in the node 'Send'. */
it.each<[string, object]>([
  ['that was killed', { Start: [{ executionIndex: 0 }, { executionIndex: 0 }], Send: [] }],
  [
    'that was killed beside another branch',
    { ...NOT_BEGUN, Send: [{ executionIndex: 0, executionStatus: 'crashed' }] },
  ],
  ['that was stopped', { Start: [{ executionIndex: 0 }], Rows: [{ executionIndex: 1 }] }],
  ['of which n8n says nothing', {}],
])('a Retry of an execution %s knows in no try what was sent, nor does a Retry of that one', (_, runData) => {
  const data: IDataObject = {};
  for (const execution of ['8', '8', '9']) {
    const journal = journalOf(data, execution, { runData });
    expect([journal.isLost, journal.mayHaveSentBefore]).toEqual([true, true]);
  }
});

it('an execution that ended by itself is not lost, nor is one that is no Retry', () => {
  expect(journalOf({}, '8').isLost).toBe(false);
  expect(journalOf(JSON.parse(savedBy('7')) as IDataObject, '8', { runData: {} }).isLost).toBe(false);
  expect(journalOf({}, '8', { mode: 'trigger', runData: {} }).isLost).toBe(false);
});

it('every try of a run makes the same ids, and every other run far-off ones', () => {
  const data: IDataObject = {};
  const idsOf = (from: IDataObject, execution: string) =>
    Array.from({ length: 500 }, (_, run) => journalOf(from, execution, { $runIndex: run }).madeId(0));
  const first = idsOf(data, '7');
  const saved = JSON.parse(JSON.stringify(data)) as IDataObject;
  expect(idsOf(saved, '8')).toEqual(first);
  for (const id of first) {
    expect(id).toBeGreaterThanOrEqual(2 ** 51);
    expect(Number.isSafeInteger(id + 1_000_000_000)).toBe(true);
  }
  const sorted = [...first].sort((a, b) => a - b);
  // By chance, one in a million times.
  for (const [i, id] of sorted.slice(1).entries()) expect(id - sorted[i]).toBeGreaterThan(50_000);
});

it('two n8n whose executions have the same number make far-off ids', () => {
  const [one, other] = [journalOf({}, '7').madeId(0), journalOf({}, '7').madeId(0)];
  expect(Math.abs(one - other)).toBeGreaterThan(50_000);
});

it('the items of a run have the numbers behind that of its first one', () => {
  const journal = journalOf({}, '7');
  const first = journal.madeId(0);
  expect([1, 2, 999].map((item) => journal.madeId(item) - first)).toEqual([1, 2, 999]);
});

it.each([
  ['smallest', 'smallest'],
  ['smallest', 'largest'],
  ['largest', 'smallest'],
  ['largest', 'largest'],
])(
  'the id lies above the numbers that people assign, and all that follow are exact numbers, where it is made of the %s and the %s draw',
  (...draws) => {
    const randomInt = jest.spyOn(crypto, 'randomInt').mockImplementation(((...bounds: number[]) => {
      const [end, min = 0] = bounds.toReversed();
      return draws.shift() === 'smallest' ? min : end - 1;
    }) as never);
    const id = journalOf({}, '7').madeId(0);
    randomInt.mockRestore();
    expect(draws).toEqual([]);
    // Microseconds of 2026 are less, and a run of eight thousand million items has room.
    expect(id).toBeGreaterThanOrEqual(2 ** 51);
    expect(id + 2 ** 33).toBeLessThan(2 ** 53);
  },
);
