/** Places of limits, in the memory of a process and in a record that others share: how many codes pass, and what stays. */
import fc from '../../support/generated.mts';

import type { Limit, NameRecord } from '../../../nodes/MessagingGateway/otp/places.ts';
import { HOUR_MS, hourly, Places } from '../../../nodes/MessagingGateway/otp/places.ts';

const NOW = 1_700_000_000_000;
const LOCKED = new Error('locked');

/** A record that several processes share, as n8n's store is. */
class SharedRecord implements NameRecord {
  readonly names = new Set<string>();

  /** Names that were asked for, as they came. */
  readonly asked: string[] = [];

  /** Which call of `add` fails, from 1. */
  failingCall = 0;

  canRemove = true;

  async add(name: string): Promise<boolean> {
    this.asked.push(name);
    await Promise.resolve();
    if (this.asked.length === this.failingCall) throw LOCKED;
    const isNew = !this.names.has(name);
    this.names.add(name);
    return isNew;
  }

  async remove(names: readonly string[]): Promise<boolean> {
    await Promise.resolve();
    if (this.canRemove) for (const name of names) this.names.delete(name);
    return this.canRemove;
  }
}

const FIVE: Limit = { reason: 'number_limit', name: 'number', most: 5 };
const ONE: Limit = { reason: 'workflow_limit', name: 'workflow', most: 1 };

let record: SharedRecord;
let places: Places;

beforeEach(() => {
  record = new SharedRecord();
  places = new Places();
});

const take = async (limits: readonly Limit[] = [FIVE], now = NOW, by = places) =>
  await by.take(limits, now, record);

it('Of simultaneous codes, as many pass as there are places.', async () => {
  const all = await Promise.all(Array.from({ length: 7 }, async () => await take()));
  const taken = [1, 2, 3, 4, 5].map((n) => [`number ${n}`]);
  expect(all).toEqual([...taken, FIVE, FIVE]);
  expect(places.left(FIVE)).toBe(0);
});

it('Whichever processes take and give back, in any order, together they have as many places as there are.', async () => {
  const deeds = fc.array(fc.record({ process: fc.nat({ max: 2 }), givesBack: fc.boolean() }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(deeds, async (plan) => {
      record = new SharedRecord();
      const processes = [new Places(), new Places(), new Places()];
      const held: Array<[by: Places, taken: string[]]> = [];
      for (const { process, givesBack } of plan) {
        const [by, taken] = held[0] ?? [];
        if (givesBack && by) {
          held.shift();
          await by.giveBack(taken, record);
        } else {
          const next = await take([FIVE], NOW, processes[process]);
          if (Array.isArray(next)) held.push([processes[process], next]);
        }
        expect(new Set(held.flatMap(([, names]) => names)).size).toBe(held.length);
        expect(record.names.size).toBe(held.length);
      }
    }),
  );
});

it('A process that has just started goes on where another one ended, and asks no more than it has to.', async () => {
  for (let n = 0; n < 4; n += 1) await take();
  const fresh = new Places();
  expect(await take([FIVE], NOW, fresh)).toEqual(['number 5']);
  expect(await take([FIVE], NOW, fresh)).toBe(FIVE);
  expect(fresh.left(FIVE)).toBe(0);
  expect(record.asked).toHaveLength(4 + 5);
});

it('A code that a later limit refuses takes no place of an earlier one.', async () => {
  await take([ONE], NOW, new Places());
  expect(await take([FIVE, ONE])).toBe(ONE);
  expect([places.left(FIVE), record.names]).toEqual([5, new Set(['workflow 1'])]);
});

it.each([1, 2])('A code takes no place where call number %i of the record fails.', async (call) => {
  record.failingCall = call;
  await expect(take([FIVE, ONE])).rejects.toBe(LOCKED);
  expect(record.names.size).toBe(0);
  expect(await take([FIVE, ONE])).toEqual(['number 1', 'workflow 1']);
});

it('A place that the record cannot remove stays taken.', async () => {
  const taken = (await take([ONE])) as string[];
  record.canRemove = false;
  await places.giveBack(taken, record);
  expect(await take([ONE])).toBe(ONE);
  record.canRemove = true;
  await places.giveBack(taken, record);
  expect(await take([ONE])).toEqual(taken);
});

it('A limit of an hour begins anew at each full hour.', () => {
  const hour = Date.UTC(2026, 0, 1, 12);
  const names = [hour - 1, hour, hour + HOUR_MS - 1, hour + HOUR_MS].map((now) => hourly('n', now));
  expect(names[1]).toBe(names[2]);
  expect(new Set(names).size).toBe(3);
});

describe('The memory of a process', () => {
  it('keeps a name for two hours after it was taken last.', async () => {
    places.hold('number', NOW - 1);
    places.hold('number', NOW);
    expect(places.heldAt('number')).toBe(NOW);
    await take([ONE], NOW + 2 * HOUR_MS - 1);
    expect(places.heldAt('number')).toBe(NOW);
    places.hold('other', NOW + 2 * HOUR_MS);
    expect(places.heldAt('number')).toBe(-Infinity);
    expect(places.left(ONE)).toBe(0);
  });

  it('keeps the last 200,000 names.', () => {
    for (let n = 0; n <= 200_000; n += 1) places.hold(`${n}`, NOW);
    expect(['0', '1', '200000'].map((name) => places.heldAt(name))).toEqual([-Infinity, NOW, NOW]);
  });
});
