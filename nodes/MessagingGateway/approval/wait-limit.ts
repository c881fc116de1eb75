import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { valuesIn } from '../fields/property';
import { readSpan } from '../fields/span';
import { badParameter, labelOf } from './properties';

/** n8n's date for waits without end. */
const NEVER = WAIT_INDEFINITELY.getTime();

/**
 * Returns when the wait for an answer ends, in milliseconds since 1970: the option Limit Wait Time or, without that option, n8n's date
 * for waits without end. A date without a time zone is by the clocks of the workflow's `zone`.
 * @throws InvalidParameter for a limit that isn't in the future
 */
export function readLimit({ limitWaitTime }: Record<string, unknown>, now: number, zone: string): number {
  if (limitWaitTime === undefined) return NEVER;
  const {
    limitType = 'afterTimeInterval',
    resumeAmount: amount = 1,
    resumeUnit: unit = 'hours',
    maxDateAndTime,
  } = valuesIn(limitWaitTime);
  if (limitType === 'afterTimeInterval')
    return now + readSpan([amount, unit], [labelOf('resumeAmount'), labelOf('resumeUnit')]);
  const date = momentOf(String(maxDateAndTime), zone);
  if (date !== undefined && date > now) return Math.min(date, NEVER);
  throw badParameter('maxDateAndTime', 'a date and time in the future', maxDateAndTime);
}

/** A text that `String` made of a Date, such as "Fri Jan 15 2027 12:00:00 GMT+0200", names its zone. */
const NAMES_ZONE = /\b(?:GMT|UTC)\b/;

/** Returns a date in milliseconds since 1970: ISO 8601, SQL, or what `String` makes of a Date; undefined for any other text. */
function momentOf(text: string, zone: string): number | undefined {
  const dates = [DateTime.fromISO(text, { zone }), DateTime.fromSQL(text, { zone })];
  const found = dates.find(({ isValid }) => isValid);
  if (found !== undefined) return found.toMillis();
  const moment = NAMES_ZONE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
