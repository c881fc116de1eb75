import { DateTime, IANAZone } from 'luxon';

export const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
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

/** Clocks change twice a year in most zones, and nowhere twice within this time. */
const BETWEEN_CHANGES_MS = 6 * 60 * MINUTE_MS;

/**
 * Returns the state of a window in a time zone at `now` (milliseconds since 1970). The wall clock alone decides: of a minute
 * that comes twice, when clocks are put back, both are in the window. Undefined for a window that opens on none of the next
 * 15 days.
 */
export function windowState(window: SendWindow, zone: string, now: number): WindowState | undefined {
  const clock = IANAZone.create(zone);
  const isoOf = (at: number) => DateTime.fromMillis(at, { zone }).toISO({ suppressMilliseconds: true }) ?? '';
  if (isOpen(window, now + offsetOf(clock, now))) return { open: true, opensAt: isoOf(now) };
  // Windows open at whole minutes.
  let start = Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const last = now + DAYS_AHEAD * DAY_MINUTES * MINUTE_MS;
  while (start < last) {
    const end = nextChange(clock, start, last);
    const opensAt = openingBetween(window, offsetOf(clock, start), [start, end]);
    if (opensAt !== undefined) return { open: false, opensAt: isoOf(opensAt) };
    start = end;
  }
  return undefined;
}

/** Milliseconds by which the clocks of a zone are ahead of UTC. */
const offsetOf = (clock: IANAZone, at: number): number => clock.offset(at) * MINUTE_MS;

/** Returns the first minute behind `start` at which clocks change; `last` where they don't change before it. */
function nextChange(clock: IANAZone, start: number, last: number): number {
  const offset = clock.offset(start);
  let before = start;
  while (before < last) {
    let behind = Math.min(before + BETWEEN_CHANGES_MS, last);
    if (clock.offset(behind) === offset) {
      before = behind;
      continue;
    }
    while (behind - before > MINUTE_MS) {
      const middle = before + Math.floor((behind - before) / 2 / MINUTE_MS) * MINUTE_MS;
      if (clock.offset(middle) === offset) before = middle;
      else behind = middle;
    }
    return behind;
  }
  return last;
}

/** Returns the first moment between two, in which clocks don't change, at which a window is open; undefined where there is none. */
function openingBetween(
  window: SendWindow,
  offset: number,
  [start, end]: [number, number],
): number | undefined {
  // The clocks may have been put forward, or back, into the window.
  if (isOpen(window, start + offset)) return start;
  const shown = start + offset;
  const midnight = shown - (shown % DAY_MS);
  for (let day = midnight; day - offset < end; day += DAY_MS) {
    const at = day + window.from * MINUTE_MS - offset;
    if (at > start && at < end && isOpen(window, at + offset)) return at;
  }
  return undefined;
}

/** Whether a window is open while clocks show so many milliseconds since 1970. */
function isOpen({ from, until, days }: SendWindow, shown: number): boolean {
  const weekday = new Date(shown).getUTCDay() || 7;
  const minute = Math.floor((shown % DAY_MS) / MINUTE_MS);
  if (from < until) return days.has(weekday) && minute >= from && minute < until;
  const dayBefore = weekday === 1 ? 7 : weekday - 1;
  return (minute >= from && days.has(weekday)) || (minute < until && days.has(dayBefore));
}
