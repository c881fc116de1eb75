import fc from 'fast-check';

import { createIdMaker } from '../../../nodes/MessagingGateway/run/id-maker.ts';
import type { IdMakerSettings, IdMemory } from '../../../nodes/MessagingGateway/run/id-maker.ts';
import { processorTime } from '../../support/processor-time.mts';

const NOW = Date.UTC(2026, 5, 1, 12, 0, 30);
const MINUTE = 60_000;

const maker = (settings: Partial<IdMakerSettings> = {}) =>
  createIdMaker({
    instanceId: 'instance',
    executionId: '4711',
    nodeKey: 'Messaging Gateway',
    runIndex: 0,
    count: 10,
    nowMs: NOW,
    memory: {},
    ...settings,
  });

const all = (settings: Partial<IdMakerSettings> = {}) => {
  const give = maker(settings);
  return Array.from({ length: settings.count ?? 10 }, (_, i) => give(i));
};

const saved = (memory: IdMemory) => JSON.parse(JSON.stringify(memory)) as IdMemory;

describe('createIdMaker', () => {
  it('gives whole numbers from 1 to 2^53 - 1, no two alike', () => {
    fc.assert(
      fc.property(
        fc.record({
          instanceId: fc.string(),
          executionId: fc.oneof(fc.nat().map(String), fc.uuid(), fc.constant(undefined), fc.string()),
          nodeKey: fc.string(),
          runIndex: fc.nat(100),
          nowMs: fc.integer({ min: -1e12, max: 4e12 }),
          count: fc.integer({ min: 1, max: 200 }),
        }),
        (settings) => {
          const ids = all({ ...settings, memory: {} });
          for (const id of ids) {
            expect(Number.isSafeInteger(id)).toBe(true);
            expect(id).toBeGreaterThan(0);
          }
          expect(new Set(ids).size).toBe(settings.count);
        },
      ),
    );
  });

  it('gives an item the same id when the node is run again later in the same execution', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40_000), { minLength: 1, maxLength: 4 }), fc.nat(3), (counts, again) => {
        const memory: IdMemory = {};
        const step = (i: number, keep: IdMemory, nowMs: number) =>
          all({ nodeKey: `node ${i % 2}`, runIndex: i, count: counts[i], memory: keep, nowMs });
        const first = counts.map((_, i) => step(i, memory, NOW));
        const i = again % counts.length;
        expect(step(i, saved(memory), NOW + 10 * MINUTE)).toEqual(first[i]);
        expect(saved(memory)).toEqual(memory);
      }),
      { numRuns: 10 },
    );
  });

  it('never gives one id to two nodes, runs or items of an execution', () => {
    const memory: IdMemory = {};
    const ids = new Set<number>();
    let made = 0;
    for (let step = 0; step < 60; step++) {
      const count = (step * 7919) % 6000;
      made += count;
      const run = { nodeKey: `node ${step % 3}`, runIndex: Math.floor(step / 3), count, memory };
      for (const id of all({ ...run, nowMs: NOW + step * MINUTE })) ids.add(id);
    }
    expect(ids.size).toBe(made);
    expect(made).toBeGreaterThan(100_000);
  });

  it('gives more ids to a run that has more items than before, and keeps the first ones', () => {
    const memory: IdMemory = {};
    const before = all({ memory, count: 5 });
    all({ memory, nodeKey: 'other', count: 5 });
    const after = all({ memory, count: 12 });
    expect(after.slice(0, 5)).toEqual(before);
    expect(new Set(after).size).toBe(12);
  });

  it('has other ids for each execution of a minute, as far as 2^15 of them', () => {
    const ids = new Set<number>();
    for (let execution = 1_000_000; execution < 1_000_000 + 2 ** 15; execution++) {
      ids.add(maker({ executionId: String(execution), count: 1 })(0));
    }
    expect(ids.size).toBe(2 ** 15);
    // The next one meets the first: this is the bound that the module states.
    expect(ids.has(maker({ executionId: String(1_000_000 + 2 ** 15), count: 1 })(0))).toBe(true);
  });

  it('has other ids for executions with the same low bits in another minute', () => {
    const ids = Array.from({ length: 1000 }, (_, minute) =>
      maker({ executionId: String(7 + minute * 2 ** 15), count: 1, nowMs: NOW + minute * MINUTE })(0),
    );
    expect(new Set(ids).size).toBe(1000);
  });

  it('keeps a repeated execution to its ids, and gives two repetitions different new ones', () => {
    const memory: IdMemory = {};
    const first = all({ memory });
    const one = saved(memory);
    const two = saved(memory);
    expect(all({ memory: one, executionId: '5000' })).toEqual(first);
    expect(all({ memory: two, executionId: '5001' })).toEqual(first);
    const next = { nodeKey: 'next', nowMs: NOW + MINUTE };
    const ids = [
      ...first,
      ...all({ ...next, memory: one, executionId: '5000' }),
      ...all({ ...next, memory: two, executionId: '5001' }),
    ];
    expect(new Set(ids).size).toBe(30);
  });

  it('has other ids in another instance', () => {
    const here = new Set(all({ count: 1000 }));
    expect(all({ count: 1000, instanceId: 'other' }).filter((id) => here.has(id))).toEqual([]);
  });

  it('spreads ids evenly over the range and over their last digits', () => {
    const ids = all({ count: 64_000 });
    const inSixteenths = new Array<number>(16).fill(0);
    const lastBits = new Array<number>(16).fill(0);
    for (const id of ids) {
      inSixteenths[Math.floor(id / 2 ** 49)]++;
      lastBits[id % 16]++;
    }
    // 4000 each are expected, with a standard deviation of 61.
    for (const number of [...inSixteenths, ...lastBits]) expect(Math.abs(number - 4000)).toBeLessThan(370);
  });

  const bitsApart = (a: number, b: number) => (BigInt(a) ^ BigInt(b)).toString(2).replaceAll('0', '').length;

  it.each([
    ['slots', all({ count: 4000 })],
    ['minutes', Array.from({ length: 4000 }, (_, i) => maker({ count: 1, nowMs: NOW + i * MINUTE })(0))],
    ['executions', Array.from({ length: 4000 }, (_, i) => maker({ count: 1, executionId: String(i) })(0))],
  ])('changes half of the 53 bits between neighbouring %s', (_, ids) => {
    const apart = ids.slice(1).map((id, i) => bitsApart(id, ids[i]));
    const average = apart.reduce((sum, bits) => sum + bits, 0) / apart.length;
    expect(average).toBeGreaterThan(26);
    expect(average).toBeLessThan(27);
    expect(Math.min(...apart)).toBeGreaterThan(7);
  });

  it('refuses an item that no id was reserved for', () => {
    const give = maker({ count: 2 });
    for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => give(index)).toThrow(RangeError);
    expect(() => maker({ count: 0 })(0)).toThrow(RangeError);
  });

  it('makes 100,000 ids in a moment and remembers little', () => {
    const count = 100_000;
    const make = () => {
      const memory: IdMemory = {};
      const give = maker({ count, memory });
      for (let i = 0; i < count; i++) give(i);
      expect(JSON.stringify(memory).length).toBeLessThan(500);
    };
    expect(processorTime(make, 300)).toBeLessThan(300);
  });
});
