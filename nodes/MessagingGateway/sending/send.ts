import { enter } from '../../gateway/client/doubt';
import type { RowState } from '../../gateway/client/row';
import { sendOperations } from '../../gateway/client/send';
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
  const { known } = await run.connection();
  // Another Retry may have sent these: a later try has to know, whatever ends this one.
  for (const row of messages) if (row.mayBeSent) record(run, row, enter(row, run.now()).state);
  run.journal.own();
  const byEndpoint = new Map(
    [...endpoints].map((name) => [name, messages.filter(({ endpoint }) => endpoint === name)]),
  );
  messages.length = 0;
  for (const [endpoint, rows] of byEndpoint) {
    await sendOperations(
      rows,
      { ...run.settings, endpoint, recovery: sending.recovery },
      {
        transport,
        known,
        unusedIds: () => run.journal.unusedIds(),
        now: () => run.now(),
        sleep: async (milliseconds) => await run.sleep(milliseconds),
        stopped: () => run.isStopped,
        record: (pending) => record(run, pending, mask(pending.state)),
        settle: (pending) => {
          settled[pending.index] = settle(run, sending, pending, mask(pending.state));
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
const isCounted = ({ state, mayBeSent }: Pending): boolean => state.is === 'unknown' || mayBeSent === true;

function refused({ operation: { id, type, phone }, state: row }: Pending, error: ItemError): FailedItem {
  const state = row.is === 'unknown' ? row.is : 'notSent';
  return { error, state, json: { id, type, phone, state } };
}

/** Records the state of a row, from which a later try goes on. */
function record(run: Run, { index, operation, departures }: Pending, state: RowState): void {
  const { id, type, phone } = operation;
  run.journal.record(index, { sent: { id, type, phone }, state, departures });
}

/** Returns the result of the item of a row, which has its final state. */
function settle(run: Run, sending: Sending, pending: Pending, state: RowState): ItemResult | undefined {
  const { index, operation, departures, mayBeSent } = pending;
  if (state.is === 'ready') return undefined;
  if (state.is === 'accepted') return accept(run, sending, pending, state);
  if (departures || mayBeSent) record(run, pending, state);
  else run.journal.forget(index);
  return notAcceptedItem(run, state, operation);
}

function accept(
  run: Run,
  sending: Sending,
  { index, hasKey, hasOwnId, operation: { id, type, phone } }: Pending,
  { payload, requestId, report, duplicate }: Extract<RowState, { is: 'accepted' }>,
): ItemResult {
  const sent: SentOperation = { id, type, phone };
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
  if (duplicate && hasKey) done.before = 'sent';
  else if (duplicate && hasOwnId) done.before = 'perhaps';
  run.journal.record(index, done);
  return done;
}
