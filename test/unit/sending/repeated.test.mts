/** What is in doubt when n8n repeats a saved execution, before anything is sent. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import { optionsOf } from '../../../nodes/MessagingGateway/fields/property.ts';
import type { OperationDefinition } from '../../../nodes/MessagingGateway/run/run.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { stateAtStart } from '../../../nodes/gateway/client/doubt.ts';
import type { Item } from '../../../nodes/MessagingGateway/run/item.ts';
import { Run } from '../../../nodes/MessagingGateway/run/run.ts';
import { refuseBeyondLimits } from '../../../nodes/MessagingGateway/sending/limits.ts';
import { prepareRows } from '../../../nodes/MessagingGateway/run/row.ts';
import type { OutgoingRow, Step } from '../../../nodes/MessagingGateway/run/row.ts';
import { keepDoubt, setCheckOnly, showOnly } from '../../../nodes/MessagingGateway/sending/check-only.ts';
import { sameContent } from '../../../nodes/MessagingGateway/sending/repeated-messages.ts';
import { leaveOut } from '../../../nodes/MessagingGateway/sending/skipped-rows.ts';
import { STOP_LIST } from '../../../nodes/MessagingGateway/sending/stop-list.ts';

interface Memory {
  flow: IDataObject;
  node: IDataObject;
}

/** A run of two items, the first of them queued; Message ID is an id of the user's own where `ownId` is set. */
function runOf(memory: Memory, executionId: string, ownId?: number, stopList?: number[]): Run {
  const context = {
    getNode: () => ({ name: 'Send', type: 'messagingGateway', parameters: {} }),
    getInputData: () => [{ json: {} }, { json: {} }],
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    getContext: (kind: keyof Memory) => memory[kind],
    getExecutionId: () => executionId,
    getInstanceId: () => 'instance',
    getMode: () => (executionId === '1' ? 'trigger' : 'retry'),
    getNodeParameter: (name: string, item: number, fallback: unknown, options?: object) => {
      if (!name.startsWith('options')) return fallback;
      if (name === 'options.country') return fallback;
      if (stopList !== undefined) return name === 'options' ? { stopList } : stopList;
      if (options !== undefined) return { messageId: '={{ $itemIndex }}' };
      const messageId = ownId === undefined ? '' : ownId + item;
      return name === 'options' ? { messageId } : messageId;
    },
    isToolExecution: () => false,
    continueOnFail: () => true,
  };
  return new Run(
    context as unknown as IExecuteFunctions,
    { effect: 'sends', properties: [optionsOf([STOP_LIST])] } as unknown as OperationDefinition,
  );
}

const build = (item: Item): WireOperation => {
  const phone = 380501234567;
  return { type: 'sms', id: item.idFor({ phone }), phone };
};

/** The first row as the journal has it. */
const SENT = { id: 7, type: 'sms', phone: 380501234567 } as const;

const NO_CHECKS = { steps: [], comparisons: [] };

const queueFirst: Step = (row) => {
  if (row.index === 0) row.endpoint = 'async';
  return undefined;
};

const doubtsOf = (run: Run) =>
  prepareRows(run, build, { ...NO_CHECKS, steps: [queueFirst] }).map((row) => {
    if (!('operation' in row)) throw new Error(JSON.stringify(row));
    return stateAtStart(row, 0).doubt ?? row.state.is;
  });

it.each([
  ['of the node', undefined],
  ['of the user', 5000],
])('a repeated item may have been sent before, and a queued one is never sent again; ids %s', (_, ownId) => {
  const memory: Memory = { flow: {}, node: {} };
  const first = runOf(memory, '1', ownId);
  expect(doubtsOf(first)).toEqual(['ready', 'ready']);
  const saved = JSON.stringify(memory);
  for (const execution of ['2', '3']) {
    const repeated = runOf(JSON.parse(saved) as Memory, execution, ownId);
    expect(doubtsOf(repeated)).toEqual(['late', 'elsewhere']);
  }
});

it("what an execution left in doubt about a queued item doesn't let a repetition send it", () => {
  const memory: Memory = { flow: {}, node: {} };
  const first = runOf(memory, '1');
  doubtsOf(first);
  const problem = { kind: 'request', text: '', status: 502 } as const;
  const state = { is: 'notSent', problem } as const;
  for (const item of [0, 1])
    first.journal.record(item, { sent: { ...SENT, id: first.journal.madeId(item, SENT.phone) }, state });
  expect(doubtsOf(runOf(memory, '2'))).toEqual(['late', 'elsewhere']);
});

it('says of messages that an earlier try may have sent no false word where a form can no longer be read', () => {
  const memory: Memory = { flow: {}, node: {} };
  const first = runOf(memory, '1');
  doubtsOf(first);
  const state = { is: 'unknown', problem: { kind: 'timeout' } } as const;
  first.journal.record(0, { sent: SENT, state });
  const unreadable = (): WireOperation => {
    throw new InvalidParameter("'SMS Text'", 'text', '');
  };
  const [open, unsent] = prepareRows(runOf(memory, '2'), unreadable, NO_CHECKS);
  expect(open).toMatchObject({ state: 'unknown', json: { id: 7 } });
  expect(unsent).toMatchObject({
    error: {
      message: "'SMS Text' is empty",
      description: expect.stringContaining('Nothing was sent in this try.'),
    },
  });
  first.journal.record(0, { jsons: [{ id: 7, result: 'sent' }] });
  const [done] = prepareRows(runOf(memory, '2'), unreadable, NO_CHECKS);
  expect(done).toMatchObject({ jsons: [{ id: 7 }], sentBefore: true });
});

it('says so where rows are compared with each other, and one in doubt may not be sent as it is now', () => {
  const run = runOf({ flow: {}, node: {} }, '1');
  run.journal.record(0, { sent: SENT, state: { is: 'unknown', problem: { kind: 'timeout' } } });
  const refuse = () => () => {
    throw new InvalidParameter("'Message ID'", 'different for each item', SENT.id);
  };
  const [open, unsent] = prepareRows(run, build, { steps: [], comparisons: [refuse] });
  expect(open).toMatchObject({ state: 'unknown', json: { id: SENT.id } });
  expect(unsent).toMatchObject({ error: { kind: 'input' } });
  expect(unsent).not.toHaveProperty('state');
});

it('says so of a run beyond its limits as well', () => {
  const memory: Memory = { flow: {}, node: {} };
  const first = runOf(memory, '1');
  const unknown = { is: 'unknown', problem: { kind: 'timeout' } } as const;
  first.journal.record(0, { sent: SENT, state: unknown });
  const rows = prepareRows(first, build, NO_CHECKS);
  refuseBeyondLimits({ maxParts: 6, maxMessages: 1 }, rows);
  const description = expect.stringMatching(/^Nothing was sent in this try\. /) as string;
  expect(rows).toMatchObject([
    { state: 'unknown', error: { description } },
    { state: 'notSent', error: { description } },
  ]);
});

describe('a row whose number was corrected between two tries', () => {
  const toOther = (item: Item): WireOperation => {
    const phone = 447700900001;
    return { type: 'sms', id: item.idFor({ phone }), phone };
  };

  it('keeps its result where the first number may have got the message', () => {
    const run = runOf({ flow: {}, node: {} }, '1');
    run.journal.record(0, { sent: SENT, state: { is: 'unknown', problem: { kind: 'timeout' } } });
    const [row] = prepareRows(run, toOther, NO_CHECKS);
    expect(row).toMatchObject({ state: 'unknown', json: { id: 7, phone: SENT.phone } });
  });

  it('stays unknown also where it tried several channels', () => {
    const run = runOf({ flow: {}, node: {} }, '1');
    const state = { is: 'unknown', problem: { kind: 'timeout' } } as const;
    run.journal.record(0, { sent: { ...SENT, type: 'pipeline' }, state });
    expect(prepareRows(run, toOther, NO_CHECKS)[0]).toMatchObject({
      state: 'unknown',
      json: { type: 'pipeline' },
    });
  });

  it('names the address to which the first went', () => {
    const run = runOf({ flow: {}, node: {} }, '1');
    const problem = { kind: 'notGateway', contentType: 'text/html', status: 200 } as const;
    run.journal.record(0, { sent: SENT, endpoint: 'async', state: { is: 'unknown', problem } });
    expect(JSON.stringify(prepareRows(run, toOther, NO_CHECKS)[0])).toContain("'Queue Address'");
  });

  it('leaves as a new message, with an id of its own, where the first was refused', () => {
    const memory: Memory = { flow: {}, node: {} };
    const run = runOf(memory, '1');
    const state = { is: 'refused', problem: { kind: 'operation', text: 'Wrong number' } } as const;
    const sent = { ...SENT, id: run.journal.madeId(0, SENT.phone) };
    run.journal.record(0, { sent, state, departures: { count: 1, execution: '1', lastAtMs: 0 } });
    const [row, other] = prepareRows(run, toOther, NO_CHECKS) as OutgoingRow[];
    expect(row).toMatchObject({
      state: { is: 'ready' },
      departures: undefined,
      operation: { phone: 447700900001 },
    });
    expect([sent.id, other.operation.id]).not.toContain(row.operation.id);
    // Another Retry may have sent the corrected message: both ask about the same id.
    const again = runOf(JSON.parse(JSON.stringify(memory)) as Memory, '2');
    again.journal.record(0, { sent, state });
    expect((prepareRows(again, toOther, NO_CHECKS) as OutgoingRow[])[0].operation.id).toBe(row.operation.id);
    const asked = prepareRows(run, () => ({ type: 'status', id: 1001 }), NO_CHECKS) as OutgoingRow[];
    expect(asked[0].operation.id).toBe(1001);
    expect(prepareRows(run, build, NO_CHECKS)[0]).toMatchObject({ state, operation: { id: sent.id } });
  });
});

it('a row in doubt at one account stays so under another one, of which nobody knows; one that was refused is another message there', () => {
  const ofAccount = (account: string, is: 'refused' | 'unknown') => {
    const run = runOf({ flow: {}, node: {} }, '1');
    const state = { is, problem: { kind: 'operation', text: 'Error in Alpha-name' } } as const;
    const departures = { count: 1, execution: '1', lastAtMs: 0 };
    run.journal.record(0, { sent: SENT, account: 'first', state, departures });
    run.journal.account = account;
    return prepareRows(run, build, NO_CHECKS)[0];
  };
  expect(ofAccount('second', 'unknown')).toMatchObject({ state: 'unknown' });
  expect(ofAccount('second', 'refused')).toMatchObject({ state: { is: 'ready' }, departures: undefined });
  for (const is of ['refused', 'unknown'] as const)
    expect(ofAccount('first', is)).toMatchObject({ state: { is }, operation: { id: SENT.id } });
});

it.each(['refused', 'unknown'] as const)(
  'a row whose Message ID was changed between two tries keeps the first where it is %s, or two Retries could send it twice',
  (is) => {
    const run = runOf({ flow: {}, node: {} }, '1', 1002);
    const state = { is, problem: { kind: 'operation', text: 'Error in Alpha-name' } } as const;
    run.journal.record(0, {
      sent: { ...SENT, id: 1001 },
      state,
      departures: { count: 1, execution: '1', lastAtMs: 0 },
    });
    expect(prepareRows(run, build, NO_CHECKS)[0]).toMatchObject({ operation: { id: 1001 }, state });
  },
);

it('a row that was refused is the same message in another way to its number: two Retries ask about one id', () => {
  const run = runOf({ flow: {}, node: {} }, '1');
  const state = { is: 'refused', problem: { kind: 'operation', text: 'Error in Alpha-name' } } as const;
  run.journal.record(0, { sent: SENT, state, departures: { count: 1, execution: '1', lastAtMs: 0 } });
  const otherWay = (item: Item): WireOperation => ({ ...build(item), type: 'viber+sms' });
  expect(prepareRows(run, otherWay, NO_CHECKS)[0]).toMatchObject({ operation: { id: SENT.id }, state });
});

it.each([
  ['takes the result of another one that is the same by now', 'refused', { repeats: { item: 0 } }],
  ['has a result of its own where it is in doubt', 'unknown', { operation: { id: 7 } }],
] as const)('a row that left before %s', (_, is, expected) => {
  const run = runOf({ flow: {}, node: {} }, '1');
  const state = { is, problem: { kind: 'operation', text: 'Error in Alpha-name' } } as const;
  const departures = { count: 1, execution: '1', lastAtMs: 0 };
  run.journal.record(0, { sent: { ...SENT, id: 6 }, state, departures });
  run.journal.record(1, { sent: SENT, state, departures });
  expect(prepareRows(run, build, { steps: [], comparisons: [sameContent] })[1]).toMatchObject(expected);
});

it('a row that is only checked stays in doubt where an earlier try left it so', () => {
  const run = runOf({ flow: {}, node: {} }, '1');
  run.journal.record(0, { sent: SENT, state: { is: 'unknown', problem: { kind: 'timeout' } } });
  const check: Step = (row) => setCheckOnly(row, { options: { checkOnly: true }, run } as unknown as Item);
  expect(
    prepareRows(run, build, { steps: [check, keepDoubt(run)], comparisons: [() => showOnly] }),
  ).toMatchObject([{ state: 'unknown' }, { checked: true }]);
});

it('of a number on the stop list, a message in doubt stays unknown: asked about, it could leave', () => {
  const run = runOf({ flow: {}, node: {} }, '1', undefined, [SENT.phone]);
  run.journal.record(0, { sent: SENT, state: { is: 'unknown', problem: { kind: 'timeout' } } });
  expect(prepareRows(run, build, { steps: [leaveOut(run)], comparisons: [] })).toMatchObject([
    { state: 'unknown' },
    { skipped: 'stop_list' },
  ]);
});
