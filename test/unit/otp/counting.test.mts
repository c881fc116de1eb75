import fc from 'fast-check';

import { AttemptMemory } from '../../../nodes/gateway/otp/attempt-memory.ts';
import type { Fence } from '../../../nodes/gateway/otp/fence-memory.ts';
import { FenceMemory, HOUR_MS } from '../../../nodes/gateway/otp/fence-memory.ts';
import { slotsOf, TakenSlots } from '../../../nodes/gateway/otp/fence-slots.ts';

const MINUTE_MS = 60_000;

describe('attempts in memory', () => {
  const claim = (memory: AttemptMemory, isRight: boolean, most = 5, now = 0) =>
    memory.claim('a', { isRight, most, now, keepUntil: now + HOUR_MS });

  it('are counted up to the limit, the right one closes the chain', () => {
    const memory = new AttemptMemory();
    expect(claim(memory, false)).toEqual({ attempt: 1 });
    expect(claim(memory, true)).toEqual({ attempt: 2 });
    expect(memory.closedBy('a')).toBe('used');
    expect(claim(memory, true)).toEqual({ refused: 'used' });
    const other = new AttemptMemory();
    for (let n = 1; n <= 5; n += 1) expect(claim(other, false)).toEqual({ attempt: n });
    expect(claim(other, true)).toEqual({ refused: 'too_many_attempts' });
  });

  it('are taken back where they could not be recorded', () => {
    const memory = new AttemptMemory();
    claim(memory, true);
    memory.release('a', true);
    expect(claim(memory, true)).toEqual({ attempt: 1 });
  });

  it('are kept while a challenge of the chain may come, and forgotten after that', () => {
    const memory = new AttemptMemory();
    claim(memory, false);
    memory.keep('a', 3 * HOUR_MS);
    for (let n = 0; n < 20; n += 1) {
      memory.claim(`b${n}`, { isRight: false, most: 5, now: 2 * HOUR_MS, keepUntil: 9 * HOUR_MS });
    }
    expect(claim(memory, false, 5, 2 * HOUR_MS)).toEqual({ attempt: 2 });
    for (let n = 0; n < 20; n += 1) {
      memory.claim(`c${n}`, { isRight: false, most: 5, now: 8 * HOUR_MS, keepUntil: 9 * HOUR_MS });
    }
    expect(claim(memory, false, 5, 8 * HOUR_MS)).toEqual({ attempt: 1 });
  });

  it('do not grow beyond a bound', () => {
    const memory = new AttemptMemory(100);
    for (let n = 0; n < 1000; n += 1) {
      memory.claim(String(n), { isRight: true, most: 5, now: 0, keepUntil: HOUR_MS });
    }
    const kept = Array.from({ length: 1000 }, (_, n) => memory.closedBy(String(n))).filter(Boolean);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(memory.closedBy('999')).toBe('used');
  });
});

const fence = (more: Partial<Fence> = {}): Fence => ({
  reason: 'number_limit',
  name: 'n',
  limit: 5,
  periodMs: HOUR_MS,
  ...more,
});

describe('fences in memory', () => {
  it('never let more than the limit through in any period, and refuse until the next is free', () => {
    const fences = [fence({ reason: 'cooldown', limit: 1, periodMs: 30_000 }), fence()];
    const steps = fc.array(fc.integer({ min: 0, max: 20 * MINUTE_MS }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(steps, (pauses) => {
        const memory = new FenceMemory();
        const sent: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const refusal = memory.reserve(fences, now);
          for (const { limit, periodMs } of fences) {
            const within = sent.filter((time) => time > now - periodMs).length;
            if (!refusal) expect(within).toBeLessThan(limit);
          }
          if (refusal) expect(refusal.retryAfterMs).toBeGreaterThan(0);
          else sent.push(now);
        }
      }),
    );
  });

  it('let a code through after the time that they say', () => {
    const memory = new FenceMemory();
    for (let n = 0; n < 5; n += 1) expect(memory.reserve([fence()], n * MINUTE_MS)).toBeUndefined();
    const refusal = memory.reserve([fence()], 10 * MINUTE_MS);
    expect(refusal).toEqual({ reason: 'number_limit', limit: 5, retryAfterMs: 50 * MINUTE_MS });
    expect(memory.reserve([fence()], 60 * MINUTE_MS - 1)).toBeDefined();
    expect(memory.reserve([fence()], 60 * MINUTE_MS)).toBeUndefined();
  });

  it('count nothing that was taken back', () => {
    const memory = new FenceMemory();
    for (let n = 0; n < 50; n += 1) {
      expect(memory.reserve([fence()], n)).toBeUndefined();
      memory.release([fence()], n);
    }
  });

  it('do not grow beyond a bound', () => {
    const memory = new FenceMemory(100);
    for (let n = 0; n < 1000; n += 1) memory.reserve([fence({ name: String(n), limit: 1 })], n);
    const kept = Array.from({ length: 1000 }, (_, n) => memory.reserve([fence({ name: String(n), limit: 1 })], 1000));
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(100);
  });
});

describe('the slots of a fence', () => {
  /** A record that is shared and only grows, as n8n's does, and processes that forget everything. */
  const send = async (recorded: Set<string>, taken: TakenSlots, one: Fence, now: number): Promise<boolean> => {
    const slot = await taken.take(slotsOf(one, now), now, async (names) => {
      const known = new Set(names.filter((name) => recorded.has(name)));
      for (const name of names) recorded.add(name);
      return await Promise.resolve(known);
    });
    return slot !== undefined;
  };

  it.each([1, 5, 7, 100])('are enough for all codes that the memory lets through: %i an hour', async (limit) => {
    const one = fence({ limit });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: HOUR_MS / 2 }), { maxLength: 4 * limit }), async (pauses) => {
        const memory = new FenceMemory();
        const taken = new TakenSlots();
        const recorded = new Set<string>();
        let now = 1_700_000_000_000;
        for (const pause of pauses) {
          now += pause;
          if (memory.reserve([one], now) === undefined) expect(await send(recorded, taken, one, now)).toBe(true);
        }
      }),
      { numRuns: limit > 10 ? 10 : 100 },
    );
  });

  it('let no burst through after a restart: the limit, and then one code in each part of the hour', async () => {
    const recorded = new Set<string>();
    const start = 1_700_000_000_000;
    let sent = 0;
    for (let now = start; now < start + HOUR_MS; now += 10_000) {
      // A process that knows nothing tries all the time.
      if (await send(recorded, new TakenSlots(), fence(), now)) sent += 1;
      const parts = Math.ceil((now - start + 1) / (HOUR_MS / 5));
      expect(sent).toBeLessThanOrEqual(5 + parts);
    }
    expect(sent).toBeGreaterThanOrEqual(9);
  });

  it('are found in few steps among many', async () => {
    const recorded = new Set<string>();
    const one = fence({ limit: 1000 });
    const now = 1_700_000_000_000;
    const first = new TakenSlots();
    for (let n = 0; n < 700; n += 1) expect(await send(recorded, first, one, now)).toBe(true);
    let steps = 0;
    const slot = await new TakenSlots().take(slotsOf(one, now), now, async (names) => {
      steps += 1;
      return await Promise.resolve(new Set(names.filter((name) => recorded.has(name))));
    });
    expect(slot).toEqual(expect.any(String));
    expect(steps).toBeLessThanOrEqual(10);
    expect(steps).toBeGreaterThan(1);
  });
});
