/** The rows of a run that have no final state yet: which leave next, with which others, and which are asked about. */
import { BatchSize } from '../../../nodes/gateway/client/batch-size.ts';
import { asking } from '../../../nodes/gateway/client/next.ts';
import { Queue } from '../../../nodes/gateway/client/queue.ts';
import type { Asking, Past, Refusal, Row, RowState } from '../../../nodes/gateway/client/row.ts';

const problem = { kind: 'envelope', text: 'Zorble' } as const;

const rowOf = (id: number, state: RowState): Row => ({
  operation: { type: 'sms', id, phone: 380501234567 },
  endpoint: 'sync',
  state,
});
const ready = (id: number, past: Past = {}, refusal?: Partial<Refusal>) =>
  rowOf(id, {
    is: 'ready',
    past,
    ...(refusal && { refusal: { problem, size: 8, then: 'whole' as const, ...refusal } }),
  });
const inQuestion = (id: number, more: Partial<Asking> = {}) =>
  rowOf(id, {
    ...asking(more.cause ?? 'lost', { problem, past: {}, leftAtMs: 0, size: 1 }),
    ...{ nextAtMs: 2000, waitedMs: 0 },
    ...more,
  });

const idsOf = (rows: readonly Row[]) => rows.map(({ operation }) => operation.id);
/** A queue of rows that have left once already. */
function queueOf(...rows: Row[]): Queue<Row> {
  const queue = new Queue<Row>([]);
  for (const row of rows) queue.put(row);
  return queue;
}

it('takes rows in order, empties their list, and asks about those that are in question from the beginning', () => {
  const rows = [ready(1), inQuestion(2), ready(3)];
  const queue = new Queue(rows);
  expect([rows, queue.isAsking, queue.isEmpty]).toEqual([[], true, false]);
  expect(idsOf(queue.takeBatch(new BatchSize(5)))).toEqual([1, 3]);
  expect([idsOf(queue.takeAsking()), queue.isAsking, queue.isEmpty]).toEqual([[2], false, true]);
  expect(new Queue([ready(1)]).isAsking).toBe(false);
});

describe('a request', () => {
  const size = new BatchSize(5);

  it('holds new rows before others, and after that as many as the strictest of its rows allows', () => {
    const queue = new Queue([ready(1)]);
    for (const id of [2, 3, 4]) queue.put(ready(id));
    queue.put(ready(5, {}, { then: 'parts', size: 4 }));
    queue.put(ready(6, {}, { then: 'parts', size: 4 }));
    const taken = () => idsOf(queue.takeBatch(size));
    expect([taken(), taken(), taken(), taken(), taken()]).toEqual([[1], [2, 3, 4], [5], [6], []]);
  });

  it('ends before a row that leaves only after a pause', () => {
    const waiting = () => ready(2, {}, { then: 'waits' });
    const queue = queueOf(ready(1), waiting(), ready(3));
    expect([queue.isWaiting, idsOf(queue.takeBatch(size))]).toEqual([false, [1]]);
    // Then it is next, and nothing overtakes it.
    expect([queue.isWaiting, queue.takeBatch(size)]).toEqual([true, []]);
    expect(idsOf(queue.takeWaiting())).toEqual([2]);
    expect([queue.isWaiting, idsOf(queue.takeBatch(size))]).toEqual([false, [3]]);
    expect(queue.isWaiting).toBe(false);
    const fresh = new Queue([ready(1)]);
    fresh.put(waiting());
    expect(fresh.isWaiting).toBe(false);
  });

  it('of rows that a broken exchange lost holds no others, and none that were refused since', () => {
    const resent: Past = { left: true, resent: ['lost'] };
    const queue = queueOf(
      ready(1),
      ready(2, resent),
      ready(3, resent, {}),
      ready(4, resent),
      ready(5, resent),
    );
    expect(idsOf(queue.takeLost(2))).toEqual([2, 4]);
    expect(idsOf(queue.ready)).toEqual([1, 3, 5]);
    expect(idsOf(queue.takeLost(2))).toEqual([5]);
    expect(queue.takeLost(2)).toEqual([]);
  });

  it('of a row that leaves alone holds that row, until the others may leave', () => {
    const rows = [1, 2, 3, 4].map((id) => ready(id));
    const queue = new Queue(rows.slice(0, 2));
    queue.put(rows[2]);
    queue.put(rows[3]);
    expect(idsOf(queue.ready)).toEqual([3, 4, 1, 2]);
    queue.sendAlone([rows[1], rows[2], rows[3]]);
    expect([idsOf(queue.takeAlone()), queue.isEmpty]).toEqual([[3], false]);
    expect(idsOf(queue.takeBatch(size))).toEqual([1]);
    expect(idsOf(queue.takeBatch(size))).toEqual([4, 2]);
    expect(queue.takeAlone()).toEqual([]);
  });
});

describe('a question', () => {
  it('is about the rows that are due, and those that are within half a second', () => {
    const queue = queueOf(
      inQuestion(1, { nextAtMs: 2000 }),
      inQuestion(2, { nextAtMs: 2500 }),
      inQuestion(3, { nextAtMs: 2501 }),
    );
    expect(queue.untilQuestionMs).toBe(2000);
    queue.waited(2000);
    expect([queue.untilQuestionMs, idsOf(queue.takeDue(9))]).toEqual([0, [1, 2]]);
    expect(queue.untilQuestionMs).toBe(501);
    expect(queueOf().untilQuestionMs).toBe(Infinity);
  });

  it('comes no sooner about a row whose next answer may decide', () => {
    const absence = { sinceMs: 0, words: '' };
    const queue = queueOf(
      inQuestion(1, { nextAtMs: 1 }),
      inQuestion(2, { nextAtMs: 1, absence }),
      inQuestion(3, { nextAtMs: 1, cause: 'refused' }),
    );
    expect(idsOf(queue.takeDue(9))).toEqual([1]);
    queue.waited(1);
    expect(idsOf(queue.takeDue(9))).toEqual([2, 3]);
  });

  it('about rows that leave right after it holds no more than leave together, and none beside others', () => {
    const absence = { sinceMs: 0, words: '' };
    const leaving = (id: number) => inQuestion(id, { nextAtMs: 0, cause: 'key', absence });
    const queue = queueOf(
      leaving(1),
      inQuestion(2, { nextAtMs: 0, cause: 'key' }),
      inQuestion(3, { nextAtMs: 0, absence }),
      leaving(4),
      leaving(5),
    );
    const taken = () => idsOf(queue.takeDue(2));
    expect([taken(), taken(), taken(), taken()]).toEqual([[2, 3], [1, 4], [5], []]);
  });

  it('counts what is waited while it is asked, and changes no row that has its answer', () => {
    const [open, told] = [1, 2].map((id) => inQuestion(id, { nextAtMs: 0 }));
    const queue = queueOf(open, told);
    expect(queue.takeDue(9)).toEqual([open, told]);
    told.state = { is: 'notSent', problem, past: {} };
    queue.waited(700);
    expect([open.state, told.state]).toEqual([
      expect.objectContaining({ is: 'asking', waitedMs: 700 }),
      { is: 'notSent', problem, past: {} },
    ]);
  });

  it('that had no answer comes first the next time, in order', () => {
    const rows = [1, 2, 3, 4].map((id) => inQuestion(id));
    const queue = queueOf(...rows);
    queue.putFirst(new Set());
    queue.putFirst(new Set([rows[3], rows[1]]));
    expect(idsOf(queue.takeAsking())).toEqual([2, 4, 1, 3]);
  });
});

it('gives back all rows in the end, those in question first', () => {
  const [fresh, again, alone] = [1, 2, 3].map((id) => ready(id));
  const queue = new Queue([fresh]);
  for (const row of [again, alone, inQuestion(4), rowOf(5, { is: 'notSent', problem, past: {} })])
    queue.put(row);
  queue.sendAlone([alone]);
  expect([queue.isEmpty, idsOf(queue.takeAll()), queue.isEmpty]).toEqual([false, [4, 3, 2, 1], true]);
});
