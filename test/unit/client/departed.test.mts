/** What a process remembers of messages that left one execution, for another one with the same messages. */
import { DepartedMessages } from '../../../nodes/gateway/client/departed.ts';
import type { Verdict } from '../../../nodes/gateway/client/response.ts';
import type { Row } from '../../../nodes/gateway/client/row.ts';
import { READY } from '../../../nodes/gateway/client/row.ts';

const rowOf = (id: number, type: 'sms' | 'pipeline' = 'sms'): Row => ({
  operation: { type, id, phone: 380501234567 },
  endpoint: 'sync',
  state: READY,
  hasKey: true,
});

const LOST = { kind: 'connectionLost' } as const;
const REFUSAL = { kind: 'operation', text: 'Error in Alpha-name' } as const;
const HOURS = 3_600_000;

it.each<[string, Verdict | undefined, 'sms' | 'pipeline', Array<[number, string | undefined]>]>([
  ['has not ended', undefined, 'sms', [[0, 'late']]],
  [
    'broke',
    { kind: 'broken', problem: LOST },
    'sms',
    [
      [119_999, 'underWay'],
      [120_000, undefined],
    ],
  ],
  [
    'broke, and status may never show it',
    { kind: 'broken', problem: LOST },
    'pipeline',
    [[99 * HOURS, 'late']],
  ],
  [
    'timed out',
    { kind: 'timedOut', problem: { kind: 'timeout' } },
    'sms',
    [
      [12 * HOURS - 1, 'late'],
      [12 * HOURS, undefined],
    ],
  ],
  [
    'was refused',
    { kind: 'refused', problem: REFUSAL },
    'sms',
    [
      [1999, 'underWay'],
      [2000, undefined],
    ],
  ],
  [
    'has a result that refuses it',
    { kind: 'results', items: [{ is: 'refused', problem: REFUSAL }] },
    'sms',
    [
      [1999, 'underWay'],
      [2000, undefined],
    ],
  ],
  ['was taken', { kind: 'results', items: [{ is: 'accepted' }] }, 'sms', [[99 * HOURS, 'taken']]],
  ['never left', { kind: 'notReached', problem: LOST }, 'sms', [[0, undefined]]],
])('a message whose exchange %s', (_, verdict, type, fates) => {
  const departed = new DepartedMessages();
  const row = rowOf(5, type);
  const { batch } = departed.begin([row], 'first', 0);
  expect(departed.fatesOfShared([row], 'second', 0).get(5)).toBe('underWay');
  departed.end(batch, verdict, 1000);
  for (const [agoMs, fate] of fates)
    expect([agoMs, departed.fatesOfShared([row], 'second', 1000 + agoMs).get(5)]).toEqual([agoMs, fate]);
});

it('what one execution has on its way does not leave another one', () => {
  const departed = new DepartedMessages();
  departed.begin([rowOf(5)], 'first', 0);
  const rows = [rowOf(5), rowOf(6)];
  const { leaving, overtaken } = departed.begin(rows, 'second', 0);
  expect([leaving, [...overtaken.keys()]]).toEqual([[rows[1]], [rows[0]]]);
  // The execution that has it on its way goes by its own journal.
  expect(departed.begin([rowOf(5)], 'first', 0).overtaken.size).toBe(0);
});

it('what another execution sent since status last denied a row is asked about, also once nothing of it can arrive any more', () => {
  const departed = new DepartedMessages();
  const { batch } = departed.begin([rowOf(5)], 'first', 20_000);
  departed.end(batch, { kind: 'broken', problem: LOST }, 21_000);
  const leavesAt = (nowMs: number, absentAtMs: number) =>
    departed.begin([{ ...rowOf(5), absentAtMs }], 'second', nowMs).leaving.length > 0;
  expect(leavesAt(154_000, 10_000)).toBe(false);
  expect(leavesAt(154_000, 140_999)).toBe(false);
  expect(leavesAt(154_000, 141_000)).toBe(true);
});

it('a call of the connector is claimed by one execution, until that certainly did not send', () => {
  const departed = new DepartedMessages();
  const takeBack = departed.claim(5, 'first', 0);
  expect([takeBack, departed.claim(5, 'first', 0)]).not.toContain(undefined);
  expect(departed.claim(5, 'second', 99 * HOURS)).toBeUndefined();
  const alone = departed.claim(6, 'first', 0);
  alone?.();
  expect(departed.claim(6, 'second', 1)).toBeDefined();
});
