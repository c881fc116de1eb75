/** How long the client waits, how large its requests are, and when it asks what became of them. */
import { backOff } from '../../../nodes/gateway/client/back-off.ts';
import { BatchSize } from '../../../nodes/gateway/client/batch-size.ts';
import type { Circumstances, Parked } from '../../../nodes/gateway/client/parking.ts';
import {
  decide,
  FIRST_QUESTION,
  nextPause,
  timeUntilQuestion,
} from '../../../nodes/gateway/client/parking.ts';
import type { Doubt } from '../../../nodes/gateway/client/send-result.ts';
import type { SendEntry } from '../../../nodes/gateway/client/send.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

const until = (next: () => number | undefined, most = 50): number[] => {
  const found: number[] = [];
  for (let value = next(); value !== undefined && found.length < most; value = next()) found.push(value);
  return found;
};

describe('waits before another try', () => {
  const DOWN: Problem = { kind: 'unreachable', code: 'ECONNREFUSED' };

  it('double from half a second within 15 seconds where nothing listens', () => {
    const { afterUnreachable } = backOff();
    expect(until(() => afterUnreachable(DOWN))).toEqual([500, 1000, 2000, 4000]);
  });

  it('are none where the address can not be right', () => {
    const { afterUnreachable } = backOff();
    expect(afterUnreachable({ kind: 'unreachable', code: 'ENOTFOUND' })).toBeUndefined();
    expect(afterUnreachable(DOWN)).toBe(500);
  });

  it('double up to 15 seconds within two minutes where the gateway asks for patience', () => {
    const { afterRateLimit } = backOff();
    expect(until(() => afterRateLimit())).toEqual([500, 1000, 2000, 4000, 8000, ...Array(6).fill(15_000)]);
  });

  it('are as long as the gateway asks, unless that is beyond the limit', () => {
    const { afterRateLimit } = backOff();
    expect([0.1, 3, 60, 54].map((seconds) => afterRateLimit(seconds))).toEqual([500, 3000, 60_000, 54_000]);
    expect(backOff().afterRateLimit(120)).toBe(120_000);
    expect(backOff().afterRateLimit(121)).toBeUndefined();
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

  it('of a user does not shrink because the gateway is slow', () => {
    expect(after((size) => size.timedOut(), 100)).toBe(100);
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
  reason: 'doubt',
  problem: PROBLEM,
  unanswered: 0,
  ...more,
});
const lost = (leftAt: number, more: Partial<Doubt> = {}): Doubt => ({ kind: 'lost', leftAt, ...more });

describe('the time until status is asked', () => {
  const time = (list: Array<Parked<SendEntry>>, now: number, pause = 500) =>
    timeUntilQuestion(list, { now, settling: 1000, pause });

  it('doubles from half a second to eight', () => {
    const pauses = [FIRST_QUESTION];
    for (let n = 0; n < 5; n += 1) pauses.push(nextPause(pauses[n]));
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  });

  it('is the pause, and no longer than until the first has settled', () => {
    expect(time([parked(lost(100))], 200)).toBe(500);
    expect(time([parked(lost(100)), parked(lost(0))], 700)).toBe(300);
    expect(time([parked(lost(0)), parked(lost(100))], 700)).toBe(300);
    expect(time([parked()], 700)).toBe(500);
  });

  it('is over at once where one settled while the last question was under way', () => {
    expect(time([parked(lost(0), { askedAt: 900 })], 1100)).toBe(0);
    expect(time([parked(lost(0), { askedAt: 999 })], 1000)).toBe(0);
    expect(time([parked(lost(0), { askedAt: 1000 })], 1000)).toBe(500);
    expect(time([parked(lost(0), { askedAt: 1001 })], 1001)).toBe(500);
  });

  it('is the pause where all have settled, whether they were asked about or not', () => {
    expect(time([parked(lost(0))], 1000)).toBe(500);
    expect(time([parked(lost(0))], 999)).toBe(1);
    expect(time([parked(lost(0))], 5000)).toBe(500);
  });

  it('is none for what only has to be looked up, once', () => {
    const lookup = parked(undefined, { reason: 'recognise' });
    expect(time([lookup, parked(lost(0), { reason: 'confirm' })], 0)).toBe(0);
    expect(time([parked(undefined, { reason: 'recognise', unanswered: 1 })], 0)).toBe(500);
    expect(time([lookup, parked(lost(0))], 100)).toBe(500);
  });
});

describe('the decision after an answer of status', () => {
  const SETTLED: Circumstances = { isSettled: true, canResend: true };
  const payload = { id: 1 };
  const refused = { kind: 'settled', result: { state: 'refused', problem: PROBLEM } };
  const unknown = (doubt: Doubt) => ({
    kind: 'settled',
    result: { state: 'unknown', problem: PROBLEM, doubt },
  });
  const absent = (one: Parked<SendEntry>, more: Partial<Circumstances> = {}) =>
    decide(one, { kind: 'absent' }, { ...SETTLED, ...more });
  const unanswered = (one: Parked<SendEntry>, more: Partial<Circumstances> = {}) =>
    decide(one, { kind: 'unanswered' }, { ...SETTLED, ...more });

  it('accepts what the gateway knows, and marks what it knew before', () => {
    const known = (reason: Parked<SendEntry>['reason']) =>
      decide(parked(lost(0), { reason }), { kind: 'known', payload }, { isSettled: false, canResend: false });
    const accepted = { state: 'accepted', payload };
    expect(known('doubt')).toEqual({ kind: 'settled', result: accepted });
    expect(known('confirm')).toEqual({ kind: 'settled', result: accepted });
    expect(known('recognise')).toEqual({ kind: 'settled', result: { ...accepted, duplicate: true } });
  });

  it('refuses what was refused and is absent', () => {
    expect(absent(parked(lost(0), { reason: 'confirm' }))).toEqual(refused);
    expect(absent(parked(undefined, { reason: 'recognise' }), { isSettled: false })).toEqual(refused);
  });

  it('sends again once what was lost and is absent after the settling time', () => {
    expect(absent(parked(lost(0)), { isSettled: false })).toEqual({ kind: 'wait' });
    expect(absent(parked(lost(0)))).toEqual({ kind: 'sendAgain' });
    expect(absent(parked(lost(0)), { canResend: false })).toEqual(unknown(lost(0)));
    expect(absent(parked(lost(0, { resent: true })))).toEqual(unknown(lost(0, { resent: true })));
    const late: Doubt = { kind: 'late', leftAt: 0 };
    expect(absent(parked(late))).toEqual(unknown(late));
    expect(absent(parked())).toEqual(refused);
  });

  it('leaves open what brings no usable answer four times after the settling time', () => {
    const one = parked(lost(0));
    const decisions = Array.from({ length: 4 }, () => unanswered(one));
    expect(decisions).toEqual([...Array(3).fill({ kind: 'wait' }), unknown(lost(0))]);
    expect(unanswered(parked(lost(0), { unanswered: 9 }), { isSettled: false })).toEqual({ kind: 'wait' });
    const doubtful = parked(lost(0), { unanswered: 3 });
    expect(decide(doubtful, { kind: 'unclear' }, SETTLED)).toEqual(unknown(lost(0)));
    expect(doubtful.unanswered).toBe(4);
  });

  it('refuses what could not be recognised', () => {
    expect(unanswered(parked(lost(0), { reason: 'recognise', unanswered: 3 }))).toEqual(refused);
    expect(unanswered(parked(lost(0), { reason: 'confirm', unanswered: 3 }))).toEqual(unknown(lost(0)));
    expect(unanswered(parked(undefined, { reason: 'confirm', unanswered: 3 }))).toEqual(refused);
  });
});
