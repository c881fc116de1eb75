import fc from 'fast-check';

import {
  isHooked,
  MOST_HOOKED,
  MOST_HOOKED_OF_MANY,
} from '../../../nodes/MessagingGateway/waiting/hooked.ts';

const hooked = (count: number) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => isHooked(i, count));

it('gives each of a few messages the callback address, five of some hundred, and two of many', () => {
  for (let count = 1; count <= MOST_HOOKED; count++) expect(hooked(count)).toHaveLength(count);
  expect(hooked(6)).toEqual([1, 2, 3, 4, 5]);
  expect(hooked(100)).toEqual([19, 39, 59, 79, 99]);
  expect(hooked(20_000)).toEqual([9999, 19_999]);
});

it('spreads them over the run, the last one included', () => {
  fc.assert(
    fc.property(fc.integer({ min: MOST_HOOKED, max: 12_000 }), (count) => {
      const indices = hooked(count);
      expect(indices).toHaveLength(count > 5000 ? MOST_HOOKED_OF_MANY : MOST_HOOKED);
      expect(indices.at(-1)).toBe(count - 1);
      const steps = indices.map((index, i) => index - (indices[i - 1] ?? -1));
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
    }),
  );
});
