import { DateTime, IANAZone } from 'luxon';

export const DAY_MINUTES = 24 * 60;
const WEEK_MS = 7 * 24 * 60 * 60_000;
const WEEKS_OF_YEAR = 53;

/** The times of a week at which people may be written to, by the clock on their wall. */
export interface SendWindow {
  /** Minutes after midnight. */
  from: number;

  /** The same; the window ends before this minute. Smaller than `from` where it goes over midnight. */
  until: number;

  /** The days on which it opens: 1 is Monday, 7 is Sunday. */
  days: ReadonlySet<number>;
}

/** The state of a window at a moment. */
export interface WindowState {
  open: boolean;

  /** The current moment where the window is open, else the next at which it opens; ISO 8601 with the offset of the zone. */
  opensAt: string;
}

/** Zones of countries, by ISO code; undefined where clocks differ. */
const zones = new Map<string, string | undefined>();

/**
 * Returns a time zone that all clocks of a country keep in the coming year, by its ISO code; undefined where clocks differ, and where JavaScript knows no zone of the country.
 */
export function zoneOfCountry(iso: string): string | undefined {
  if (!zones.has(iso)) zones.set(iso, onlyZoneOf(iso));
  return zones.get(iso);
}

/** A method of newer versions of JavaScript, a property on Node 20. */
type LocaleWithZones = Intl.Locale & { timeZones?: string[]; getTimeZones?(): string[] | undefined };

/** Numbers of Ukraine don't work in Crimea, whose phones have had numbers with +7 since 2015. */
const WITHOUT_NUMBERS = 'Europe/Simferopol';

function onlyZoneOf(iso: string): string | undefined {
  const locale = new Intl.Locale(`und-${iso}`) as LocaleWithZones;
  const names = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  const [first, ...others] = names.filter((name) => name !== WITHOUT_NUMBERS);
  return first !== undefined && others.every((name) => isSameClock(first, name)) ? first : undefined;
}

function isSameClock(one: string, other: string): boolean {
  const [zone, otherZone] = [IANAZone.create(one), IANAZone.create(other)];
  const moments = Array.from({ length: WEEKS_OF_YEAR }, (_, week) => Date.now() + week * WEEK_MS);
  return moments.every((at) => zone.offset(at) === otherZone.offset(at));
}

/** Whether a text names a time zone, such as Europe/Kyiv. */
export const isZone = (name: string): boolean => IANAZone.isValidZone(name);

/** A window may lose its only day in a week, where clocks are put forward over it: the week after that has it. */
const DAYS_AHEAD = 15;

/**
 * Returns the state of a window in a time zone at `now` (milliseconds since 1970). The wall clock alone decides: of a minute
 * that comes twice, when clocks are put back, both are in the window. Undefined for a window that opens on none of the next
 * 15 days.
 */
export function windowState(window: SendWindow, zone: string, now: number): WindowState | undefined {
  const shown = DateTime.fromMillis(now, { zone });
  const isoOf = (at: DateTime) => at.toISO({ suppressMilliseconds: true }) ?? '';
  if (isOpen(window, shown)) return { open: true, opensAt: isoOf(shown) };
  const next = Array.from({ length: DAYS_AHEAD }, (_, day) => beginnings(window, shown.plus({ days: day })))
    .flat()
    .find((at) => at > shown && isOpen(window, at));
  return next && { open: false, opensAt: isoOf(next) };
}

/** The moments of a day at which a window may open: several where clocks are put forward over its beginning. */
function beginnings({ from }: SendWindow, day: DateTime): DateTime[] {
  const last = day.set({ hour: Math.floor(from / 60), minute: from % 60, second: 0, millisecond: 0 });
  // Luxon moves a time that is left out by the minutes that are left out.
  const leftOut = (minuteOf(last) - from + DAY_MINUTES) % DAY_MINUTES;
  return Array.from({ length: leftOut + 1 }, (_, minute) => last.minus({ minutes: leftOut - minute }));
}

const minuteOf = ({ hour, minute }: DateTime): number => hour * 60 + minute;

function isOpen({ from, until, days }: SendWindow, at: DateTime): boolean {
  const { weekday } = at;
  const minute = minuteOf(at);
  if (from < until) return days.has(weekday) && minute >= from && minute < until;
  const dayBefore = weekday === 1 ? 7 : weekday - 1;
  return (minute >= from && days.has(weekday)) || (minute < until && days.has(dayBefore));
}
