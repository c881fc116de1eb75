import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { LIMIT_UNITS } from '../delivery-wait/settings';
import { asNumber } from '../fields/values';
import { labelOf } from './properties';
import { refusal } from './refusal';

/**
 * Returns the limit on waiting, in milliseconds since 1970; without one, n8n's date for waits without end.
 * @throws InvalidParameter for a limit that isn't in the future
 */
export function readAnswerLimit({ limitWaitTime }: Record<string, unknown>, now: number): number {
  const endless = WAIT_INDEFINITELY.getTime();
  const given = (limitWaitTime as { values?: Record<string, unknown> } | undefined)?.values;
  if (given === undefined) return endless;
  const { limitType = 'afterTimeInterval', resumeAmount = 1, resumeUnit = 'hours', maxDateAndTime } = given;
  if (limitType !== 'afterTimeInterval') {
    const date = new Date(String(maxDateAndTime)).getTime();
    if (date > now) return Math.min(date, endless);
    throw refusal('maxDateAndTime', 'a date and time in the future', maxDateAndTime);
  }
  const unit = LIMIT_UNITS.find(({ value }) => value === resumeUnit);
  if (unit === undefined) throw refusal('resumeUnit', 'Minutes, Hours or Days', resumeUnit);
  const left = (asNumber(resumeAmount, labelOf('resumeAmount')) ?? 0) * unit.lengthMs;
  if (left > 0) return Math.min(now + left, endless);
  throw refusal('resumeAmount', 'a number above 0', resumeAmount);
}
