import type { AllowedPrefixes } from '../../gateway/contract/allowed-prefixes';
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

export const isResult = (slot: Slot): slot is ItemResult => !('operation' in slot);

/**
 * Builds the operations of all items before anything is sent. Returns one slot for each item: its result if an earlier
 * try settled it, it is only checked, it repeats the key of an item before it, or its parameters are invalid; otherwise
 * its operation. An operation that sends to a number which the credential doesn't allow is invalid.
 */
export function prepareItems(run: Run, sending: Sending, allowed: AllowedPrefixes): Slot[] {
  /** By the id of their key. */
  const firstOf = new Map<unknown, number>();
  const slots = run.items.map((_, index): Slot => {
    const earlier = run.journal.find(index);
    if (earlier?.jsons) {
      firstOf.set(earlier.jsons[0]?.id, index);
      return { jsons: earlier.jsons };
    }
    try {
      const item = new Item(run, index);
      const outgoing = sending.build(item);
      const { operation, endpoint, sendOnce = false, secrets = [] } = outgoing;
      if (sendsMessage(operation.type)) refuseForbiddenNumber(allowed, operation.phone);
      if (sendOnce && !outgoing.checkOnly) {
        const first = firstOf.get(operation.id);
        if (first !== undefined) return { jsons: [], repeats: first };
        firstOf.set(operation.id, index);
      }
      const pending: Pending = { ...outgoing, index, hasOwnId: item.hasOwnId };
      const hidden = [...secrets, ...addressSecrets(operation.hook)];
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
  // Ids that the node creates are always different.
  const areAnyOwn = slots.some((slot) => !isResult(slot) && slot.hasOwnId);
  if (areAnyOwn) refuseRepeatedIds(run, slots);
  return slots.map((slot) =>
    isResult(slot) || !slot.checkOnly
      ? slot
      : {
          jsons: [secretMasker(slot.secrets ?? []).value(previewOf(slot.operation, slot.unshortened))],
          checked: true,
        },
  );
}

/** Refuses repeated ids: messages of one run with the same id couldn't be distinguished afterwards. */
function refuseRepeatedIds(run: Run, slots: Slot[]): void {
  const usedBy = new Map<unknown, number>();
  for (const index of slots.keys()) {
    // An item that an earlier try settled keeps its id.
    const earlier = run.journal.find(index);
    if (earlier?.jsons) usedBy.set(earlier.jsons[0]?.id, index);
  }
  slots.forEach((slot, index) => {
    if (isResult(slot) || slot.sendOnce || !sendsMessage(slot.operation.type)) return;
    const { id } = slot.operation;
    const first = usedBy.get(id);
    if (first === undefined) {
      usedBy.set(id, index);
      return;
    }
    const thrown = new InvalidParameter(
      quoted(MESSAGE_ID_LABEL),
      'different for each item, or empty to have the node create one',
      id,
      `is the same as for item ${first}`,
    );
    slots[index] = run.invalid(thrown);
  });
}
