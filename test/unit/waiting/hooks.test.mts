import fc from 'fast-check';

import { isHooked, MOST_HOOKED } from '../../../nodes/MessagingGateway/waiting/hooks.ts';

const hooked = (count: number) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => isHooked(i, count));

it('gives each of a few messages the callback address, and five of many', () => {
  for (let count = 1; count <= MOST_HOOKED; count++) expect(hooked(count)).toHaveLength(count);
  expect(hooked(6)).toEqual([0, 1, 3, 4, 5]);
  expect(hooked(20_001)).toEqual([0, 5000, 10_000, 15_000, 20_000]);
});

it('spreads them over the run, the first and the last one included', () => {
  fc.assert(
    fc.property(fc.integer({ min: MOST_HOOKED + 1, max: 5000 }), (count) => {
      const indices = hooked(count);
      expect(indices).toHaveLength(MOST_HOOKED);
      expect(indices.at(0)).toBe(0);
      expect(indices.at(-1)).toBe(count - 1);
      const steps = indices.slice(1).map((index, i) => index - indices[i]);
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
    }),
  );
});
