import { otherwise } from '../../gateway/client/next';
import type { RowState } from '../../gateway/client/row';
import { sendOperations } from '../../gateway/client/send';
import { Witnesses } from '../../gateway/client/witnesses';
import { secretMasker } from '../../gateway/text/secrets';
import { isMessage } from '../run/description';
import { Item } from '../run/item';
import { incompleteItem, notAcceptedItem } from '../run/item-errors';
import type { DoneItem, FailedItem, ItemError, ItemResult } from '../run/item-result';
import { repeatedResult } from '../run/item-result';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import { beyondLimits } from './limits';
import type { PreparedRow, RepeatedRow } from './prepare';
import { isPending, prepareItems } from './prepare';
import type { Pending, SentOperation, Sending } from './sending';

/**
 * Sends one operation for each item of a run, in batches, and determines the outcomes. Items that an earlier try of
 * this run sent are not sent again. With On Error set to stop, invalid input ends the run before any request.
 * @returns one result for each item, in order
 * @throws NodeOperationError for invalid input, settings or addresses
 */
export async function send(run: Run, sending: Sending): Promise<ItemResult[]> {
  const { settled, messages } = await prepare(run, sending);
  const refusal = isMessage(run.definition) ? beyondLimits(run, messages) : undefined;
  if (refusal) for (const message of messages) settled[message.index] = refused(message, refusal);
  else await sendMessages(run, sending, messages, settled);
  const results: ItemResult[] = [];
  for (const row of settled as Array<ItemResult | RepeatedRow>)
    results.push('takes' in row ? repeatedResult(results[row.takes.item], row.takes) : row);
  return results;
}

/** What each item has come to, by its index; undefined for a message whose fate is open. */
type Settled = Array<ItemResult | RepeatedRow | undefined>;

/**
 * Prepares the items of a run, and reserves what is counted.
 * @returns the messages to send, and what the other items have come to already
 * @throws NodeOperationError for invalid input, where On Error is set to stop
 */
async function prepare(run: Run, sending: Sending): Promise<{ settled: Settled; messages: Pending[] }> {
  const { allowedPrefixes } = await run.connection();
  const rows = prepareItems(run, sending, allowedPrefixes);
  stopAtInvalidItems(run, rows);
  const refusals = await reserveAll(rows);
  if (refusals.size > 0 && run.stopsAtErrors) {
    stopAtInvalidItems(
      run,
      rows.map((row, index) => refusals.get(index) ?? row),
    );
  }
  const messages: Pending[] = [];
  const settled = rows.map((row, index) => {
    const refusal = refusals.get(index);
    if (refusal || !isPending(row)) return refusal ?? (row as ItemResult | RepeatedRow);
    const { sent, lacking } = run.journal.find(index) ?? {};
    if (sent && lacking) return incompleteItem(sent);
    messages.push(row);
    return undefined;
  });
  return { settled, messages };
}

/**
 * Sends messages, by their endpoints. Consumes the list, so that texts that were sent can be freed: they are most of what a
 * run holds. Fills in their results where those of the other items are: a map of their own would be held beside them.
 * @throws NodeOperationError where the credential lacks a usable address
 */
async function sendMessages(
  run: Run,
  sending: Sending,
  messages: Pending[],
  settled: Settled,
): Promise<void> {
  if (messages.length === 0) return;
  const mask = secretMasker(messages.flatMap(({ secrets = [] }) => secrets));
  const endpoints = new Set(messages.map(({ endpoint }) => endpoint));
  const transport = await run.transport(endpoints);
  run.journal.own();
  const byEndpoint = new Map(
    [...endpoints].map((name) => [name, messages.filter(({ endpoint }) => endpoint === name)]),
  );
  messages.length = 0;
  const witnesses = new Witnesses();
  for (const [endpoint, rows] of byEndpoint) {
    await sendOperations(
      rows,
      { ...run.settings, endpoint, recovery: sending.recovery },
      {
        transport,
        witnesses,
        unusedId: () => run.journal.madeId(-1),
        now: () => run.now(),
        sleep: async (milliseconds) => await run.sleep(milliseconds),
        stopped: () => run.isStopped,
        record: (pending) => {
          const result = settle(run, sending, pending, mask(pending.state));
          if (result) settled[pending.index] = result;
        },
      },
    );
  }
}

/**
 * Reserves what is counted, one after the other, so that the items of a run count for each other.
 * @returns the failures of those that may not be sent, by the index of their items
 */
async function reserveAll(rows: readonly PreparedRow[]): Promise<Map<number, FailedItem>> {
  const refusals = new Map<number, FailedItem>();
  for (const row of rows) {
    // What an earlier try may have sent has been counted.
    if (!isPending(row) || !row.reserve || isCounted(row)) continue;
    const refusal = await row.reserve();
    if (refusal) refusals.set(row.index, refusal);
  }
  return refusals;
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
  if (state.is === 'accepted') return accept(run, sending, { pending, sent }, state);
  // What is unknown may have been sent by another Retry of the execution, though it never left in this one.
  if (state.past.left || state.is === 'asking' || state.is === 'unknown')
    run.journal.record(index, { sent, state });
  if (state.is === 'ready' || state.is === 'asking') return undefined;
  const failed = notAcceptedItem(run, state, operation);
  return state.past.before === 'refused' ? { ...failed, before: 'refused' } : failed;
}

function accept(
  run: Run,
  sending: Sending,
  { pending: { index, hasOwnId }, sent }: { pending: Pending; sent: SentOperation },
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
  const before = past.before ?? (duplicate && hasOwnId ? 'perhaps' : undefined);
  if (before) done.before = before;
  run.journal.record(index, done);
  return done;
}
