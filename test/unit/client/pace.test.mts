/** How long the client waits, and how large its requests are. */
import { BatchSize } from '../../../nodes/gateway/client/batch-size.ts';
import { backOff } from '../../../nodes/gateway/client/timing.ts';

const BUSY = { kind: 'http', status: 429 } as const;

describe('waits before another try', () => {
  it('are none where the address or the certificate can not be right', () => {
    const waiting = backOff();
    const unreached = (code: string) => waiting({ problem: { kind: 'unreachable', code } });
    expect(unreached('ENOTFOUND')).toBeUndefined();
    expect(waiting({ problem: { kind: 'tls', code: 'CERT_HAS_EXPIRED' } })).toBeUndefined();
    expect(unreached('ECONNREFUSED')).toBe(500);
  });

  it('double up to 15 seconds within two minutes where the gateway asks for patience', () => {
    const waiting = backOff();
    const waits = Array.from({ length: 12 }, () => waiting({ problem: BUSY }));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, ...Array<number>(6).fill(15_000), undefined]);
  });

  it('are as long as the gateway asks, unless that is beyond the limit', () => {
    const waiting = backOff();
    const waits = [0.1, 3, 60, 54].map((retryAfter) => waiting({ problem: BUSY, retryAfter }));
    expect(waits).toEqual([500, 3000, 60_000, 54_000]);
    expect(backOff()({ problem: BUSY, retryAfter: 120 })).toBe(120_000);
    expect(backOff()({ problem: BUSY, retryAfter: 121 })).toBeUndefined();
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
