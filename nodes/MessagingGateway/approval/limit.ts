import type { INodeProperties } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { InvalidParameter, quoted } from '../fields/field';
import { asNumber } from '../fields/values';

/** The limit on waiting, under the names of n8n's own nodes that send and wait. */

const MINUTE = 60_000;
const UNITS: Record<string, number> = { minutes: MINUTE, hours: 60 * MINUTE, days: 24 * 60 * MINUTE };

const AMOUNT_LABEL = 'Amount';
const UNIT_LABEL = 'Unit';
const DATE_LABEL = 'Max Date and Time';

export const limitOption: INodeProperties = {
  displayName: 'Limit Wait Time',
  name: 'limitWaitTime',
  type: 'fixedCollection',
  description:
    'How long to wait for an answer. The workflow then goes on with its input and "by": "limit". Without a limit, it waits until someone answers.',
  default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
  options: [
    {
      displayName: 'Values',
      name: 'values',
      values: [
        {
          displayName: 'Limit Type',
          name: 'limitType',
          type: 'options',
          default: 'afterTimeInterval',
          description: 'Whether the limit is a time span or a date',
          options: [
            { name: 'After Time Interval', value: 'afterTimeInterval', description: 'Waits for a time span' },
            {
              name: 'At Specified Time',
              value: 'atSpecifiedTime',
              description: 'Waits until a date and time',
            },
          ],
        },
        {
          displayName: AMOUNT_LABEL,
          name: 'resumeAmount',
          type: 'number',
          typeOptions: { minValue: 0, numberPrecision: 2 },
          default: 1,
          description: 'How many units to wait',
          displayOptions: { show: { limitType: ['afterTimeInterval'] } },
        },
        {
          displayName: UNIT_LABEL,
          name: 'resumeUnit',
          type: 'options',
          default: 'hours',
          description: 'Unit of the amount',
          options: [
            { name: 'Minutes', value: 'minutes' },
            { name: 'Hours', value: 'hours' },
            { name: 'Days', value: 'days' },
          ],
          displayOptions: { show: { limitType: ['afterTimeInterval'] } },
        },
        {
          displayName: DATE_LABEL,
          name: 'maxDateAndTime',
          type: 'dateTime',
          default: '',
          description: 'When to stop waiting',
          displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
        },
      ],
    },
  ],
};

/**
 * Returns the limit from the collection "Options", in milliseconds since 1970; without one, n8n's date for waits without
 * end.
 * @throws InvalidParameter for a limit that isn't in the future
 */
export function readAnswerLimit(options: Record<string, unknown>, now: number): number {
  const given = (options.limitWaitTime as { values?: Record<string, unknown> } | undefined)?.values;
  const endless = WAIT_INDEFINITELY.getTime();
  if (given === undefined) return endless;
  const { limitType = 'afterTimeInterval', resumeAmount = 1, resumeUnit = 'hours', maxDateAndTime } = given;
  if (limitType === 'afterTimeInterval') {
    const unit = UNITS[String(resumeUnit)];
    if (unit === undefined) {
      throw new InvalidParameter(quoted(UNIT_LABEL), 'Minutes, Hours or Days', resumeUnit);
    }
    const left = (asNumber(resumeAmount, AMOUNT_LABEL) ?? 0) * unit;
    if (left > 0) return Math.min(now + left, endless);
    throw new InvalidParameter(quoted(AMOUNT_LABEL), 'a number above 0', resumeAmount);
  }
  const date = new Date(String(maxDateAndTime)).getTime();
  if (date > now) return Math.min(date, endless);
  throw new InvalidParameter(quoted(DATE_LABEL), 'a date and time in the future', maxDateAndTime);
}
