import { NOT_FOR_AGENTS, property, shownFor } from '../fields/property';
import { readSpan, SPAN_UNITS } from '../fields/span';
import { asBoolean } from '../fields/values';

export const WAIT_LABEL = 'Wait for Delivery';
export const WAIT_SWITCH = 'waitForDelivery';
const AMOUNT_LABEL = 'Wait Amount';
const UNIT_LABEL = 'Wait Unit';
const DEFAULT_AMOUNT = 10;
const DEFAULT_UNIT = 'minutes';

const whileWaiting = shownFor({ [WAIT_SWITCH]: [true] });

/**
 * For every send whose status comes to its `hook` (gateway-api.md, "Callbacks"), but not in an agent's tool: n8n can't
 * put the run of an agent to sleep.
 */
export const waitProperties = [
  property(
    WAIT_LABEL,
    WAIT_SWITCH,
    'Whether to pause the workflow until the gateway reports the outcome of every message. It then continues with one item per message, which holds the result of the send and the outcome.',
    {
      type: 'boolean',
      default: false,
      ...NOT_FOR_AGENTS,
      builderHint: {
        propertyHint:
          'In place of a Wait node or a loop that asks for the status. Branch on arrived behind it.',
      },
    },
  ),
  property(
    AMOUNT_LABEL,
    'waitAmount',
    'Longest time to wait. Messages without an outcome by then continue with "final": false. The limit of the first waiting item applies to all items.',
    { type: 'number', typeOptions: { minValue: 0 }, default: DEFAULT_AMOUNT, ...whileWaiting },
  ),
  property(UNIT_LABEL, 'waitUnit', 'Unit of the wait amount', {
    type: 'options',
    options: SPAN_UNITS,
    default: DEFAULT_UNIT,
    ...whileWaiting,
  }),
];

type Read = (name: string, fallback: unknown) => unknown;

/**
 * Whether the item asks to wait.
 * @throws InvalidParameter for a value that is neither on nor off
 */
export const wantsToWait = (read: Read): boolean => asBoolean(read(WAIT_SWITCH, false), WAIT_LABEL) === true;

/**
 * Returns the longest time that an item waits, in milliseconds.
 * @throws InvalidParameter for an invalid one
 */
export const readWaitLimit = (read: Read): number =>
  readSpan([read('waitAmount', DEFAULT_AMOUNT), read('waitUnit', DEFAULT_UNIT)], [AMOUNT_LABEL, UNIT_LABEL]);

/** Messages of a run whose callbacks come to its execution; the longer the run, the fewer. */
const MAX_ADDRESSED = 20;
const MIN_ADDRESSED = 3;

/** Rows that n8n loads for all callbacks of a run together: for each callback, n8n loads all rows of the run. */
const MAX_LOADED = 10_000;

/**
 * Returns the function that says whether a waiting row, by the index of its item, gets the address of the execution as callback
 * address: a few rows, spread over the run. Twenty callbacks to a run of 3,000 rows kept a busy n8n from answering for ten seconds,
 * and `status` tells the outcomes at a fraction of that; but after a restart of n8n, only a callback revives the wait.
 */
export function spreadAddresses({ items }: { items: readonly unknown[] }): (index: number) => boolean {
  const affordable = Math.floor(MAX_LOADED / items.length);
  const count = Math.min(MAX_ADDRESSED, Math.max(MIN_ADDRESSED, affordable));
  let last = -1;
  return (index) => {
    const part = Math.floor((count * index) / items.length);
    if (part === last) return false;
    last = part;
    return true;
  };
}
