import { begin } from '../../gateway/client/begin';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { sendsMessage } from '../../gateway/contract/operations';
import { secretMasker } from '../../gateway/text/secrets';
import { allowedRecipients } from '../agent/allowed-recipients';
import { InvalidParameter, quoted } from '../fields/field';
import { MESSAGE_ID_LABEL } from '../fields/target';
import { Item } from '../run/item';
import { freeOf } from '../run/costs';
import type { DoneItem, ItemResult } from '../run/item-result';
import type { Run } from '../run/run';
import { addressSecrets } from '../suspend/address';
import { refuseForbiddenNumber, refuseForeignNumber } from './allowed-numbers';
import { previewOf } from './preview';
import { costOf } from './prices';
import { RepeatedRows } from './repeated-messages';
import type { Outgoing, Pending, Sending } from './sending';
import { skippedRow } from './skipped-rows';

/** The state of one item: its operation until it is sent, then its result. */
export type Slot = Pending | ItemResult;

export const isPending = (slot: Slot): slot is Pending => 'operation' in slot;

/**
 * Builds the operations of all items before anything is sent. Returns one slot for each item: its result if an earlier
 * try settled it, it is left out, it is only checked, it is the same message as an item before it, or its parameters are invalid;
 * otherwise its operation. An operation that sends to a number which the credential doesn't allow is invalid, and so is
 * one with the id of another item: messages of one run with the same id couldn't be distinguished afterwards.
 */
export function prepareItems(run: Run, sending: Sending, allowed: AllowedPrefixes): Slot[] {
  /** The item of each id. One that an earlier try settled keeps its id. */
  const itemOf = new Map<unknown, number>();
  for (const index of run.items.keys()) {
    const jsons = run.journal.find(index)?.jsons;
    if (jsons) itemOf.set(jsons[0]?.id, index);
  }
  const repeated = sending.repeats && new RepeatedRows(run, sending.repeats);
  const recipients = allowedRecipients(run.context, 0);
  const slots: Slot[] = [];
  const prepare = (index: number): Slot => {
    const earlier = run.journal.find(index);
    if (earlier?.jsons) {
      repeated?.takeSettled(index, sending);
      return { jsons: earlier.jsons, ...(earlier.before && { before: earlier.before }) };
    }
    try {
      const item = new Item(run, index);
      const outgoing = sending.build(item);
      const { operation, checkOnly, sendOnce = false, secrets = [] } = outgoing;
      const isMessage = sendsMessage(operation.type);
      if (isMessage) {
        refuseForbiddenNumber(allowed, operation.phone);
        refuseForeignNumber(recipients, operation.phone);
      }
      // What an earlier try may have sent isn't said to be left out.
      const isRefused = earlier?.state?.is === 'refused' || earlier?.state?.is === 'notSent';
      const skip = earlier && !isRefused ? undefined : sending.skip?.(item, operation);
      if (skip) return skippedRow(operation, skip, checkOnly);
      let repeats: DoneItem['repeats'];
      // Ids that the node creates are always different.
      if (isMessage && (item.hasOwnId || sendOnce)) {
        const first = itemOf.get(operation.id);
        if (first === undefined) itemOf.set(operation.id, index);
        else if (!sendOnce) throw repeatedId(operation.id, first);
        else repeats = { item: first, by: 'key' };
      } else if (earlier) {
        // What an earlier try may have sent takes no other result.
        repeated?.take(item, outgoing);
      } else {
        const first = repeated?.firstOf(item, outgoing);
        if (first !== undefined) repeats = { item: first, by: 'content' };
      }
      if (repeats && !checkOnly) {
        passOnAddress(outgoing, slots[repeats.item]);
        return { jsons: [], repeats };
      }
      const hidden = [...secrets, ...addressSecrets(operation.hook)];
      if (checkOnly) {
        const { prices, unshortened } = outgoing;
        const cost = prices && costOf(operation, prices);
        const { json: row } = run.items[index];
        if (repeats) {
          const preview = previewOf(operation, row, unshortened, cost && freeOf(cost));
          return { jsons: [secretMasker(hidden)({ ...preview, duplicate: true })], checked: true, repeats };
        }
        const shown = secretMasker(hidden)(previewOf(operation, row, unshortened, cost));
        return { jsons: [shown], checked: true, ...(cost && { cost }) };
      }
      // The same object: of thousands, a copy would be held beside it until all are built.
      const row = Object.assign(outgoing, { index, hasOwnId: item.hasOwnId });
      const mayBeSent = run.mayHaveSentBefore && sending.recovery === 'status';
      const state = begin(row, { state: earlier?.state, mayBeSent, nowMs: run.now() });
      const pending: Pending = Object.assign(row, { state });
      if (hidden.length > 0) pending.secrets = hidden;
      return pending;
    } catch (thrown) {
      return run.invalid(thrown);
    }
  };
  for (const index of run.items.keys()) slots.push(prepare(index));
  repeated?.showHint();
  return slots;
}

/**
 * Gives the message that leaves the node's own callback address of a row that repeats it: of the rows of a run that wait for
 * delivery only a few have it.
 */
function passOnAddress({ operation: { hook }, callbacks }: Outgoing, first: Slot): void {
  if (hook === undefined || callbacks?.hook !== undefined || !isPending(first)) return;
  if (first.operation.hook !== undefined) return;
  first.operation.hook = hook;
  first.secrets = [...(first.secrets ?? []), ...addressSecrets(hook)];
}

const repeatedId = (id: unknown, first: number): InvalidParameter =>
  new InvalidParameter(
    quoted(MESSAGE_ID_LABEL),
    'different for each item, or empty to have the node create one',
    id,
    `is the same as for item ${first}`,
  );
