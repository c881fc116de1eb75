/** How long the client waits, how large its requests are, and when it asks what became of them. */
import { backOff } from '../../../nodes/gateway/client/back-off.ts';
import { BatchSize } from '../../../nodes/gateway/client/batch-size.ts';
import type { Parked } from '../../../nodes/gateway/client/parking.ts';
import {
  decide,
  FIRST_QUESTION,
  nextPause,
  timeUntilQuestion,
} from '../../../nodes/gateway/client/parking.ts';
import type { Doubt, SendEntry } from '../../../nodes/gateway/client/send.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

const until = (next: () => number | undefined, most = 50): number[] => {
  const found: number[] = [];
  for (let value = next(); value !== undefined && found.length < most; value = next()) found.push(value);
  return found;
};

describe('waits before another try', () => {
  const DOWN: Problem = { kind: 'unreachable', code: 'ECONNREFUSED' };

  const afterUnreached = (waiting: ReturnType<typeof backOff>, problem = DOWN) =>
    waiting({ kind: 'notReached', problem });

  it('double from half a second within 15 seconds where nothing listens', () => {
    const waiting = backOff();
    expect(until(() => afterUnreached(waiting))).toEqual([500, 1000, 2000, 4000]);
  });

  it('are none where the address can not be right, or the caller is rejected', () => {
    const waiting = backOff();
    expect(afterUnreached(waiting, { kind: 'unreachable', code: 'ENOTFOUND' })).toBeUndefined();
    expect(waiting({ kind: 'rejected', problem: { kind: 'http', status: 401 } })).toBeUndefined();
    expect(afterUnreached(waiting)).toBe(500);
  });

  it('double up to 15 seconds within two minutes where the gateway asks for patience', () => {
    const waiting = backOff();
    expect(until(() => waiting({}))).toEqual([500, 1000, 2000, 4000, 8000, ...Array(6).fill(15_000)]);
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
  const after = (change: (size: BatchSize) => void, fixed?: number) => {
    const size = new BatchSize(fixed);
    change(size);
    return size.current;
  };

  it('begins at 100, or where the user says', () => {
    expect([undefined, 7].map((fixed) => new BatchSize(fixed).current)).toEqual([100, 7]);
  });

  it.each([
    [100, 999, 200],
    [101, 999, 200],
    [99, 999, 100],
    [100, 1000, 100],
    [100, 3000, 100],
    [100, 3001, 50],
  ])('after %i operations in %i ms is %i', (count, milliseconds, expected) => {
    expect(after((size) => size.answered(count, milliseconds))).toBe(expected);
    expect(after((size) => size.answered(count, milliseconds), 100)).toBe(100);
    expect(after((size) => size.answered(count, milliseconds), 1000)).toBe(1000);
  });

  it('grows to 1,000, and shrinks to 10', () => {
    const size = new BatchSize();
    const sizes = Array.from({ length: 5 }, () => {
      size.answered(size.current, 1);
      return size.current;
    });
    expect(sizes).toEqual([200, 400, 800, 1000, 1000]);
    const smaller = Array.from({ length: 8 }, () => {
      size.timedOut();
      return size.current;
    });
    expect(smaller).toEqual([500, 250, 125, 63, 32, 16, 10, 10]);
  });

  it('halves when a request is refused, and grows again after one that was taken', () => {
    for (const fixed of [undefined, 100]) {
      const size = new BatchSize(fixed);
      const sizes = [100, 50, 25].map((count) => {
        size.refused(count);
        return size.current;
      });
      expect(sizes).toEqual([50, 25, 13]);
      size.answered(12, 1);
      expect(size.current).toBe(13);
      size.answered(13, 1);
      size.answered(26, 1);
      size.answered(52, 1);
      expect(size.current).toBe(fixed ?? 104);
      for (let n = 0; n < 12; n += 1) size.refused(size.current);
      expect(size.current).toBe(1);
    }
  });

  it('is at most half of what was too large, for good', () => {
    const size = new BatchSize();
    size.tooLarge(15);
    expect(size.current).toBe(8);
    size.tooLarge(1000);
    expect(size.current).toBe(8);
    size.answered(8, 1);
    expect(size.current).toBe(8);
    // It is below the smallest size that slowness leads to.
    size.timedOut();
    expect(size.current).toBe(8);
    size.tooLarge(1);
    expect(size.current).toBe(1);
    expect(after((own) => own.tooLarge(30), 30)).toBe(15);
    expect(after((own) => own.tooLarge(30), 5)).toBe(5);
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

describe('the time until status is asked', () => {
  const time = (list: Array<Parked<SendEntry>>, pause = 8000) => timeUntilQuestion(list, pause);

  it('is half a second, then two, and grows to eight', () => {
    const pauses = [FIRST_QUESTION];
    for (let n = 0; n < 4; n += 1) pauses.push(nextPause(pauses[n]));
    expect(pauses).toEqual([500, 2000, 4000, 8000, 8000]);
  });

  it('is the pause, and no longer than until the first has settled', () => {
    expect(time([parked(LOST)])).toBe(8000);
    expect(time([parked(LOST, { waited: 25_000 }), parked(LOST)])).toBe(5000);
    // At least two seconds after another question.
    expect(time([parked(LOST, { waited: 29_000 }), parked(LOST)])).toBe(2000);
    expect(time([parked(LOST, { waited: 29_900 })], FIRST_QUESTION)).toBe(100);
    expect(time([parked(LOST, { waited: 30_000 })])).toBe(8000);
    expect(time([parked(ANSWERED)])).toBe(8000);
  });
});

describe('the decision after an answer of status', () => {
  const report = { id: 1, status: 'ACCEPTED' };
  const refused = { state: 'refused', problem: PROBLEM, payload: { id: 1 } };
  const unknown = (doubt: Doubt) => ({ state: 'unknown', problem: PROBLEM, doubt });
  const WAIT = 'wait';
  const absentAt = (one: Parked<SendEntry>, waited: number, { words = 'none', isProvable = true } = {}) => {
    one.waited = waited;
    return decide(one, { kind: 'absent', words }, isProvable);
  };

  it.each([true, false])('accepts what the gateway knows, and marks what may be older (%s)', (mayBeOlder) => {
    const accepted = { state: 'accepted', report, ...(mayBeOlder && { duplicate: true }) };
    for (const doubt of [undefined, ANSWERED, LOST]) {
      expect(decide(parked(doubt, { mayBeOlder }), { kind: 'known', report }, false)).toEqual(accepted);
    }
  });

  it('refuses what was refused by a result of its own, unless the gateway has it and it did not fail', () => {
    expect(absentAt(parked(), 2000)).toEqual(refused);
    for (const kind of ['unclear', 'unanswered'] as const) {
      expect(decide(parked(), { kind }, true)).toEqual(refused);
    }
    const failed = decide(parked(), { kind: 'known', report: { id: 1, status: 'REJECTED' } }, true);
    expect(failed).toEqual(refused);
  });

  it('takes two answers, two seconds apart, for proof where the gateway answered', () => {
    const one = parked(ANSWERED);
    expect(absentAt(one, 500)).toEqual(WAIT);
    expect(absentAt(one, 2499)).toEqual(WAIT);
    expect(absentAt(one, 2500)).toEqual('notTaken');
  });

  it('needs the same answer both times, with nothing in between', () => {
    const one = parked(ANSWERED);
    expect(absentAt(one, 500, { words: 'down' })).toEqual(WAIT);
    expect(absentAt(one, 2500)).toEqual(WAIT);
    expect(decide(one, { kind: 'unclear' }, true)).toEqual(WAIT);
    expect(absentAt(one, 4500)).toEqual(WAIT);
    expect(absentAt(one, 6500)).toEqual('notTaken');
  });

  it('keeps the first answer where the next question brings none', () => {
    const one = parked(ANSWERED);
    expect(absentAt(one, 500)).toEqual(WAIT);
    expect(decide(one, { kind: 'unanswered' }, true)).toEqual(WAIT);
    expect(absentAt(one, 2500)).toEqual('notTaken');
  });

  it('takes none for proof until 30 seconds after the break', () => {
    const one = parked(LOST);
    expect([500, 2500, 29_999].map((waited) => absentAt(one, waited))).toEqual([WAIT, WAIT, WAIT]);
    expect(absentAt(one, 30_000)).toEqual('notTaken');
  });

  it('proves nothing for a request that ran into the time limit, or where status is not known to tell', () => {
    const late: Doubt = { kind: 'late', leftAt: 0 };
    const one = parked(late);
    absentAt(one, 20_000);
    expect(absentAt(one, 30_000)).toEqual(unknown(late));
    const other = parked(ANSWERED);
    absentAt(other, 500, { isProvable: false });
    expect(absentAt(other, 2500, { isProvable: false })).toEqual(unknown(ANSWERED));
    const repeat = parked(ANSWERED, { isRepeat: true });
    absentAt(repeat, 500);
    expect(absentAt(repeat, 2500)).toEqual(unknown(ANSWERED));
  });

  it.each([
    [ANSWERED, 0],
    [LOST, 30_000],
  ])('leaves open what brings no usable answer four times when the gateway is done: %j', (doubt, waited) => {
    const one = parked(doubt, { waited });
    const decisions = Array.from({ length: 4 }, () => decide(one, { kind: 'unanswered' }, true));
    expect(decisions).toEqual([WAIT, WAIT, WAIT, unknown(doubt)]);
    const early = parked(LOST);
    for (let n = 0; n < 9; n += 1) expect(decide(early, { kind: 'unclear' }, true)).toEqual(WAIT);
    const left = parked(doubt, { waited });
    for (let n = 0; n < 9; n += 1) expect(decide(left, { kind: 'notAsked' }, true)).toEqual(WAIT);
  });
});
