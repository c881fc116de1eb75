import { otherwise } from '../../gateway/client/next';
import type { RowState } from '../../gateway/client/row';
import { sendOperations } from '../../gateway/client/send';
import { secretMasker } from '../../gateway/text/secrets';
import { isMessage } from '../run/description';
import { Item } from '../run/item';
import { incompleteItem, notAcceptedItem } from '../run/item-errors';
import type { DoneItem, FailedItem, ItemError, ItemResult } from '../run/item-result';
import { isFailed, repeatedResult } from '../run/item-result';
import { ownRun } from '../run/journal';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { beyondLimits } from './limits';
import { isPending, prepareItems } from './prepare';
import type { Slot } from './prepare';
import type { Pending, SentOperation, Sending } from './sending';

/**
 * Sends one operation for each item of a run, in batches, and determines the outcomes. Items that an earlier try of
 * this run sent are not sent again. With On Error set to stop, invalid input ends the run before any request.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function send(run: Run, sending: Sending): Promise<ItemResult[]> {
  const { allowedPrefixes } = await run.connection();
  const slots = prepareItems(run, sending, allowedPrefixes);
  stopAtInvalidItems(run, slots);
  await reserveAll(run, slots);
  const messages: Pending[] = [];
  slots.forEach((slot, index) => {
    if (!isPending(slot)) return;
    const { sent, lacking } = run.journal.find(index) ?? {};
    if (sent && lacking) slots[index] = incompleteItem(sent);
    else messages.push(slot);
  });
  const refusal = isMessage(run.definition) ? await beyondLimits(run, messages) : undefined;
  if (refusal) for (const message of messages) slots[message.index] = refused(message, refusal);
  else if (messages.length > 0) {
    const mask = secretMasker(messages.flatMap(({ secrets = [] }) => secrets));
    const endpoints = new Set(messages.map(({ endpoint }) => endpoint));
    const transport = await run.transport(endpoints);
    const { settings } = run;
    ownRun(run.context, run.index);
    // Handed over: what has been sent is not kept here, since its texts are most of what a run holds.
    const entries = new Map(
      [...endpoints].map((name) => [name, messages.filter((m) => m.endpoint === name)]),
    );
    messages.length = 0;
    for (const [endpoint, open] of entries) {
      await sendOperations(
        open,
        { ...settings, endpoint, recovery: sending.recovery },
        {
          transport,
          now: run.now,
          sleep: run.sleep,
          stopped: run.isStopped,
          record: (pending) => {
            const result = settle(run, sending, pending, mask(pending.state));
            if (result) slots[pending.index] = result;
          },
        },
      );
    }
  }
  const results = slots as ItemResult[];
  results.forEach((result, index) => {
    if (isFailed(result) || result.checked || !result.repeats) return;
    results[index] = repeatedResult(results[result.repeats.item], result.repeats);
  });
  return results;
}

/** Reserves what is counted, one after the other, so that the items of a run count for each other. */
async function reserveAll(run: Run, slots: Slot[]): Promise<void> {
  // What an earlier try may have sent has been counted.
  const reserving = slots.filter((slot) => isPending(slot) && slot.reserve && !isCounted(slot)) as Pending[];
  for (const pending of reserving) {
    const reserved = await pending.reserve?.();
    if (reserved === undefined) continue;
    if ('error' in reserved) slots[pending.index] = reserved;
    else pending.release = () => reserved.release();
  }
  if (reserving.length === 0 || !run.stopsAtErrors) return;
  if (slots.some((slot) => 'error' in slot)) for (const slot of slots.filter(isPending)) slot.release?.();
  stopAtInvalidItems(run, slots);
}

/** Whether an earlier try counted a row, and didn't take that back. */
const isCounted = ({ state }: Pending): boolean =>
  state.is === 'asking' && state.cause !== 'refusedBefore' && state.cause !== 'notSentBefore';

function refused({ operation: { id, type, phone }, state: row }: Pending, error: ItemError): FailedItem {
  const state = row.is === 'asking' ? otherwise(row).is : 'notSent';
  return { error, state, json: { id, type, phone, state } };
}

/** Records the state of a row in the journal. Returns the result of its item, once that is final. */
function settle(run: Run, sending: Sending, pending: Pending, state: RowState): ItemResult | undefined {
  const { index, operation } = pending;
  const { id, type, phone } = operation;
  const sent: SentOperation = { id, type, phone };
  if (state.is === 'accepted') return accept(run, sending, { index, sent }, state);
  if (state.past.left || state.is === 'asking') run.journal.record(index, { sent, state });
  if (state.is === 'ready' || state.is === 'asking') return undefined;
  // What may be taken after all stays counted.
  if (state.is === 'notSent' || state.is === 'refused') pending.release?.();
  const failed = notAcceptedItem(run, state, operation);
  return state.past.before === 'refused' ? { ...failed, before: 'refused' } : failed;
}

function accept(
  run: Run,
  sending: Sending,
  { index, sent }: { index: number; sent: SentOperation },
  { payload, requestId, report, duplicate, past }: Extract<RowState, { is: 'accepted' }>,
): ItemResult {
  if (sending.lacksCode?.(payload, sent)) {
    // Accepted, but of no use without it: it must not be repeated, and isn't a success.
    run.journal.record(index, { sent, lacking: true });
    return incompleteItem(sent);
  }
  const item = new Item(run, index);
  const accepted = sending.result({ sent, payload, requestId, report }, item);
  const jsons = duplicate ? accepted.map((json) => ({ ...json, duplicate })) : accepted;
  // One object for both, to save memory with many items.
  const done: DoneItem = { jsons };
  if (past.before) done.before = past.before;
  run.journal.record(index, done);
  return done;
}
