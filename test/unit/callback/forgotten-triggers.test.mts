/** What a trigger remembers is over a day after its last call. */
import { SeenEvents } from '../../../nodes/gateway/callback/seen.ts';

const event = { success: true, id: 1, status: 'DELIVERED', outcome: 'delivered', final: true } as never;

afterEach(() => jest.useRealTimers());

it('is over a day after the last call, and not before', () => {
  jest.useFakeTimers({ now: 0 });
  const seen = new SeenEvents();
  seen.add([event]);
  jest.setSystemTime(23 * 3_600_000);
  expect(seen.isOver).toBe(false);
  seen.add([]);
  jest.setSystemTime(25 * 3_600_000);
  expect(seen.isOver).toBe(false);
  jest.setSystemTime(48 * 3_600_000);
  expect(seen.isOver).toBe(true);
});
