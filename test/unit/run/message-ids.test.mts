/** What a repeated execution may have sent before, as n8n's run data tells it (field notes: Retry), and its ids. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Journal } from '../../../nodes/MessagingGateway/run/journal.ts';
import fc from '../../support/generated.mts';

/** The data of a Retry whose execution ended in the node before this one. */
const NOT_BEGUN = { Start: [{ executionIndex: 0 }], Rows: [{ executionIndex: 0 }] };

/** The journal of a run of the node in an execution that has this data. */
const journalOf = (
  data: IDataObject,
  executionId: string,
  {
    mode = 'retry',
    $runIndex = 0 as unknown,
    runData = NOT_BEGUN as object,
    kind = 'message sends',
    token = '',
    name = 'Send',
    type = 'messagingGateway',
  } = {},
) =>
  new Journal(
    {
      getNode: () => ({ name, type }),
      getInputData: () => [],
      runExecutionData: { resultData: { runData } },
      getContext: () => data,
      getExecutionId: () => executionId,
      getMode: () => mode,
      getWorkflowDataProxy: () => ({
        $runIndex,
        $execution: {
          resumeUrl: `https://n8n.example/webhook-waiting/${executionId}${token && `?signature=${token}`}`,
        },
      }),
    } as unknown as IExecuteFunctions,
    kind,
  );

/** The data of an execution as n8n saves it, and gives it to each repetition. */
const savedBy = (executionId: string): string => {
  const data: IDataObject = {};
  expect(journalOf(data, executionId, { mode: 'trigger' }).past.isRetry).toBe(false);
  return JSON.stringify(data);
};

it('each repetition of an execution that had begun may be one of several, whoever made the ids', () => {
  const saved = savedBy('7');
  for (const execution of ['8', '9']) {
    const data = JSON.parse(saved) as IDataObject;
    // A row that one try left out, another repetition may have sent: a later try has to ask as well.
    const tries = [1, 2].map(() => journalOf(data, execution).past.isRetry);
    expect(tries).toEqual([true, true]);
  }
});

it('only a repetition may have sent before, and not an execution that goes on elsewhere', () => {
  const data = JSON.parse(savedBy('7')) as IDataObject;
  expect(journalOf(data, '8', { mode: 'trigger' }).past.isRetry).toBe(false);
});

it.each([
  [0, 0],
  [3, 3],
  [undefined, 0],
])('the run index %p of n8n is %i', ($runIndex, index) => {
  const { runIndex } = journalOf({}, '7', { mode: 'trigger', $runIndex: $runIndex ?? null });
  expect(runIndex).toBe(index);
});

it('a run that the repeated execution had not begun may have been sent by another Retry', () => {
  const data = JSON.parse(savedBy('7')) as IDataObject;
  const { past } = journalOf(data, '8', { $runIndex: 1 });
  expect([past.isRetry, past.wasBegun]).toEqual([true, false]);
  // n8n's Retry On Fail runs the node again in the same execution.
  expect(journalOf(data, '8', { $runIndex: 1 }).past.wasBegun).toBe(false);
  expect(journalOf(data, '9', { $runIndex: 1 }).past.wasBegun).toBe(true);
  expect(journalOf(data, '8').past.wasBegun).toBe(true);
});

/** What n8n notes as the output of each node that was done when n8n was killed. */
const NOTED = { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] };

/** The run data that n8n 2.41.1 passes to a Retry of an execution that was cut off in the node 'Send'. */
it.each<[string, object]>([
  ['that was killed', { Start: [{ executionIndex: 0 }, { executionIndex: 0 }], Send: [] }],
  [
    'that was killed beside another branch',
    { ...NOT_BEGUN, Send: [{ executionIndex: 0, executionStatus: 'crashed' }] },
  ],
  [
    'that was killed behind it, or in a later turn of a loop',
    { ...NOT_BEGUN, Send: [{ executionIndex: 0, executionStatus: 'success', data: NOTED }, {}] },
  ],
  ['that was stopped', { Start: [{ executionIndex: 0 }], Rows: [{ executionIndex: 1 }] }],
  ['of which n8n says nothing', {}],
])('a Retry of an execution %s knows in no try what was sent, nor does a Retry of that one', (_, runData) => {
  const data: IDataObject = {};
  for (const execution of ['8', '8', '9']) {
    const { past } = journalOf(data, execution, { runData });
    expect([past.isLost, past.isRetry]).toEqual([true, true]);
  }
});

it('an execution that ended by itself is not lost, nor is one that is no Retry', () => {
  expect(journalOf({}, '8').past.isLost).toBe(false);
  expect(journalOf(JSON.parse(savedBy('7')) as IDataObject, '8', { runData: {} }).past.isLost).toBe(false);
  expect(journalOf({}, '8', { mode: 'trigger', runData: {} }).past.isLost).toBe(false);
});

/** The run data that an agent's tool finds in a Retry on n8n before 2.41, which has no run of the agent at work yet. */
it.each<[boolean, string, object]>([
  [true, 'began at the start', { Start: [{ executionIndex: 0 }], Model: [{ executionIndex: 2 }] }],
  [
    true,
    'began at the start, and the agent has called before',
    {
      Start: [{ executionIndex: 0 }],
      Model: [{ executionIndex: 2 }, { executionIndex: 4 }],
      Send: [{ executionIndex: 3 }],
    },
  ],
  [
    true,
    'goes on where n8n noted a kill',
    {
      Start: [{ executionIndex: 0, data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] } }],
      Agent: [],
      Model: [{ executionIndex: 1 }],
    },
  ],
  [true, 'tells nothing', {}],
  [
    false,
    'goes on at the agent',
    { Start: [{ executionIndex: 0 }], Agent: [], Model: [{ executionIndex: 1 }] },
  ],
  [
    false,
    'goes on at the agent behind another node, whose model had failed',
    {
      ...NOT_BEGUN,
      Agent: [],
      Model: [{ executionIndex: 2, executionStatus: 'error' }, { executionIndex: 1 }],
    },
  ],
])("an agent's tool: %p, the execution may have been cut off, where a Retry %s", (isLost, _, runData) => {
  const data: IDataObject = {};
  const pastOf = (execution: string, more: object, token = '') =>
    journalOf(data, execution, { runData: more, token, type: 'messagingGatewayTool' }).past;
  const ofTool = (execution: string, more: object) => pastOf(execution, more).isLost;
  // With the token, the gateway can be asked, but for a message of a type that `status` never shows.
  for (let tries = 0; tries < 2; tries++)
    expect(pastOf('8', runData, 'abc')).toMatchObject({ isLost: false, wasBegun: isLost });
  delete data.messagingGatewayBegun;
  expect(ofTool('8', runData)).toBe(isLost);
  // The Retry of a Retry that refused for that finds a whole execution, which knows as little.
  expect(ofTool('9', { Start: [{ executionIndex: 0 }], Agent: [], Model: [{ executionIndex: 1 }] })).toBe(
    isLost,
  );
});

const PHONE = 380501234567;

it('every try of a run makes the same ids, and every other run, node, n8n and number other ones', () => {
  const data: IDataObject = {};
  const idsOf = (from: IDataObject, execution: string) =>
    Array.from({ length: 500 }, (_, run) =>
      journalOf(from, execution, { mode: 'trigger', $runIndex: run }).madeId(0, PHONE),
    );
  const first = idsOf(data, '7');
  expect(idsOf(JSON.parse(JSON.stringify(data)) as IDataObject, '8')).toEqual(first);
  const others = [
    ...idsOf({}, '7'),
    journalOf(data, '7').madeId(0, PHONE + 1),
    journalOf(data, '7', { name: 'Send 2' }).madeId(0, PHONE),
  ];
  expect(new Set([...first, ...others]).size).toBe(1002);
});

it.each([
  ['with the token of n8n', 'abc', NOT_BEGUN, NOT_BEGUN],
  ['by its first node, which n8n copies', '', NOT_BEGUN, { ...NOT_BEGUN, Later: [{ startTime: 9 }] }],
])(
  'all Retries of an execution that never reached the node make the same ids, %s',
  (_, token, one, other) => {
    const at = (runData: object, name: string) => ({ ...runData, Start: [{ startTime: 1, name }] });
    const idOf = (runData: object, execution: string, more = token) =>
      journalOf({}, execution, { runData, token: more }).madeId(3, PHONE);
    expect(idOf(at(one, 'a'), '8')).toBe(idOf(at(other, 'a'), '9'));
    // Of the same second, n8n 2.41 tells two executions apart by the token alone.
    const elsewhere = journalOf(
      {},
      '8',
      token ? { token: 'abd', runData: at(one, 'a') } : { runData: { Start: [{ startTime: 2 }] } },
    );
    expect(elsewhere.madeId(3, PHONE)).not.toBe(idOf(at(one, 'a'), '8'));
  },
);

it('the rows of a list have ids of their own above the numbers that people assign, whatever their numbers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1e6, max: 1e15 - 1e6 }),
      fc.constantFrom(-1, 0, 1, 7),
      fc.uuid(),
      (phone, step, token) => {
        const journal = journalOf({}, '7', { token });
        const ids = Array.from({ length: 1000 }, (_, i) => journal.madeId(i, phone + step * i));
        expect(new Set(ids).size).toBe(1000);
        // Microseconds of 2026 are less.
        expect(Math.min(...ids)).toBeGreaterThanOrEqual(2 ** 51);
        expect(Math.max(...ids)).toBeLessThan(2 ** 53);
      },
    ),
    { numRuns: 100 },
  );
});

it('no control of a question is the id of a row, though several rows go to one number', () => {
  for (const mode of ['trigger', 'retry']) {
    const journal = journalOf({}, '7', { mode });
    const ids = [0, 1, 2].map((row) => journal.madeId(row, PHONE));
    expect(ids).not.toContain(journal.unusedIds()[0]);
    expect(Math.abs(journal.unusedIds()[0] - ids[0])).toBeLessThan(2 ** 20);
  }
});

it('entries of another operation, which stood in the form before a Retry, are no results of this one', () => {
  const data: IDataObject = {};
  journalOf(data, '7', { mode: 'trigger' }).record(0, { jsons: [{ id: 1 }] });
  const retried = (kind: string) => journalOf(JSON.parse(JSON.stringify(data)) as IDataObject, '8', { kind });
  expect(retried('message sends').past.isOfOtherKind).toBe(false);
  expect(retried('number reads').past.isOfOtherKind).toBe(true);
});

it('entries of the operation that a Retry began, since the one before had left none, are its own', () => {
  const data: IDataObject = {};
  journalOf(data, '7', { mode: 'trigger', kind: 'number reads' });
  const retried = (kind: string) => journalOf(data, '8', { kind });
  retried('message sends').record(0, { jsons: [{ id: 1 }] });
  expect(retried('message sends').past).toMatchObject({ isOfOtherKind: false, wasBegun: true });
  expect(retried('number reads').past.isOfOtherKind).toBe(true);
});

describe("a message of an agent's tool", () => {
  /** The run data of a Retry that goes on at the agent, where the execution had ended by itself. */
  const WHOLE = {
    runExecutionData: {
      resultData: { runData: { Start: [{ executionIndex: 0 }], Agent: [], Model: [{ executionIndex: 1 }] } },
    },
  };

  const contextOf = (
    data: IDataObject,
    execution: string,
    [phone, text, $runIndex = 0]: [number, string, number?],
  ) => ({
    getNode: () => ({ name: 'Send', type: 'messagingGatewayTool' }),
    getInputData: () => [{ json: { phone, text } }],
    runExecutionData: { resultData: { runData: NOT_BEGUN } },
    getContext: () => data,
    getExecutionId: () => execution,
    getMode: () => (execution === '7' ? 'trigger' : 'retry'),
    getWorkflowDataProxy: () => ({
      $runIndex,
      $execution: { resumeUrl: 'https://n8n.example/1?signature=abc' },
    }),
  });

  /** Calls of an execution, each with its number, text and run index; returns their ids. */
  const idsOf = (data: IDataObject, execution: string, calls: Array<[number, string, number?]>) =>
    calls.map((call) => {
      const [phone, text] = call;
      const context = contextOf(data, execution, call);
      const journal = new Journal(context as unknown as IExecuteFunctions, 'message sends');
      journal.takePlaceOf(phone, { phone, text });
      return journal.madeId(0, phone);
    });
  const copy = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

  it('has an id of its own beside calls with the same run index, and the same content has one', () => {
    const ids = idsOf({}, '7', [
      [1e9, 'a'],
      [2e9, 'a'],
      [1e9, 'b'],
      [1e9, 'a'],
      [1e9, 'a', 1],
    ]);
    expect(new Set(ids).size).toBe(4);
    expect(ids[3]).toBe(ids[0]);
  });

  it('keeps its id where n8n runs the agent again by Retry On Fail, and not in the next turn of a loop', () => {
    const data: IDataObject = {};
    const failed = { executionIndex: 9, executionStatus: 'error', inputOverride: { ai_languageModel: [] } };
    const idOf = ($runIndex: number, ended: number, failures: number) => {
      const Loop = Array<object>(ended).fill({ executionIndex: 0, data: { main: [[]] } });
      const Model = Array<object>(failures).fill(failed);
      const context = {
        ...contextOf(data, '7', [1e9, 'a', $runIndex]),
        runExecutionData: { resultData: { runData: { Loop, Model } } },
      };
      const journal = new Journal(context as unknown as IExecuteFunctions, 'message sends');
      journal.takePlaceOf(1e9, { text: 'a' });
      journal.record(0, { jsons: [{ id: 1 }] });
      journal.close();
      expect(journal.find(0)).toBeDefined();
      return journal.madeId(0, 1e9);
    };
    const [first, second] = [idOf(0, 2, 0), idOf(1, 2, 0)];
    expect(second).not.toBe(first);
    expect([idOf(2, 2, 1), idOf(3, 2, 1)]).toEqual([first, first]);
    expect([first, second]).not.toContain(idOf(4, 3, 1));
  });

  it('keeps its id in a Retry that calls in another order, with other indexes and in other words', () => {
    const data: IDataObject = {};
    const [anna, ben, second] = idsOf(data, '7', [
      [1e9, 'a'],
      [2e9, 'b'],
      [1e9, 'c'],
    ]);
    const again = idsOf(copy(data), '8', [
      [2e9, 'B!', 4],
      [1e9, 'c', 5],
      [1e9, 'A!', 6],
      [3e9, 'd', 7],
    ]);
    expect(again.slice(0, 3)).toEqual([ben, second, anna]);
    expect([anna, ben, second]).not.toContain(again[3]);
  });

  it('keeps its id in a Retry that calls in new words first, and nothing else gets that id', () => {
    const data: IDataObject = {};
    const [old] = idsOf(data, '7', [[1e9, 'a']]);
    const again = copy(data);
    const [first, same, third] = idsOf(again, '8', [
      [1e9, 'A!', 1],
      [1e9, 'a', 2],
      [1e9, 'b', 3],
    ]);
    expect([first, same]).toEqual([old, old]);
    expect(third).not.toBe(old);
    expect(
      idsOf(again, '8', [
        [1e9, 'A!', 1],
        [1e9, 'a', 2],
        [1e9, 'b', 3],
      ]),
    ).toEqual([old, old, third]);
    expect(
      idsOf(copy(again), '9', [
        [1e9, 'b', 4],
        [1e9, 'a', 5],
      ]),
    ).toEqual([third, old]);
  });

  it('counts as begun in a Retry that calls in other words, and in its Retry On Fail; a new message does not', () => {
    const data: IDataObject = {};
    idsOf(data, '7', [[1e9, 'a']]);
    const again = copy(data);
    const wasBegun = (phone: number, text: string, $runIndex: number) => {
      const context = { ...contextOf(again, '8', [phone, text, $runIndex]), ...WHOLE };
      const journal = new Journal(context as unknown as IExecuteFunctions, 'message sends');
      const before = journal.past.wasBegun;
      journal.takePlaceOf(phone, { phone, text });
      return [before, journal.past.wasBegun];
    };
    expect(wasBegun(1e9, 'A!', 1)).toEqual([false, true]);
    expect(wasBegun(1e9, 'A!', 1)).toEqual([false, true]);
    expect(wasBegun(1e9, 'b', 2)).toEqual([false, false]);
    expect(wasBegun(1e9, 'b', 2)).toEqual([false, false]);
    expect(wasBegun(2e9, 'a', 3)).toEqual([false, false]);
  });

  it('has the same id in all Retries of an execution in which the model had not called yet', () => {
    expect(
      idsOf({}, '9', [
        [2e9, 'B'],
        [1e9, 'A'],
      ]),
    ).toEqual(
      idsOf({}, '8', [
        [1e9, 'a'],
        [2e9, 'b'],
      ]).toReversed(),
    );
  });
});
