import fc from '../../support/generated.mts';

import { isHooked } from '../../../nodes/MessagingGateway/delivery-wait/settings.ts';

it('has five messages of a run at most called back, fewer of a large one, spread evenly, the last one included', () => {
  const most = (count: number) => Math.max(1, Math.min(count, 5, Math.floor(16_000 / count)));
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 40_000 })), (count) => {
      const indices = Array.from({ length: count }, (_, i) => i).filter((i) => isHooked(i, count));
      expect(indices).toHaveLength(most(count));
      expect(indices.at(-1)).toBe(count - 1);
      const steps = indices.map((index, i) => index - (indices[i - 1] ?? -1));
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
    }),
  );
});
