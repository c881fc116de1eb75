/** Windows by the wall clock, against Intl: generated windows, zones and moments, most of them around changes of clocks. */
import fc from '../../support/generated.mts';

import { countryOf } from '../../../nodes/gateway/numbers/countries.ts';
import { NUMBERING_PLANS } from '../../../nodes/gateway/numbers/numbering-plans.ts';
import type { SendWindow } from '../../../nodes/MessagingGateway/sending/window-state.ts';
import { windowState, zoneOfCountry } from '../../../nodes/MessagingGateway/sending/window-state.ts';
import { shortOrLong } from '../../support/long-form.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Zones with usual, half-hour and unusual changes, at midnight, southern, and without any. */
const ZONES = [
  ...['Europe/Kyiv', 'Europe/London', 'America/New_York', 'America/Los_Angeles', 'Australia/Lord_Howe'],
  ...[
    'Africa/Cairo',
    'Asia/Beirut',
    'America/Havana',
    'America/Santiago',
    'Africa/Casablanca',
    'Pacific/Auckland',
  ],
  ...[
    'Asia/Kathmandu',
    'Asia/Tokyo',
    'America/St_Johns',
    'Pacific/Chatham',
    'Antarctica/Troll',
    'Pacific/Apia',
  ],
];

/** When the clocks of a zone change between two moments, and what they show in minutes east of UTC: by Intl. */
function offsetsOf(zone: string, start: number, end: number): Array<[from: number, minutes: number]> {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const minutesAt = (at: number): number => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(at))!;
    return sign === undefined ? 0 : Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
  };
  const found: Array<[number, number]> = [[start, minutesAt(start)]];
  for (let day = start; day < end; day += DAY) {
    let [before, after] = [day, day + DAY];
    if (minutesAt(before) === minutesAt(after)) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (minutesAt(middle) === minutesAt(day)) before = middle;
      else after = middle;
    }
    found.push([after, minutesAt(after)]);
  }
  return found;
}

/** A window minute by minute: nothing is computed but what the clock shows. */
function windowByMinutes({ from, until, days }: SendWindow, zone: string, now: number) {
  const offsets = offsetsOf(zone, now, now + 16 * DAY);
  const isOpen = (at: number) => {
    const [, minutes] = offsets.filter(([start]) => start <= at).at(-1)!;
    const shown = new Date(at + minutes * MINUTE);
    const minute = shown.getUTCHours() * 60 + shown.getUTCMinutes();
    const day = shown.getUTCDay() || 7;
    const before = new Date(shown.getTime() - DAY).getUTCDay() || 7;
    if (from < until) return days.has(day) && minute >= from && minute < until;
    return (days.has(day) && minute >= from) || (days.has(before) && minute < until);
  };
  /** The first moment at which it is open, from `start` on. */
  const firstFrom = (start: number) => {
    if (isOpen(start)) return start;
    let at = Math.floor(start / MINUTE) * MINUTE + MINUTE;
    while (!isOpen(at)) at += MINUTE;
    return at;
  };
  return { isOpen, firstFrom };
}

const windows: fc.Arbitrary<SendWindow> = fc
  .record({
    from: fc.oneof(fc.nat(1439), fc.integer({ min: 0, max: 200 })),
    until: fc.oneof(fc.integer({ min: 0, max: 1440 }), fc.integer({ min: 0, max: 200 })),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  })
  .filter(({ from, until }) => from !== until && !(until === 0 && from === 0))
  .map(({ from, until, days }) => ({ from, until, days: new Set(days) }));

/** Moments of 2026 to 2028; most within two days of a change of clocks in the zone. */
const moments = (zone: string) => {
  const [start, end] = [Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1)];
  const changes = offsetsOf(zone, start, end)
    .slice(1)
    .map(([at]) => at);
  const anywhere = fc.integer({ min: start, max: end });
  if (changes.length === 0) return anywhere;
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * DAY, max: 2 * DAY }))
    .map(([at, off]) => at + off);
  return fc.oneof({ weight: 1, arbitrary: anywhere }, { weight: 4, arbitrary: near });
};

it.each(ZONES)('is open and opens as the clocks of %s show', (zone) => {
  fc.assert(
    fc.property(windows, moments(zone), (window, now) => {
      const { open, opensAt } = windowState(window, zone, now)!;
      const at = Date.parse(opensAt);
      const { isOpen, firstFrom } = windowByMinutes(window, zone, now);
      expect([open, at]).toEqual([isOpen(now), firstFrom(now)]);
    }),
    { numRuns: shortOrLong(100, 2000) },
  );
});

it('says when in the time of the recipient', () => {
  const window = { from: 9 * 60, until: 20 * 60, days: new Set([1, 2, 3, 4, 5, 6, 7]) };
  const at = (iso: string) => windowState(window, 'Europe/Kyiv', Date.parse(iso));
  expect(at('2026-11-25T05:30:00Z')).toEqual({ open: false, opensAt: '2026-11-25T09:00:00+02:00' });
  expect(at('2026-11-25T18:00:00Z')).toEqual({ open: false, opensAt: '2026-11-26T09:00:00+02:00' });
  expect(at('2026-06-25T18:00:00Z')).toEqual({ open: false, opensAt: '2026-06-26T09:00:00+03:00' });
  expect(at('2026-11-25T07:00:00Z')).toEqual({ open: true, opensAt: '2026-11-25T09:00:00+02:00' });
});

it.each([
  ['Europe/Kyiv', '03:30', '04:45', '2026-03-29T00:00:00Z', '2026-03-29T04:00:00+03:00'],
  ['Europe/Kyiv', '03:30', '04:15', '2026-03-29T00:00:00Z', '2026-03-29T04:00:00+03:00'],
  ['Pacific/Chatham', '03:00', '04:00', '2026-09-26T12:00:00Z', '2026-09-27T03:45:00+13:45'],
  ['America/Nuuk', '23:30', '02:00', '2026-03-28T20:00:00Z', '2026-03-29T00:00:00-01:00'],
  ['Europe/Kyiv', '03:10', '03:50', '2026-03-29T00:00:00Z', '2026-03-30T03:10:00+03:00'],
])(
  'in %s, a window from %s to %s opens with the clocks that are put forward over its beginning, or a day later',
  (...row) => {
    const [zone, from, until, now, opensAt] = row;
    const minutes = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
    const window = { from: minutes(from), until: minutes(until), days: new Set([1, 2, 3, 4, 5, 6, 7]) };
    expect(windowState(window, zone, Date.parse(now))).toEqual({ open: false, opensAt });
  },
);

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

it.each<[zone: string, times: [from: number, until: number], days: number[], now: string, opensAt: string]>([
  ['America/New_York', [60, 240], EVERY_DAY, '2027-11-07T02:40:05Z', '2027-11-07T01:00:00-04:00'],
  ['America/New_York', [60, 75], EVERY_DAY, '2027-11-07T05:59:05Z', '2027-11-07T01:00:00-05:00'],
  ['Europe/Kyiv', [180, 210], [7], '2027-10-31T00:59:05Z', '2027-10-31T03:00:00+02:00'],
])('in %s, a window of %j opens twice when clocks are put back: days %j, at %s', (...row) => {
  const [zone, [from, until], days, now, opensAt] = row;
  const window = { from, until, days: new Set(days) };
  expect(windowState(window, zone, Date.parse(now))).toEqual({ open: false, opensAt });
});

describe('the time zone of a country', () => {
  it('is told for every country that has numbers, but for those known to have several', () => {
    const isos = [...NUMBERING_PLANS.values()].flatMap(({ countries }) => Object.keys(countries));
    const untold = isos.filter((iso) => zoneOfCountry(iso) === undefined).sort();
    expect(untold.filter((iso) => !['AC', 'TA', 'XK'].includes(iso)).join(' ')).toBe(
      'AU BR CA CD CL CN EC ES FM GL ID KI MN MX NZ PF PG PT RU US',
    );
  });

  it.each([
    [380501234567, 'Europe/Kiev'],
    [447700900001, 'Europe/London'],
    [48600100200, 'Europe/Warsaw'],
    [12025550100, undefined],
    [79161234567, undefined],
  ])('of %i is %s', (phone, zone) => {
    const { iso } = countryOf(phone);
    expect(iso === null ? undefined : zoneOfCountry(iso)).toBe(zone);
  });
});
