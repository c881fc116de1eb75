import type { WireType } from '../../gateway/contract/operations';
import type { Effect } from './description';
import type { FailedState } from './item-result';

/** What an error says of what became of its item. */
export interface Fate {
  /** The beginning of the message. */
  headline: string;

  /** What the message doesn't say of it, in sentences. */
  fate: string;
}

const UNSAID: Fate = { headline: '', fate: '' };
const UNCHANGED: Fate = { headline: '', fate: 'Nothing was changed.' };

const OF_SENDS: Record<FailedState, Fate> = {
  refused: { headline: '', fate: 'The gateway did not accept this message, so nothing was sent.' },
  notSent: { headline: 'Not sent: ', fate: '' },
  unknown: {
    headline: 'Unknown whether this was sent: ',
    fate: 'The gateway may have accepted it, so it was not sent again: that might send it twice. Check it with the operation Get Status and the "id" of this item before you send it again.',
  },
};

/** By what an operation does; one with a switch of its own sends. */
const FATES: Record<Effect, Record<FailedState, Fate>> = {
  sends: OF_SENDS,
  ownSwitch: OF_SENDS,
  changes: {
    refused: UNCHANGED,
    notSent: UNCHANGED,
    unknown: {
      headline: 'Unknown whether this was carried out: ',
      fate: 'The gateway may have carried it out, so it was not tried again. See with the operation Get Many whether it did before you run the node again.',
    },
  },
  reads: {
    refused: UNSAID,
    notSent: UNSAID,
    unknown: {
      headline: '',
      fate: 'The gateway may have looked it up and billed it, so it was not asked again. Another run of the node asks anew.',
    },
  },
};

/** Nothing says that `status` knows calls. */
const CALL_UNKNOWN =
  'The call may have been made, so it was not repeated: that might call the person twice. See your gateway account before you run this item again.';

/** What became of a whole run that the account was refused. */
const OF_ACCOUNT: Record<Effect, string> = {
  sends: 'Nothing was sent.',
  ownSwitch: 'Nothing was sent.',
  changes: 'Nothing was changed.',
  reads: '',
};

/** Returns the words for an item of an operation with this effect, which ended in this state. */
export function fateOf(effect: Effect, state: FailedState, type: WireType): Fate {
  const fate = FATES[effect][state];
  return type === 'call/otp' && state === 'unknown' ? { ...fate, fate: CALL_UNKNOWN } : fate;
}

/** Returns the words for a run whose account the gateway refuses. */
export const fateOfAccount = (effect: Effect): Fate => ({ headline: '', fate: OF_ACCOUNT[effect] });
