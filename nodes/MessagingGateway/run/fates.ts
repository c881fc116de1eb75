import type { WireType } from '../../gateway/contract/operations';
import type { Effect } from './description';
import type { FailedState, ItemResult } from './item-result';
import { isFailed } from './item-result';

/** The words for an item that failed. */
interface Fate {
  /** The beginning of the message. */
  headline: string;

  /** What the message doesn't say of it, in sentences. */
  fate: string;

  /** Behind a number of items. */
  counted: string;
}

/** The words for all that can become of the items of an operation. */
interface Fates extends Record<FailedState, Fate> {
  /** Behind the number of the items that succeeded. */
  done: string;

  /** Where the account was refused, and no item came to anything. */
  nothing: string;
}

const silent = (counted: string, fate = ''): Fate => ({ headline: '', fate, counted });

const SENDS: Fates = {
  done: 'accepted',
  nothing: 'Nothing was sent.',
  refused: silent('refused', 'The gateway did not accept this message, so nothing was sent.'),
  notSent: { headline: 'Not sent: ', fate: '', counted: 'not sent' },
  unknown: {
    headline: 'Unknown whether this was sent: ',
    fate: 'The gateway may have accepted it, so it was not sent again: that might send it twice. Ask for its status with the operation Get Status before you send it again.',
    counted: 'unknown',
  },
};

/** By the effect of the operation; one with a switch of its own sends. */
const FATES: Record<Effect, Fates> = {
  sends: SENDS,
  ownSwitch: SENDS,
  changes: {
    done: 'carried out',
    nothing: 'Nothing was changed.',
    refused: silent('refused', 'Nothing was changed.'),
    notSent: silent('not carried out', 'Nothing was changed.'),
    unknown: {
      headline: 'Unknown whether this was carried out: ',
      fate: 'The gateway may have carried it out, so it was not tried again. See with the operation Get Many whether it did before you run the node again.',
      counted: 'unknown',
    },
  },
  reads: {
    done: 'answered',
    nothing: '',
    refused: silent('refused'),
    notSent: silent('not asked for'),
    unknown: silent(
      'without an answer',
      'The gateway may have looked it up and billed it, so it was not asked again. Another run of the node asks anew.',
    ),
  },
};

/** Nothing says that `status` knows calls. */
const CALL_UNKNOWN =
  'The call may have been made, so it was not repeated: that might call the person twice. See your gateway account before you run this row again.';

/** Returns the words for an item of an operation with this effect, which ended in this state. */
export function fateOf(effect: Effect, state: FailedState, type: WireType): Omit<Fate, 'counted'> {
  const fate = FATES[effect][state];
  return type === 'call/otp' && state === 'unknown' ? { ...fate, fate: CALL_UNKNOWN } : fate;
}

/** Returns what became of the items of a run whose account the gateway refuses, as a sentence or nothing. */
export const nothingDone = (effect: Effect): string => FATES[effect].nothing;

/** Counts what became of the items of a run, such as `12 of 20 accepted, 7 not sent, 1 unknown`. Items that fail by their input count as not sent. */
export function countFates(effect: Effect, results: readonly ItemResult[]): string {
  const fates = FATES[effect];
  const failed = results.filter(isFailed);
  const done = results.filter((one) => !isFailed(one) && !one.checked && one.skipped === undefined);
  const counts = (['refused', 'notSent', 'unknown'] as const).flatMap((state) => {
    const { length: count } = failed.filter((one) => (one.state ?? 'notSent') === state);
    return count === 0 ? [] : `${count} ${fates[state].counted}`;
  });
  return [`${done.length} of ${results.length} ${fates.done}`, ...counts].join(', ');
}
