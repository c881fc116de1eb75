import fc from '../../support/generated.mts';

import { retryAfterSeconds } from '../../../nodes/gateway/errors/classify.ts';

/** One second before the date of RFC 9110's examples. */
const NOW = Date.UTC(1994, 10, 6, 8, 49, 36);

it.each<[seconds: number, ...headers: unknown[]]>([
  [0, '0', 'Sun, 06 Nov 1994 08:49:30 GMT'],
  [120, '120'],
  [7, ' 7 '],
  [1.5, '1.5'],
  [30, 30],
  [1, 'Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
  [3600, 'Sun, 06 Nov 1994 09:49:36 GMT'],
])('reads %d seconds in %j, and rounds the rest of a second up', (seconds, ...headers) => {
  for (const header of headers)
    for (const late of [0, 1, 999])
      expect([header, retryAfterSeconds(header, NOW + late)]).toEqual([header, seconds]);
});

it.each([
  ...[undefined, null, '', ' ', '-5', -5, Number.NaN, Infinity, '1e9', '0x10', 'soon', 'May 5', '5 apples'],
  ...['Sun, 99 Nov 1994 08:49:37 GMT', '9'.repeat(40), ['120'], {}],
])('says nothing for %p', (header) => expect(retryAfterSeconds(header, NOW)).toBeUndefined());

it('returns a number that can be waited for, or nothing, whatever the header holds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.anything(), fc.date().map(String)), (header) => {
      const seconds = retryAfterSeconds(header, NOW) ?? 0;
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(seconds)).toBe(true);
    }),
  );
});
