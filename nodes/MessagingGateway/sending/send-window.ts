import type { INodeProperties } from 'n8n-workflow';

import { countryOf } from '../../gateway/numbers/countries';
import { asEntries, isEmpty, isObject } from '../../gateway/text/json';
import { InvalidParameter, quoted } from '../fields/field';
import type { Options } from '../fields/property';
import { inValues, readOnce } from '../fields/property';
import { asTrimmed } from '../fields/values';
import type { SendWindow, WindowState } from './window-state';
import { DAY_MINUTES, isZone, windowState, zoneOfCountry } from './window-state';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const EVERY_DAY = DAYS.map((day) => day.toLowerCase());

const FROM = { displayName: 'From', name: 'from', default: '09:00' };
const UNTIL = { displayName: 'Until', name: 'until', default: '20:00' };
const DAYS_LABEL = 'Days';
const ZONE_LABEL = 'Time Zone';
const ZONE_ACCEPTED = 'a time zone such as Europe/Kyiv';

export const SEND_WINDOW: INodeProperties = {
  displayName: 'Send Window',
  name: 'sendWindow',
  type: 'fixedCollection',
  default: { values: {} },
  description:
    'Times at which people may be written to, by the clock at their place. A row outside is skipped, and opens_at says from when on it may be sent.',
  options: inValues([
    { ...FROM, type: 'string', description: 'Time of day at which the window opens, such as 09:00' },
    {
      ...UNTIL,
      type: 'string',
      description:
        'Time of day at which the window closes, 24:00 at the latest. A time before From is on the next day.',
    },
    {
      displayName: DAYS_LABEL,
      name: 'days',
      type: 'multiOptions',
      options: DAYS.map((name) => ({ name, value: name.toLowerCase() })),
      default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      description: 'Days on which the window opens. Holidays are days like others.',
    },
    {
      displayName: ZONE_LABEL,
      name: 'timeZone',
      type: 'string',
      default: '',
      placeholder: 'e.g. Europe/Kyiv',
      description:
        'Time zone of the recipient, needed for countries with several. Elsewhere the number tells it.',
    },
  ]),
};

/** The state of a window for a number whose time zone isn't known. */
const UNKNOWN = { open: null, opensAt: null };

/** Decides for a number, digits only, by the options of its row; undefined where they have no window. */
export type WindowOf = (options: Options, phone: number) => WindowState | typeof UNKNOWN | undefined;

/**
 * Returns what decides, at `now` (milliseconds since 1970), whether the windows of rows are open. That throws
 * InvalidParameter for a window that can't be read.
 */
export function windowsAt(now: number): WindowOf {
  const states = new Map<string, WindowState>();
  return (options, phone) => {
    const read = readWindow(options);
    if (read === undefined) return undefined;
    const { window, timeZone, name } = read;
    const zone = timeZone ?? zoneOf(phone);
    if (zone === undefined) return UNKNOWN;
    const key = `${zone} ${name}`;
    const known = states.get(key);
    if (known) return known;
    const state = windowState(window, zone, now);
    if (state === undefined)
      throw new InvalidParameter(
        quoted(SEND_WINDOW.displayName),
        'a window that opens',
        undefined,
        'never opens',
      );
    states.set(key, state);
    return state;
  };
}

/** A Send Window as it is read; `name` stands for its times and days. */
interface ReadWindow {
  window: SendWindow;
  timeZone?: string;
  name: string;
}

/** @throws InvalidParameter */
const readWindow = readOnce(({ [SEND_WINDOW.name]: given }): ReadWindow | undefined => {
  if (given === undefined) return undefined;
  const values = (isObject(given) ? given.values : undefined) ?? {};
  if (!isObject(values) || !isObject(given))
    throw new InvalidParameter(quoted(SEND_WINDOW.displayName), 'times, days and a time zone', given);
  const from = readTime(values, FROM);
  const until = readTime(values, UNTIL);
  if (from === DAY_MINUTES)
    throw new InvalidParameter(inWindow(FROM.displayName), 'a time of day before 24:00', values[FROM.name]);
  if (from === until) {
    const accepted = `a time other than ${quoted(FROM.displayName)}; from 00:00 until 24:00 is the whole day`;
    throw new InvalidParameter(inWindow(UNTIL.displayName), accepted, values[UNTIL.name]);
  }
  const days = readDays('days' in values ? values.days : EVERY_DAY);
  const timeZone = asTrimmed(values.timeZone, ZONE_LABEL);
  if (timeZone !== undefined && !isZone(timeZone))
    throw new InvalidParameter(inWindow(ZONE_LABEL), ZONE_ACCEPTED, timeZone);
  return { window: { from, until, days }, timeZone, name: JSON.stringify([from, until, [...days]]) };
});

/** A field with the option that it stands in, since others have such names, too. */
const inWindow = (label: string): string => `${quoted(label)} in ${quoted(SEND_WINDOW.displayName)}`;

/** Databases write seconds, too. */
const TIME = /^(\d{1,2}):([0-5]\d)(?::\d\d)?$/;

/** Reads a time of day, or a number as sheets store one, which is a share of the day; returns minutes after midnight. */
function readTime(
  values: Record<string, unknown>,
  { name, displayName, default: usual }: typeof FROM,
): number {
  // An expression that is empty is no default.
  const given = name in values ? values[name] : usual;
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  const [, hours, minutes] = TIME.exec(text) ?? [];
  const isNumber = hours === undefined && text !== '';
  const time = isNumber ? Math.round(Number(text) * DAY_MINUTES) : Number(hours) * 60 + Number(minutes);
  if (time >= 0 && time <= DAY_MINUTES) return time;
  throw new InvalidParameter(inWindow(displayName), 'a time of day such as 09:00', given);
}

/** Takes names of days, in full or by three letters, and the numbers 1 for Monday to 7 for Sunday. */
function readDays(given: unknown): ReadonlySet<number> {
  const entries = isEmpty(given) ? [] : asEntries(given);
  const days = entries.map((entry) => {
    const day = dayNamed(String(entry).trim().toLowerCase());
    if (day !== undefined) return day;
    throw new InvalidParameter(inWindow(DAYS_LABEL), 'days such as monday', entry);
  });
  if (days.length === 0) throw new InvalidParameter(inWindow(DAYS_LABEL), 'one day or more', given);
  return new Set(days);
}

/** Returns the number of a day, 1 for Monday; undefined for a text that names no day. */
function dayNamed(text: string): number | undefined {
  const numbers = EVERY_DAY.map((_, index) => index + 1);
  return numbers.find((day) => {
    const name = EVERY_DAY[day - 1];
    return text === String(day) || text === name || text === name.slice(0, 3);
  });
}

function zoneOf(phone: number): string | undefined {
  const { iso } = countryOf(phone);
  return iso === null ? undefined : zoneOfCountry(iso);
}

/** Returns the error of a row that can't be sent, since the time zone of its number isn't known. */
export function withoutZone(phone: number): InvalidParameter {
  const { iso, callingCode } = countryOf(phone);
  const why =
    iso === null
      ? `whose country isn't certain (+${callingCode})`
      : `since ${iso} has several time zones, or none that is known`;
  return new InvalidParameter(
    inWindow(ZONE_LABEL),
    ZONE_ACCEPTED,
    undefined,
    `isn't clear from the number, ${why}`,
  );
}
