import { isHooked } from '../../../nodes/MessagingGateway/delivery-wait/settings.ts';

it.each([
  [1, [0]],
  [5, [0, 1, 2, 3, 4]],
  [6, [5]],
  [20_000, [19_999]],
])('of %i messages that wait, has few called back: %j', (count, expected) => {
  const indices = Array.from({ length: count }, (_, i) => i);
  expect(indices.filter((i) => isHooked(i, count))).toEqual(expected);
});
