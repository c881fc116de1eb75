import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean, asNumber } from '../fields/values';

const MINUTE = 60_000;

/** The units of a limit, shortest first, with their length in milliseconds. */
export const LIMIT_UNITS = [
  { name: 'Minutes', value: 'minutes', length: MINUTE },
  { name: 'Hours', value: 'hours', length: 60 * MINUTE },
  { name: 'Days', value: 'days', length: 24 * 60 * MINUTE },
];
/** A year: longer than any gateway keeps trying. */
const LONGEST = 366 * 24 * 60 * MINUTE;

export const WAIT_LABEL = 'Wait for Delivery';
const AMOUNT_LABEL = 'Wait Amount';
const UNIT_LABEL = 'Wait Unit';
const DEFAULT_AMOUNT = 10;
const DEFAULT_UNIT = 'minutes';

const whileWaiting = { show: { waitForDelivery: [true] } };

/**
 * For every send whose status comes to its `hook` (gateway-api.md, "Events"), but not in an agent's tool: n8n can't
 * put the run of an agent to sleep.
 */
export const waitProperties: INodeProperties[] = [
  {
    displayName: WAIT_LABEL,
    name: 'waitForDelivery',
    type: 'boolean',
    default: false,
    displayOptions: { hide: { '@tool': [true] } },
    description:
      'Whether to pause the workflow until the gateway reports the outcome of every message. It then continues with one item per message, which holds the result of the send and the outcome.',
  },
  {
    displayName: AMOUNT_LABEL,
    name: 'waitAmount',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: DEFAULT_AMOUNT,
    displayOptions: whileWaiting,
    description:
      'Longest time to wait. Messages without an outcome by then continue with "final": false. The limit of the first waiting item applies to all items.',
  },
  {
    displayName: UNIT_LABEL,
    name: 'waitUnit',
    type: 'options',
    options: LIMIT_UNITS.map(({ name, value }) => ({ name, value })),
    default: DEFAULT_UNIT,
    displayOptions: whileWaiting,
    description: 'Unit of the wait amount',
  },
];

/** Reads a parameter of an item. */
type Read = (name: string, fallback: unknown) => unknown;

/**
 * Whether the item asks to wait.
 * @throws InvalidParameter for a value that is neither on nor off
 */
export const wantsToWait = (read: Read): boolean =>
  asBoolean(read('waitForDelivery', false), WAIT_LABEL) === true;

/**
 * Returns the longest time that an item waits, in milliseconds.
 * @throws InvalidParameter for an invalid amount or unit
 */
export function readWaitLimit(read: Read): number {
  const unit = read('waitUnit', DEFAULT_UNIT);
  const found = LIMIT_UNITS.find(({ value }) => value === unit);
  if (found === undefined) {
    const names = LIMIT_UNITS.map(({ name }) => name).join(', ');
    throw new InvalidParameter(quoted(UNIT_LABEL), `one of ${names}`, unit);
  }
  const value = read('waitAmount', DEFAULT_AMOUNT);
  const limit = (asNumber(value, AMOUNT_LABEL) ?? DEFAULT_AMOUNT) * found.length;
  if (limit > 0 && limit <= LONGEST) return limit;
  throw new InvalidParameter(quoted(AMOUNT_LABEL), 'a number above 0 that amounts to a year at most', value);
}
