import fc from 'fast-check';

import { isHooked, MOST_HOOKED } from '../../../nodes/MessagingGateway/waiting/hooked.ts';

const hooked = (count: number) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => isHooked(i, count));

it('gives each of a few messages the callback address, five of some hundred, and one of many', () => {
  for (let count = 1; count <= MOST_HOOKED; count++) expect(hooked(count)).toHaveLength(count);
  expect(hooked(6)).toEqual([1, 2, 3, 4, 5]);
  expect(hooked(100)).toEqual([19, 39, 59, 79, 99]);
  expect(hooked(10_000)).toEqual([4999, 9999]);
  expect(hooked(20_000)).toEqual([19_999]);
  expect(hooked(100_000)).toEqual([99_999]);
});

it('spreads them over the run, the last one included', () => {
  fc.assert(
    fc.property(fc.integer({ min: MOST_HOOKED, max: 30_000 }), (count) => {
      const indices = hooked(count);
      if (count <= 5000) expect(indices).toHaveLength(MOST_HOOKED);
      else expect((indices.length - 1) * count).toBeLessThan(25_000);
      expect(indices.at(-1)).toBe(count - 1);
      const steps = indices.map((index, i) => index - (indices[i - 1] ?? -1));
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
    }),
  );
});
