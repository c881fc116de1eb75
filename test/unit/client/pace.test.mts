/** How long the client waits, how large its requests are, and when it asks what became of them. */
import { backOff } from '../../../nodes/gateway/client/back-off.ts';
import { BatchSize } from '../../../nodes/gateway/client/batch-size.ts';
import type { Parked } from '../../../nodes/gateway/client/parking.ts';
import { decide, FIRST_QUESTION, timeUntilQuestion } from '../../../nodes/gateway/client/parking.ts';
import type { Doubt, SendEntry } from '../../../nodes/gateway/client/send.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

describe('waits before another try', () => {
  it('are none where the address can not be right, or the caller is rejected', () => {
    const waiting = backOff();
    const unreached = (code: string) =>
      waiting({ kind: 'notReached', problem: { kind: 'unreachable', code } });
    expect(unreached('ENOTFOUND')).toBeUndefined();
    expect(waiting({ kind: 'rejected', problem: { kind: 'http', status: 401 } })).toBeUndefined();
    expect(unreached('ECONNREFUSED')).toBe(500);
  });

  it('double up to 15 seconds within two minutes where the gateway asks for patience', () => {
    const waiting = backOff();
    const waits = Array.from({ length: 12 }, () => waiting({}));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, ...Array<number>(6).fill(15_000), undefined]);
  });

  it('are as long as the gateway asks, unless that is beyond the limit', () => {
    const waiting = backOff();
    const waits = [0.1, 3, 60, 54].map((retryAfter) => waiting({ retryAfter }));
    expect(waits).toEqual([500, 3000, 60_000, 54_000]);
    expect(backOff()({ retryAfter: 120 })).toBe(120_000);
    expect(backOff()({ retryAfter: 121 })).toBeUndefined();
  });
});

describe('the size of a request', () => {
  /** The sizes after each of several changes. */
  const after = (size: BatchSize, ...changes: Array<(size: BatchSize) => void>) =>
    changes.map((change) => {
      change(size);
      return size.current;
    });
  const answered =
    (count: number, milliseconds = 1) =>
    (size: BatchSize) =>
      size.answered(count, milliseconds);
  const refused = (count: number) => (size: BatchSize) => size.refused(count);
  const tooLarge = (count: number) => (size: BatchSize) => size.tooLarge(count);
  const timedOut = (size: BatchSize) => size.timedOut();
  const many = <T,>(count: number, change: T) => Array<T>(count).fill(change);

  it('begins at 100, or where the user says', () => {
    expect([undefined, 7].map((fixed) => new BatchSize(fixed).current)).toEqual([100, 7]);
  });

  it.each([
    [100, 999, 200],
    [101, 999, 200],
    [100, 250, 200],
    [100, 249, 400],
    [99, 999, 100],
    [99, 0, 100],
    [100, 1000, 100],
    [100, 3000, 100],
    [100, 3001, 50],
  ])('after %i operations in %i ms is %i, unless the user chose it', (count, milliseconds, expected) => {
    const change = answered(count, milliseconds);
    expect(after(new BatchSize(), change)).toEqual([expected]);
    for (const fixed of [100, 1000]) expect(after(new BatchSize(fixed), change)).toEqual([fixed]);
  });

  it('grows to 1,000, and shrinks to 10', () => {
    const full = (milliseconds: number) => (one: BatchSize) => one.answered(one.current, milliseconds);
    expect(after(new BatchSize(), ...many(5, full(500)))).toEqual([200, 400, 800, 1000, 1000]);
    const size = new BatchSize();
    expect(after(size, ...many(3, full(1)))).toEqual([400, 1000, 1000]);
    expect(after(size, ...many(8, timedOut))).toEqual([500, 250, 125, 63, 32, 16, 10, 10]);
    expect(after(new BatchSize(100), timedOut)).toEqual([100]);
  });

  it.each([
    ['slow', timedOut, 50],
    ['refused', refused(100), 50],
  ])('no more than doubles after a request was %s', (_, change, shrunk) => {
    const size = new BatchSize();
    const quick = (one: BatchSize) => one.answered(one.current, 1);
    expect(after(size, change, ...many(5, quick))).toEqual([shrunk, 100, 200, 400, 800, 1000]);
  });

  it.each([[undefined], [100]])(
    'halves when a request is refused, and grows again after one that was taken: from %p',
    (fixed) => {
      const size = new BatchSize(fixed);
      expect(after(size, refused(100), refused(50), refused(25))).toEqual([50, 25, 13]);
      expect(after(size, ...[12, 13, 26, 52].map((count) => answered(count)))).toEqual([
        ...[13, 26, 52],
        fixed ?? 104,
      ]);
      expect(after(size, ...many(12, (one: BatchSize) => one.refused(one.current))).at(-1)).toBe(1);
    },
  );

  it('is at most half of what was too large, for good', () => {
    // It is below the smallest size that slowness leads to.
    const changes = [tooLarge(15), tooLarge(1000), answered(8), timedOut, tooLarge(1)];
    expect(after(new BatchSize(), ...changes)).toEqual([8, 8, 8, 8, 1]);
    expect([30, 5].flatMap((fixed) => after(new BatchSize(fixed), tooLarge(30)))).toEqual([15, 5]);
  });
});

const PROBLEM: Problem = { kind: 'http', status: 502 };
const parked = (doubt?: Doubt, more: Partial<Parked<SendEntry>> = {}): Parked<SendEntry> => ({
  entry: { operation: { type: 'sms', id: 1 }, ...(doubt && { doubt }) },
  result: doubt
    ? { state: 'unknown', problem: PROBLEM, doubt }
    : { state: 'refused', problem: PROBLEM, payload: { id: 1 } },
  unanswered: 0,
  settlesAt: doubt === undefined ? 2000 : doubt.kind === 'answered' ? 0 : 30_000,
  waited: 0,
  mayBeOlder: false,
  isRepeat: false,
  ...more,
});
const LOST: Doubt = { kind: 'lost', leftAt: 0 };
const ANSWERED: Doubt = { kind: 'answered', leftAt: 0 };

it('status is asked two seconds after another question at the earliest, where an entry settles before that', () => {
  const time = (waited: number, pause = 8000) =>
    timeUntilQuestion([parked(LOST, { waited }), parked(LOST)], pause);
  expect([25_000, 29_000, 30_000].map((waited) => time(waited))).toEqual([5000, 2000, 8000]);
  expect(time(29_900, FIRST_QUESTION)).toBe(100);
});

describe('the decision after an answer of status', () => {
  const report = { id: 1, status: 'ACCEPTED' };
  const refused = { state: 'refused', problem: PROBLEM, payload: { id: 1 } };
  const WAIT = 'wait';
  const absentAt = (one: Parked<SendEntry>, waited: number, words = 'none') =>
    decide(Object.assign(one, { waited }), { kind: 'absent', words }, true);

  it('refuses what was refused by a result of its own, unless the gateway has it and it did not fail', () => {
    expect(decide(parked(), { kind: 'known', payload: report }, true)).toEqual({ state: 'accepted', report });
    expect(absentAt(parked(), 2000)).toEqual(refused);
    for (const kind of ['unclear', 'unanswered'] as const)
      expect(decide(parked(), { kind }, true)).toEqual(refused);
    const failed = { id: 1, status: 'REJECTED' };
    expect(decide(parked(), { kind: 'known', payload: failed }, true)).toEqual(refused);
  });

  it('needs the same answer twice, two seconds apart, with nothing else in between', () => {
    const one = parked(ANSWERED);
    expect([absentAt(one, 500, 'down'), absentAt(one, 2500)]).toEqual([WAIT, WAIT]);
    expect(decide(one, { kind: 'unclear' }, true)).toEqual(WAIT);
    expect([4500, 6499, 6500].map((waited) => absentAt(one, waited))).toEqual([WAIT, WAIT, 'notTaken']);
    const other = parked(ANSWERED);
    expect(absentAt(other, 500)).toEqual(WAIT);
    // No answer takes nothing back.
    expect(decide(other, { kind: 'unanswered' }, true)).toEqual(WAIT);
    expect(absentAt(other, 2500)).toEqual('notTaken');
  });

  it.each([
    [ANSWERED, 0],
    [LOST, 30_000],
  ])('leaves open what brings no usable answer four times when the gateway is done: %j', (doubt, waited) => {
    const one = parked(doubt, { waited });
    const decisions = Array.from({ length: 4 }, () => decide(one, { kind: 'unanswered' }, true));
    expect(decisions).toEqual([WAIT, WAIT, WAIT, { state: 'unknown', problem: PROBLEM, doubt }]);
    const [early, left] = [parked(LOST), parked(doubt, { waited })];
    for (let n = 0; n < 9; n += 1) {
      expect(decide(early, { kind: 'unclear' }, true)).toEqual(WAIT);
      expect(decide(left, { kind: 'notAsked' }, true)).toEqual(WAIT);
    }
  });
});
