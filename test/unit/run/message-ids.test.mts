/** What a repeated execution may have sent before, as n8n's run data tells it (field notes: Retry). */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
  firstIdOf,
  mayHaveSentBefore,
  ownRun,
  runIndexOf,
} from '../../../nodes/MessagingGateway/run/journal.ts';

/** The node in an execution that has this data. */
const contextOf = (data: IDataObject, executionId: string, mode = 'retry') =>
  ({
    getContext: () => data,
    getExecutionId: () => executionId,
    getMode: () => mode,
  }) as unknown as IExecuteFunctions;

/** The data of an execution as n8n saves it, and gives it to each repetition. */
const savedBy = (executionId: string): string => {
  const data: IDataObject = {};
  expect(mayHaveSentBefore(contextOf(data, executionId, 'trigger'), 0)).toBe(false);
  return JSON.stringify(data);
};

it('each repetition of an execution that had begun may be one of several, whoever made the ids', () => {
  const saved = savedBy('7');
  for (const execution of ['8', '9']) {
    const data = JSON.parse(saved) as IDataObject;
    expect(mayHaveSentBefore(contextOf(data, execution), 0)).toBe(true);
  }
});

it('a later try knows everything from the journal once an earlier one began to send, and not before that', () => {
  const context = contextOf(JSON.parse(savedBy('7')) as IDataObject, '8');
  // A try that ended before it sent, and views of the same run.
  expect([mayHaveSentBefore(context, 0), mayHaveSentBefore(context, 0)]).toEqual([true, true]);
  ownRun(context, 0);
  expect(mayHaveSentBefore(context, 0)).toBe(false);
});

it('only a repetition may have sent before, and not an execution that goes on elsewhere', () => {
  const context = contextOf(JSON.parse(savedBy('7')) as IDataObject, '8', 'trigger');
  expect(mayHaveSentBefore(context, 0)).toBe(false);
});

it.each([
  [0, 0],
  [3, 3],
  [undefined, 0],
])('the run index %p of n8n is %i', ($runIndex, index) => {
  const context = { getWorkflowDataProxy: () => ({ $runIndex }) } as unknown as IExecuteFunctions;
  expect(runIndexOf(context)).toBe(index);
});

it('a run that had not begun was never sent before', () => {
  const context = contextOf(JSON.parse(savedBy('7')) as IDataObject, '8');
  expect([mayHaveSentBefore(context, 1), mayHaveSentBefore(context, 1)]).toEqual([false, false]);
});

it('every try of a run makes the same ids, and every other run far-off ones', () => {
  const data: IDataObject = {};
  const first = Array.from({ length: 500 }, (_, run) => firstIdOf(contextOf(data, '7'), run));
  const saved = JSON.parse(JSON.stringify(data)) as IDataObject;
  expect(first.map((_, run) => firstIdOf(contextOf(saved, '8'), run))).toEqual(first);
  for (const id of first) {
    expect(id).toBeGreaterThanOrEqual(2 ** 51);
    expect(Number.isSafeInteger(id + 1_000_000_000)).toBe(true);
  }
  const sorted = [...first].sort((a, b) => a - b);
  // By chance, one in a million times.
  for (const [i, id] of sorted.slice(1).entries()) expect(id - sorted[i]).toBeGreaterThan(50_000);
});

it('two n8n whose executions have the same number make far-off ids', () => {
  const [one, other] = [firstIdOf(contextOf({}, '7'), 0), firstIdOf(contextOf({}, '7'), 0)];
  expect(Math.abs(one - other)).toBeGreaterThan(50_000);
});
