import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean, asNumber } from '../fields/values';
import type { ItemReader } from '../parameters/item-reader';
import { DEFAULT_WAIT_AMOUNT, DEFAULT_WAIT_UNIT, WAIT_UNITS } from '../sending/properties';

const MINUTE = 60_000;
const UNIT_LENGTH: Record<string, number> = { minutes: MINUTE, hours: 60 * MINUTE, days: 24 * 60 * MINUTE };
/** A year: longer than any gateway keeps trying. */
const LONGEST = 366 * UNIT_LENGTH.days;

export const WAIT_LABEL = 'Wait for Delivery';

/** Whether the item asks to wait. Throws InvalidParameter for what is neither on nor off. */
export const wantsToWait = (reader: ItemReader, itemIndex: number): boolean =>
  asBoolean(reader.read('waitForDelivery', itemIndex, false), WAIT_LABEL) === true;

/**
 * Milliseconds that a run of the node waits at most, from the first item that waits.
 * @throws InvalidParameter for an amount or a unit that can't be meant
 */
export function readWaitLimit(reader: ItemReader, itemIndex: number): number {
  const unit = reader.read('waitUnit', itemIndex, DEFAULT_WAIT_UNIT);
  const length = typeof unit === 'string' && Object.hasOwn(UNIT_LENGTH, unit) ? UNIT_LENGTH[unit] : undefined;
  if (length === undefined) {
    const names = WAIT_UNITS.map(({ name }) => name).join(', ');
    throw new InvalidParameter(quoted('Wait Unit'), `one of ${names}`, unit);
  }
  const given = reader.read('waitAmount', itemIndex, DEFAULT_WAIT_AMOUNT);
  const amount = asNumber(given, 'Wait Amount') ?? DEFAULT_WAIT_AMOUNT;
  if (amount > 0 && amount * length <= LONGEST) return amount * length;
  throw new InvalidParameter(quoted('Wait Amount'), 'a number above 0 that makes a year at most', given);
}
