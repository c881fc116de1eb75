import type { IDataObject } from 'n8n-workflow';

import { addressSecrets } from '../../gateway/callback/address';
import type { CallbackFields } from '../../gateway/callback/message-facts';
import type { Row } from '../../gateway/client/row';
import { READY, UNDER_WAY } from '../../gateway/client/row';
import type { WireOperation } from '../../gateway/contract/operations';
import { sendsMessage } from '../../gateway/contract/operations';
import type { Report } from '../../gateway/delivery/reports';
import { Item } from './item';
import { incompleteItem, invalidItem, notAcceptedItem } from './item-errors';
import type { DoneItem, DoneState, FailedItem, ItemResult } from './item-result';
import type { IndexedRow, Journal, JournalEntry } from './journal';
import { stopAtInvalidItems } from './output';
import type { Run } from './run';

/** A row of a run, from its form to its result; the client takes it as its `Row`. */
export interface OutgoingRow extends IndexedRow {
  /** Whether the row is only shown, not sent. */
  checkOnly: boolean;

  /** The user's own settings for callbacks: rows that differ in these are no repeats. Addresses that the node makes differ in all rows. */
  callbacks?: { hook?: unknown; callbackFields?: unknown };

  /** The Callback Fields of a message that waits for delivery, whose output brings them back. */
  fields?: CallbackFields;

  /** The option Repeated Messages, unless it is Send Once. */
  ifRepeated?: 'sendAll' | 'refuse';

  /** The text of its SMS, where that was shortened. */
  unshortened?: string;

  /** How its output is made, where its form decides that. */
  result?: ResultOf;

  /** Texts in the operation that only its recipient may see: they are masked in everything that is shown or kept. */
  secrets?: readonly string[];
}

/** An item of a run before anything leaves: a row, or the result of an item that sends nothing. */
export type RowOrResult = OutgoingRow | ItemResult;

export const isRow = (row: RowOrResult): row is OutgoingRow => 'operation' in row;

/** Returns the texts of a row that only its recipient, or the gateway, may see. */
export const secretsOf = ({ secrets = [], operation: { hook } }: OutgoingRow): readonly string[] =>
  hook === undefined ? secrets : [...secrets, ...addressSecrets(hook)];

/**
 * A step on the way of a row, which changes the row or decides about it. Returns the result of a row that ends here, undefined
 * for one that goes on to the next step.
 * @throws InvalidParameter or NodeOperationError for a row that may not be sent
 */
export type Step = (row: OutgoingRow, item: Item) => ItemResult | undefined;

/** A step that changes the row. */
export type RowChange = (row: OutgoingRow, item: Item) => undefined;

/** A step that may only throw. */
export type RowRefusal = (row: Readonly<OutgoingRow>, item: Item) => undefined;

/** A step that may only end the row, such as a row to a person who said stop. */
export type RowSpare = (row: Readonly<OutgoingRow>, item: Item) => ItemResult | undefined;

/**
 * A decision about rows among each other, behind all steps of all rows. Takes what became of each item; returns the step of each row
 * that is left.
 */
export type RowComparison = (
  rows: readonly RowOrResult[],
) => (row: Readonly<OutgoingRow>) => ItemResult | undefined;

/** The fields of a sent operation that the output of its item needs. */
interface SentOperation extends IDataObject {
  id?: number | string;
  type: string;
  phone?: number;
}

/** An accepted operation; `payload` is the `data` of its result item, with extra properties. */
export interface Accepted {
  /** What became of it, for the output of a send. */
  result: DoneState;
  sent: SentOperation;
  payload: unknown;

  /** Set for a queued operation. */
  requestId?: string;

  /** The answer of `status`, where the gateway was asked whether it took the operation; there is no other payload then. */
  report?: Report;
}

/**
 * Makes the output of an accepted item; or its failure, where the gateway found nothing to do, such as no template to delete. Undefined
 * where the answer lacks the one-time password, which the gateway returns only once.
 */
export type ResultOf = (accepted: Accepted) => IDataObject[] | FailedItem | undefined;

/**
 * Makes the rows of a run before anything is sent: `build` makes the operation of an item, and throws InvalidParameter; it has
 * to make the same again in a later try, or in a Retry. `steps` change its row and decide about it, then `comparisons`.
 * @returns for each item its row, or its result: that of an earlier try, or of an item that sends nothing
 * @throws NodeOperationError for the first invalid item, where On Error is set to stop
 */
export function prepareRows(
  run: Run,
  build: (item: Item) => WireOperation,
  { steps, comparisons }: Decisions,
): RowOrResult[] {
  const rows = run.items.map((_, index) => prepareRow(new Item(run, index), build, steps));
  compareRows(run, rows, comparisons);
  stopAtInvalidItems(run, rows);
  return rows;
}

/** What decides about the rows of a run, in order. */
export interface Decisions {
  steps: readonly Step[];
  comparisons: readonly RowComparison[];
}

/**
 * Compares rows with each other. A row that a comparison ends gives its place in the list to its result. `inputOf` returns the index
 * of the input item of a row, where that isn't the index of its message.
 */
export function compareRows(
  run: Run,
  rows: RowOrResult[],
  comparisons: readonly RowComparison[],
  inputOf = ({ index }: OutgoingRow): number => index,
): void {
  for (const compare of comparisons) {
    const decide = compare(rows);
    rows.forEach((row, index) => {
      if (!isRow(row)) return;
      try {
        const result = decide(row);
        if (result !== undefined) rows[index] = result;
      } catch (thrown) {
        rows[index] =
          row.state.is === 'unknown'
            ? notAcceptedItem(run, row.state, row)
            : invalidItem(run, inputOf(row), thrown);
      }
    });
  }
}

/** Makes the row of an item, or its result, as `prepareRows` does. */
export function prepareRow(
  item: Item,
  build: (item: Item) => WireOperation,
  steps: readonly Step[],
): RowOrResult {
  const { run, index } = item;
  const { journal } = run;
  // Looked up first without the form, which may have been edited before a Retry.
  const done = doneBefore(journal.find(index), journal);
  if (done) return done;
  try {
    const operation = build(item);
    // Looked up again: for an agent's tool, `build` has told the journal under which place the entry of the message stands.
    const entry = journal.find(index);
    const doneCall = doneBefore(entry, journal);
    if (doneCall) return doneCall;
    // Another message begins anew. But while the old message is in doubt, the item keeps that doubt: begun anew, nobody would ever ask
    // about the old message.
    const isOther = entry?.sent !== undefined && isOtherMessage(entry, operation, run);
    if (entry?.state?.is === 'unknown' && isOther) return recordedFailure(run, entry);
    const before = isOther ? undefined : entry;
    const { state = READY, departures }: Partial<Row> = before ?? {};
    const row: OutgoingRow = { index, operation, endpoint: 'sync', checkOnly: false, state, departures };
    if (sendsMessage(operation.type)) {
      if (item.hasOwnId) row.hasOwnId = true;
      if (journal.past.isRetry) row.mayHaveBeenSent = true;
      if (journal.past.wasBegun) row.wasBegun = true;
    }
    for (const step of steps) {
      const result = step(row, item);
      if (result) return result;
    }
    return row;
  } catch (thrown) {
    // A message in doubt stays so, though its form, which may have been edited before a Retry, can't be read any more.
    const entry = journal.find(index);
    if (entry?.state?.is === 'unknown') return recordedFailure(run, entry);
    return invalidItem(run, item.input, thrown);
  }
}

/** Returns the result of a row that is done, whatever its form says now; undefined for any other. */
function doneBefore(entry: JournalEntry | undefined, journal: Journal): ItemResult | undefined {
  if (entry?.jsons) {
    const done: DoneItem = { jsons: entry.jsons, repeats: entry.repeats };
    if (done.repeats === undefined && !journal.leftHere(entry)) done.sentBefore = true;
    return done;
  }
  return entry?.sent && entry.isCodeLost ? incompleteItem(entry.sent) : undefined;
}

/** Whether an operation is another message than the one that an earlier try sent: it goes to another number, or to another account. */
const isOtherMessage = ({ sent, account }: JournalEntry, { phone }: WireOperation, run: Run): boolean =>
  sent?.phone !== phone || account !== run.journal.account;

/**
 * Returns what the journal knows of an item, as its result, for a run that something has broken off: whatever must not be repeated is in
 * the journal. Undefined for an item of which nothing left.
 */
export function resultSoFar(run: Run, index: number): ItemResult | undefined {
  const entry = run.journal.find(index);
  return doneBefore(entry, run.journal) ?? (entry?.sent && recordedFailure(run, entry));
}

/** Returns the failure that an entry records, of which this try can't find out more. */
const recordedFailure = (
  run: Run,
  { sent, endpoint = 'sync', state = UNDER_WAY }: JournalEntry,
): FailedItem => notAcceptedItem(run, state, { operation: sent as WireOperation, endpoint });

/** Whether the gateway may have the message of a row before this try. */
export const mayHaveLeft = ({ state, mayHaveBeenSent }: OutgoingRow): boolean =>
  state.is === 'unknown' || mayHaveBeenSent === true;
