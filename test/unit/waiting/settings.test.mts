import fc from 'fast-check';

import { isHooked, MOST_HOOKED } from '../../../nodes/MessagingGateway/waiting/settings.ts';

const hooked = (count: number) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => isHooked(i, count));

it('gives each of a few messages the callback address, five of some hundred, and one of many', () => {
  for (let count = 1; count <= MOST_HOOKED; count++) expect(hooked(count)).toHaveLength(count);
  expect(hooked(6)).toEqual([1, 2, 3, 4, 5]);
  expect(hooked(100)).toEqual([19, 39, 59, 79, 99]);
  expect(hooked(8000)).toEqual([3999, 7999]);
  expect(hooked(8001)).toEqual([8000]);
  expect(hooked(100_000)).toEqual([99_999]);
});

it('spreads them over the run, the last one included', () => {
  fc.assert(
    fc.property(fc.integer({ min: MOST_HOOKED, max: 40_000 }), (count) => {
      const indices = hooked(count);
      expect(indices).toHaveLength(Math.max(1, Math.min(MOST_HOOKED, Math.floor(16_000 / count))));
      expect(indices.at(-1)).toBe(count - 1);
      const steps = indices.map((index, i) => index - (indices[i - 1] ?? -1));
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
    }),
  );
});
