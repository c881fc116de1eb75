/** docs/delivery-guarantees.md has the client's table of doubts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterExchange, decide, DOUBTS, stateAtStart } from '../../../nodes/gateway/client/doubt.ts';
import type { Row } from '../../../nodes/gateway/client/row.ts';
import { ROOT } from '../../../tools/paths.mts';

it('says in the guide when each doubt is asked about, and from when on an absence counts', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'delivery-guarantees.md'), 'utf8');
  const [, table = ''] = guide.split(/\| What happened \|.*\n\|[-|]+\|\n/);
  const rows = table.split('\n\n')[0].trim().split('\n');
  const said = rows.map((row) =>
    row
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim()),
  );
  const rules = Object.values(DOUBTS).map(({ askAt, absenceCountsAt }) => [
    `${askAt.length > 1 ? 'for' : 'after'} ${askAt.at(-1)} s`,
    absenceCountsAt === Infinity ? 'never' : `${absenceCountsAt} s`,
  ]);
  // Doubts with one rule share a row.
  const once = new Map(rules.map((rule) => [rule.join(), rule]));
  expect(said).toEqual([...once.values()]);
});

it.each([
  [119_999, 'broken'],
  [120_000, 'earlier'],
  [12 * 3_600_000, 'earlier'],
  [12 * 3_600_000 + 1, 'late'],
])('asks %i ms after a connection broke, in a later try, as after what is %s', (agoMs, doubt) => {
  const row = {
    operation: { type: 'sms', id: 5, phone: 380501234567 },
    endpoint: 'sync',
    state: { is: 'unknown', problem: { kind: 'connectionLost' } },
    departures: { count: 1, execution: '7', lastAtMs: 1000 },
  } as const;
  expect(stateAtStart(row, 1000 + agoMs).doubt).toBe(doubt);
});

const REFUSAL = { kind: 'operation', text: 'Error in Alpha-name' } as const;
const rowOf = (more: Partial<Row> = {}): Row => ({
  operation: { type: 'sms', id: 5, phone: 380501234567 },
  endpoint: 'sync',
  state: { is: 'refused', problem: REFUSAL },
  ...more,
});
const LAST = { atSeconds: 2, isLast: true };

it.each([
  ['begun', true, 'unknown'],
  ['not begun', false, 'ready'],
])(
  'in a Retry of a run that had %s (%s), a row that status may never show is %s without an answer',
  (_, wasBegun, is) => {
    const operation = { type: 'pipeline', id: 5, phone: 380501234567 } as const;
    const state = { is: 'unknown', problem: { kind: 'notTold' } } as const;
    const row = rowOf({ operation, state, mayHaveBeenSent: true, wasBegun });
    expect(decide(row, 'elsewhere', { is: 'absent', isWitnessed: true }, LAST)).toMatchObject({ is });
  },
);

it.each<[string, 'taken' | 'failed', Partial<Row>, string]>([
  ['FAILED may be that refusal', 'failed', {}, 'refused'],
  ['FAILED may be of another Retry', 'failed', { mayHaveBeenSent: true }, 'unknown'],
  ['a message under an own id is an older one', 'taken', { hasOwnId: true }, 'refused'],
])('after a refusal in words, %s', (_, told, more, is) => {
  const report = { status: told === 'taken' ? 'DELIVERED' : 'UNDELIVERABLE' };
  expect(decide(rowOf(more), 'contested', { is: told, report }, LAST)).toMatchObject({ is });
});

it.each<[string, Partial<Row>, string | undefined]>([
  ['the word of the gateway', {}, undefined],
  ['no word on what another Retry may have sent', { mayHaveBeenSent: true }, 'contested'],
  ['no word on what a key may have sent', { hasKey: true }, 'contested'],
])('a refusal of one row is %s', (_, more, doubt) => {
  const verdict = { kind: 'results', items: [{ is: 'refused', problem: REFUSAL }] } as const;
  const [next] = afterExchange([rowOf(more)], { ...verdict, items: [...verdict.items] }, 'status');
  expect(next.doubt).toBe(doubt);
});

it('a connection to the queue that broke is settled by no absence', () => {
  const broken = { kind: 'broken', problem: { kind: 'connectionLost' } } as const;
  const doubtAt = (endpoint: Row['endpoint']) =>
    afterExchange([rowOf({ endpoint })], broken, 'status')[0].doubt;
  expect([doubtAt('sync'), doubtAt('async')]).toEqual(['broken', 'late']);
});
