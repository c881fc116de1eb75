/** How long the client waits, and how large its requests are: what a user is told of both, and no step between. */
import fc from '../../support/generated.mts';

import { BatchSize } from '../../../nodes/gateway/client/batch-size.ts';
import { Patience } from '../../../nodes/gateway/client/patience.ts';
import { backOff } from '../../../nodes/gateway/client/timing.ts';

const BUSY = { kind: 'http', status: 429 } as const;

describe('waits before another try', () => {
  it('none follows where the address or the certificate can not be right', () => {
    const waiting = backOff();
    const unreached = (code: string) => waiting({ problem: { kind: 'unreachable', code } });
    expect(unreached('ENOTFOUND')).toBeUndefined();
    expect(waiting({ problem: { kind: 'tls', code: 'CERT_HAS_EXPIRED' } })).toBeUndefined();
    expect(unreached('ECONNREFUSED')).toBeGreaterThan(0);
  });

  it.each([
    ['asks for patience', BUSY, 120_000],
    ['can not be reached', { kind: 'unreachable', code: 'ECONNREFUSED' } as const, 15_000],
  ])('they become longer, and end after a while, where the gateway %s', (_, problem, limitMs) => {
    const waiting = backOff();
    const waits = Array.from({ length: 50 }, () => waiting({ problem })).filter((ms) => ms !== undefined);
    expect(waits[1]).toBeGreaterThan(waits[0]);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(Math.max(...waits)).toBeLessThanOrEqual(15_000);
    const sum = waits.reduce((total, ms) => total + ms);
    expect(sum).toBeLessThanOrEqual(limitMs);
    expect(sum + 15_000).toBeGreaterThan(limitMs / 2);
  });

  it('they are as long as the gateway asks, unless that is beyond the limit', () => {
    const waiting = backOff();
    expect([3, 60, 54].map((retryAfter) => waiting({ problem: BUSY, retryAfter }))).toEqual([
      ...[3000, 60_000, 54_000],
    ]);
    expect(backOff()({ problem: BUSY, retryAfter: 120 })).toBe(120_000);
    expect(backOff()({ problem: BUSY, retryAfter: 121 })).toBeUndefined();
  });
});

it('a limiter holds for the time that it named last, whatever else is refused meanwhile', () => {
  const patience = new Patience();
  expect([120, 121].map((retryAfter) => patience.refused({ problem: BUSY, retryAfter }))).toEqual([
    false,
    true,
  ]);
  patience.refused({ problem: BUSY, retryAfter: 5 });
  patience.refused({ problem: { kind: 'envelope', text: 'Zorble' } });
  patience.waited(4999);
  expect(patience.isLimited).toBe(true);
  patience.waited(1);
  expect(patience.isLimited).toBe(false);
});

describe('the size of a request', () => {
  const full = (size: BatchSize, milliseconds: number) => size.answered(size.current, milliseconds);
  const repeat = (size: BatchSize, change: (size: BatchSize) => void) => {
    for (let i = 0; i < 12; i++) change(size);
    return size.current;
  };

  it('it begins at 100, or where the user says', () => {
    expect([undefined, 7].map((fixed) => new BatchSize(fixed).current)).toEqual([100, 7]);
  });

  it('it grows to 1,000 while answers are quick, shrinks to 10 while they are slow, and stays in between', () => {
    const size = new BatchSize();
    full(size, 1500);
    expect(size.current).toBe(100);
    expect(repeat(size, (one) => full(one, 1))).toBe(1000);
    full(size, 60_000);
    expect(size.current).toBeLessThan(1000);
    expect(repeat(size, (one) => one.timedOut())).toBe(10);
    expect(repeat(size, (one) => full(one, 500))).toBe(1000);
  });

  it.each([
    ['quarter of a second', 249, 400, 100],
    ['time in which it grows fourfold', 250, 200, 100],
    ['second', 999, 200, 100],
    ['time in which it grows', 1000, 100, 100],
    ['time in which it stays', 3000, 100, 100],
    ['time after which it shrinks', 3001, 50, 100],
    ['moment, of a request that was not full', 1, 100, 99],
  ])('it grows only after a full one that was answered in time: a %s', (_, milliseconds, next, count) => {
    const size = new BatchSize();
    size.answered(count, milliseconds);
    expect(size.current).toBe(next);
  });

  it('it is half of what was too large, and no less', () => {
    for (const [count, half] of [
      [100, 50],
      [99, 50],
      [1, 1],
    ]) {
      const size = new BatchSize();
      size.tooLarge(count);
      full(size, 1);
      expect([size.current, size.largest]).toEqual([half, half]);
    }
  });

  it('it stays where the user set it, however quick or slow answers are', () => {
    const size = new BatchSize(50);
    for (const milliseconds of [1, 500, 2000, 60_000]) full(size, milliseconds);
    size.timedOut();
    expect(size.current).toBe(50);
  });

  it('it is smaller after each refusal, down to one, and comes back with what is taken', () => {
    for (const fixed of [undefined, 100]) {
      const size = new BatchSize(fixed);
      const sizes = [1, 2, 3].map(() => {
        size.refused(size.current);
        return size.current;
      });
      expect([100, ...sizes].sort((a, b) => b - a)).toEqual([100, ...new Set(sizes)]);
      expect(repeat(size, (one) => one.refused(one.current))).toBe(1);
      // A part of a request that was taken says nothing of a whole one.
      size.refused(40);
      expect(repeat(size, (one) => full(one, 1))).toBe(fixed ?? 1000);
      size.answered(size.current - 1, 1);
      expect(size.current).toBe(fixed ?? 1000);
    }
  });

  it('it never comes back to what was too large', () => {
    const size = fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined });
    const change = fc.constantFrom<Array<(size: BatchSize) => void>>(
      (one) => full(one, 1),
      (one) => one.timedOut(),
      (one) => one.refused(one.current),
      (one) => one.answered(1, 1),
    );
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 2000 }), fc.array(change), (fixed, count, changes) => {
        const one = new BatchSize(fixed);
        one.tooLarge(count);
        for (const apply of changes) apply(one);
        expect(one.current).toBeGreaterThanOrEqual(1);
        expect(one.current).toBeLessThanOrEqual(Math.max(1, count - 1));
      }),
    );
  });
});
