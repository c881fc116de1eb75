import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { sendsMessage } from '../../gateway/contract/operations';
import { secretMasker } from '../../gateway/errors/secrets';
import { InvalidParameter, quoted } from '../fields/field';
import { MESSAGE_ID_LABEL } from '../fields/target';
import { Item } from '../run/item';
import type { ItemResult } from '../run/item-result';
import type { Run } from '../run/run';
import { addressSecrets } from '../sleeping/address';
import { refuseForbiddenNumber } from './allowed-numbers';
import { previewOf } from './preview';
import type { Pending, Sending } from './sending';

/** The state of one item: its operation until it is sent, then its result. */
export type Slot = Pending | ItemResult;

export const isPending = (slot: Slot): slot is Pending => 'operation' in slot;

/**
 * Builds the operations of all items before anything is sent. Returns one slot for each item: its result if an earlier
 * try settled it, it is only checked, it repeats the key of an item before it, or its parameters are invalid; otherwise
 * its operation. An operation that sends to a number which the credential doesn't allow is invalid, and so is one with the
 * id of another item: messages of one run with the same id couldn't be distinguished afterwards.
 */
export function prepareItems(run: Run, sending: Sending, allowed: AllowedPrefixes): Slot[] {
  /** The item of each id. One that an earlier try settled keeps its id. */
  const itemOf = new Map<unknown, number>();
  for (const index of run.items.keys()) {
    const jsons = run.journal.find(index)?.jsons;
    if (jsons) itemOf.set(jsons[0]?.id, index);
  }
  return run.items.map((_, index): Slot => {
    const earlier = run.journal.find(index);
    if (earlier?.jsons) return { jsons: earlier.jsons };
    try {
      const item = new Item(run, index);
      const outgoing = sending.build(item);
      const { operation, endpoint, checkOnly, sendOnce = false, secrets = [] } = outgoing;
      const isMessage = sendsMessage(operation.type);
      if (isMessage) refuseForbiddenNumber(allowed, operation.phone);
      // Ids that the node creates are always different.
      if (isMessage && (item.hasOwnId || sendOnce)) {
        const first = itemOf.get(operation.id);
        if (first === undefined) itemOf.set(operation.id, index);
        else if (!sendOnce) throw repeatedId(operation.id, first);
        else if (!checkOnly) return { jsons: [], repeats: first };
      }
      const hidden = [...secrets, ...addressSecrets(operation.hook)];
      if (checkOnly) {
        const preview = previewOf(operation, outgoing.unshortened);
        return { jsons: [secretMasker(hidden)(preview)], checked: true };
      }
      const pending: Pending = { ...outgoing, index, hasOwnId: item.hasOwnId };
      if (hidden.length > 0) pending.secrets = hidden;
      const mayBeSent = run.mayHaveSentBefore && sending.recovery === 'status';
      // A queue may take what it accepted long after that: until then `status` doesn't know it.
      if (mayBeSent && endpoint === 'async') pending.doubt = { kind: 'late', leftAt: run.now() };
      else if (earlier?.doubt) pending.doubt = earlier.doubt;
      else if (mayBeSent) pending.doubt = { kind: 'answered', leftAt: run.now() };
      if (sendOnce) {
        pending.asksFirst = !pending.doubt;
        pending.hasOwnId = mayBeSent;
      }
      return pending;
    } catch (thrown) {
      return run.invalid(thrown);
    }
  });
}

const repeatedId = (id: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(MESSAGE_ID_LABEL),
    'different for each item, or empty to have the node create one',
    id,
    `is the same as for item ${first}`,
  );
