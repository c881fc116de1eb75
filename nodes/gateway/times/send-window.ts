import { DateTime, IANAZone } from 'luxon';

import { COUNTRY_ZONES } from './country-zones';

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

/** The times of a week at which people may be written to, by the clock on their wall. */
export interface SendWindow {
  /** Minutes after midnight. */
  from: number;

  /** The same; the window ends before this minute. Smaller than `from` where it goes over midnight. */
  until: number;

  /** The days on which it opens: 1 is Monday, 7 is Sunday. */
  days: ReadonlySet<number>;
}

/** Whether a window is open, and the moment from which it is: this one, or the next one. ISO 8601 with the zone's offset. */
export interface WindowState {
  open: boolean;
  opensAt: string;
}

const ZONE_OF = new Map(
  COUNTRY_ZONES.trim()
    .split('\n')
    .map((line) => line.split(' ') as [iso: string, zone: string]),
);

/** Returns the time zone of a country by its ISO code; undefined where its clocks show different times. */
export const zoneOfCountry = (iso: string): string | undefined => ZONE_OF.get(iso);

/** Whether a text names a time zone, such as Europe/Kyiv. */
export const isZone = (name: string): boolean => IANAZone.isValidZone(name);

/**
 * Returns the state of a window in a time zone. The wall clock alone decides: of a minute that comes twice, when clocks are
 * put back, both are in the window; a minute that is left out, when they are put forward, ends with the first one after it.
 * `now` is in milliseconds since 1970. Undefined for a window that opens on none of the next 15 days.
 */
export function windowState(window: SendWindow, zoneName: string, now: number): WindowState | undefined {
  const zone = IANAZone.create(zoneName);
  const isoOf = (at: number) => DateTime.fromMillis(at, { zone }).toISO({ suppressMilliseconds: true }) ?? '';
  if (isOpen(window, zone, now)) return { open: true, opensAt: isoOf(now) };
  const next = openingsAfter(window, zone, now).filter((at) => at > now && isOpen(window, zone, at));
  return next.length === 0 ? undefined : { open: false, opensAt: isoOf(Math.min(...next)) };
}

/** The minute of the day and the day of the week that a clock in a zone shows, 1 for Monday. */
function clockAt(zone: IANAZone, at: number): { minute: number; day: number } {
  const shown = at + zone.offset(at) * MINUTE_MS;
  const days = Math.floor(shown / DAY_MS);
  // 1 January 1970 was a Thursday.
  return { minute: Math.floor((shown - days * DAY_MS) / MINUTE_MS), day: ((((days + 3) % 7) + 7) % 7) + 1 };
}

function isOpen({ from, until, days }: SendWindow, zone: IANAZone, at: number): boolean {
  const { minute, day } = clockAt(zone, at);
  if (from < until) return days.has(day) && minute >= from && minute < until;
  const dayBefore = day === 1 ? 7 : day - 1;
  return (minute >= from && days.has(day)) || (minute < until && days.has(dayBefore));
}

const DAYS_AHEAD = 15;

/**
 * The moments at which the window may open: when the clock comes to its beginning, by each offset that the zone has in these
 * days, and when the clock is put forward or back.
 */
function openingsAfter({ from }: SendWindow, zone: IANAZone, now: number): number[] {
  const days = Array.from({ length: DAYS_AHEAD }, (_, day) => day * DAY_MS);
  const changes = days
    .map((day) => now + day)
    .filter((start) => zone.offset(start) !== zone.offset(start + DAY_MS))
    .map((start) => changeBetween(zone, start, start + DAY_MS));
  const offsets = new Set([now, ...changes].map((at) => zone.offset(at)));
  const today = Math.floor((now + zone.offset(now) * MINUTE_MS) / DAY_MS) * DAY_MS;
  const beginnings = [...offsets].flatMap((offset) =>
    days.map((day) => today + day + (from - offset) * MINUTE_MS),
  );
  return [...beginnings, ...changes];
}

/** The moment between two at which the clocks of a zone change. */
function changeBetween(zone: IANAZone, start: number, end: number): number {
  const before = zone.offset(start);
  let [last, first] = [Math.floor(start / MINUTE_MS), Math.floor(end / MINUTE_MS)];
  while (first - last > 1) {
    const middle = Math.floor((first + last) / 2);
    if (zone.offset(middle * MINUTE_MS) === before) last = middle;
    else first = middle;
  }
  return first * MINUTE_MS;
}
