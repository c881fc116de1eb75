import { Duration } from 'luxon';

import { joined } from '../../gateway/text/phrases';
import { InvalidParameter, quoted } from './field';
import { asNumber } from './values';

/** The units of a length of time, shortest first; their values are those of luxon. */
export const SPAN_UNITS = [
  { name: 'Minutes', value: 'minutes' },
  { name: 'Hours', value: 'hours' },
  { name: 'Days', value: 'days' },
];

/** A year: longer than any gateway keeps trying. */
const LONGEST_MS = Duration.fromObject({ days: 366 }).toMillis();

/**
 * Returns a length of time in milliseconds, of an amount and a unit under these labels.
 * @throws InvalidParameter for a length that isn't above 0, or is more than a year
 */
export function readSpan(
  [amount, unit]: [amount: unknown, unit: unknown],
  [amountLabel, unitLabel]: [amount: string, unit: string],
): number {
  const units = SPAN_UNITS.map(({ value }) => value);
  const known = units.find((value) => value === unit);
  if (known === undefined) throw new InvalidParameter(quoted(unitLabel), joined(units, 'or'), unit);
  const span = Duration.fromObject({ [known]: asNumber(amount, amountLabel) ?? 0 }).toMillis();
  if (span > 0 && span <= LONGEST_MS) return span;
  throw new InvalidParameter(quoted(amountLabel), 'a number above 0 that amounts to a year at most', amount);
}
