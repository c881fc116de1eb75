/** Limits of codes in the memory of a process and in a record that others share: how many pass, when, and what stays. */
import fc from '../../support/generated.mts';

import type { LimitRefusal, RateLimit, Reservation } from '../../../nodes/gateway/otp/rate-limits.ts';
import { HOUR_MS, RateLimits } from '../../../nodes/gateway/otp/rate-limits.ts';

const START = 1_700_000_000_000;
const LOCKED = new Error('locked');

/** A record that several processes share, as n8n's store is. */
class SharedRecord {
  readonly names = new Set<string>();

  readonly calls: string[][] = [];

  /** Which call fails, from 1. */
  failingCall = 0;

  readonly record = async (names: readonly string[]): Promise<ReadonlySet<string>> => {
    this.calls.push([...names]);
    await new Promise(setImmediate);
    if (this.calls.length === this.failingCall) throw LOCKED;
    const known = new Set(names.filter((name) => this.names.has(name)));
    for (const name of names) this.names.add(name);
    return known;
  };
}

const limitOf = (more: Partial<RateLimit> = {}): RateLimit => ({
  reason: 'number_limit',
  name: 'n',
  limit: 5,
  periodMs: HOUR_MS,
  ...more,
});
const COOLDOWN = limitOf({ reason: 'cooldown', limit: 1, periodMs: 30_000 });
const isPassed = (result: Reservation | LimitRefusal): result is Reservation => 'release' in result;
const pauses = (longest: number, count: number) =>
  fc.array(fc.integer({ min: 0, max: longest }), { maxLength: count });

let shared: SharedRecord;
let limits: RateLimits;

beforeEach(() => {
  shared = new SharedRecord();
  limits = new RateLimits();
});

const reserve = async (list: readonly RateLimit[] = [limitOf()], now = START, by = limits) =>
  await by.reserve(list, now, shared.record);
const passes = async (list?: readonly RateLimit[], now?: number, by?: RateLimits) =>
  isPassed(await reserve(list, now, by));

it.each([1, 5, 7, 100])(
  'A limit of %i an hour lets through exactly what it allows in any hour, at any moment.',
  async (limit) => {
    await fc.assert(
      fc.asyncProperty(pauses(HOUR_MS / 2, 3 * limit), async (steps) => {
        const one = new RateLimits();
        shared = new SharedRecord();
        const sent: number[] = [];
        let now = START;
        for (const pause of steps) {
          now += pause;
          const within = sent.filter((time) => time > now - HOUR_MS).length;
          expect(await passes([limitOf({ limit })], now, one)).toBe(within < limit);
          if (within < limit) sent.push(now);
        }
      }),
      { numRuns: limit > 10 ? 5 : 50 },
    );
  },
);

it('The refusal is that of the limit that holds longest, and holds no millisecond longer than it says.', async () => {
  const workflow = limitOf({ reason: 'workflow_limit', name: 'w', limit: 1 });
  const list = [workflow, COOLDOWN];
  expect(await passes(list)).toBe(true);
  for (const either of [list, [...list].reverse()]) {
    const refusal = { reason: 'workflow_limit', limit: 1, retryAfterMs: HOUR_MS - 1000 };
    expect(await reserve(either, START + 1000)).toEqual(refusal);
  }
  expect(await reserve([COOLDOWN], START + 1000)).toMatchObject({ reason: 'cooldown', retryAfterMs: 29_000 });
  expect(await passes(list, START + HOUR_MS - 1)).toBe(false);
  expect(await passes(list, START + HOUR_MS)).toBe(true);
});

it('A code passes limits that differ in their reason alone, and each of them counts it.', async () => {
  const list = [limitOf({ reason: 'cooldown', limit: 1 }), limitOf({ limit: 1 })];
  expect(await passes(list)).toBe(true);
  for (const one of list) expect(await passes([one], START, new RateLimits())).toBe(false);
});

it('A code that takes the place of one that was taken back in an earlier hour is known to other processes.', async () => {
  const one = limitOf({ limit: 1 });
  const passed = await reserve([one]);
  if (isPassed(passed)) passed.release();
  expect(await passes([one], START + HOUR_MS)).toBe(true);
  expect(await passes([one], START + HOUR_MS, new RateLimits())).toBe(false);
});

it('A code can be taken back under one of its names, and then stays counted under the others.', async () => {
  const list = [limitOf({ limit: 1 }), limitOf({ name: 'm', limit: 1, periodMs: Infinity })];
  const passed = await reserve(list);
  // The second time takes nothing back.
  for (const name of ['n', 'm', 'n']) if (isPassed(passed)) passed.release(name);
  expect([limits.leftOf(list[0], START), limits.leftOf(list[1], START)]).toEqual([1, 0]);
  expect(await passes([list[0]])).toBe(true);
  expect(await reserve([list[1]])).toEqual({ reason: 'number_limit', limit: 1, retryAfterMs: Infinity });
});

it('A code that a later limit refuses counts under none of them.', async () => {
  const workflow = limitOf({ reason: 'workflow_limit', name: 'w', limit: 1 });
  // Another process has sent the one code of the workflow.
  expect(await passes([workflow], START, new RateLimits())).toBe(true);
  expect(await reserve([COOLDOWN, workflow])).toMatchObject({ reason: 'workflow_limit', limit: 1 });
  expect(await passes([COOLDOWN])).toBe(true);
});

it.each([1, 2])('A code whose record number %i fails counts under none of its limits.', async (call) => {
  const list = [COOLDOWN, limitOf({ limit: 1 })];
  shared.failingCall = call;
  await expect(reserve(list)).rejects.toBe(LOCKED);
  expect(await passes(list)).toBe(true);
});

it('A refusal of a process that has just started says when the next code passes.', async () => {
  for (let n = 0; n < 5; n += 1) await reserve();
  const refusal = await reserve([limitOf()], START, new RateLimits());
  const { retryAfterMs } = refusal as LimitRefusal;
  expect(retryAfterMs).toBeLessThanOrEqual(HOUR_MS / 5);
  expect(await passes([limitOf()], START + retryAfterMs - 1, new RateLimits())).toBe(false);
  expect(await passes([limitOf()], START + retryAfterMs, new RateLimits())).toBe(true);
});

it('Simultaneous codes from both sides of the moment at which a slot opens come to an end, where all slots are taken.', async () => {
  for (let n = 0; n < 5; n += 1) await reserve();
  const refusal = await reserve([limitOf()], START, new RateLimits());
  const opens = START + (refusal as LimitRefusal).retryAfterMs;
  for (let n = 0; n < 5; n += 1) await reserve([limitOf()], opens, new RateLimits());
  const fresh = new RateLimits();
  const before = shared.calls.length;
  const times = [opens - 1, opens, opens - 1, opens];
  const results = await Promise.all(times.map(async (now) => await passes([limitOf()], now, fresh)));
  expect(results).toEqual(times.map(() => false));
  expect(shared.calls.length - before).toBeLessThanOrEqual(24);
});

it('The codes that are left are those that the record knows of, where it knows of more than the memory.', async () => {
  for (let n = 0; n < 3; n += 1) await reserve();
  const fresh = new RateLimits();
  expect(await passes([limitOf()], START, fresh)).toBe(true);
  expect(fresh.leftOf(limitOf(), START)).toBe(1);
  expect(fresh.leftOf(limitOf(), START + HOUR_MS)).toBe(5);
});

it('A large limit is recorded in ten parts, and simultaneous codes of a process fill it to the last.', async () => {
  const large = limitOf({ limit: 200 });
  const results = await Promise.all(Array.from({ length: 201 }, async () => await passes([large])));
  expect(results.filter(Boolean)).toHaveLength(200);
  expect(new Set(shared.calls.map(({ length }) => length))).toEqual(new Set([20]));
  // Nothing is spare: another process finds no slot.
  expect(shared.names.size).toBe(200);
  expect(await passes([large], START, new RateLimits())).toBe(false);
});

describe('The memory', () => {
  it('keeps a name for as long as somebody looks at it every two hours.', async () => {
    await reserve([limitOf({ periodMs: Infinity })]);
    for (let hours = 1; hours < 5; hours += 1) {
      const now = START + hours * HOUR_MS;
      expect(limits.leftOf(limitOf({ periodMs: Infinity }), now)).toBe(4);
      await reserve([limitOf({ name: 'other' })], now);
    }
  });

  it('forgets a name two hours after somebody looked at it for the last time.', async () => {
    const endless = limitOf({ periodMs: Infinity });
    for (const [hours, left] of [
      [3, 4],
      [3.1, 5],
    ]) {
      shared = new SharedRecord();
      limits = new RateLimits();
      await reserve([endless]);
      expect(limits.leftOf(endless, START + HOUR_MS)).toBe(4);
      const now = START + hours * HOUR_MS;
      await reserve([limitOf({ name: 'other' })], now);
      expect(limits.leftOf(endless, now)).toBe(left);
    }
  });

  it('holds as many codes of a name as the largest limit allows, and no more.', async () => {
    const free = [limitOf({ limit: Infinity })];
    const first = await reserve(free);
    for (let n = 1; n < 2000; n += 1) await reserve(free, START + 1);
    expect(await reserve([limitOf({ limit: 2000 })], START + 1)).toMatchObject({ limit: 2000 });
    for (let n = 0; n < 9; n += 1) await reserve(free, START + 1);
    // What isn't held any more takes nothing away.
    if (isPassed(first)) first.release();
    expect(limits.leftOf(limitOf({ limit: 3000 }), START + 1)).toBe(1000);
  });
});
