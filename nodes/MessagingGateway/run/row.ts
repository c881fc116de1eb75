import type { IDataObject } from 'n8n-workflow';

import { addressSecrets } from '../../gateway/callback/address';
import type { CallbackFields } from '../../gateway/callback/message-facts';
import type { NotAccepted, Row } from '../../gateway/client/row';
import { READY } from '../../gateway/client/row';
import type { WireOperation } from '../../gateway/contract/operations';
import { sendsMessage } from '../../gateway/contract/operations';
import type { Report } from '../../gateway/delivery/reports';
import { sendOnceId } from '../../gateway/keys/send-once-id';
import { Item } from './item';
import { incompleteItem, invalidItem, notAcceptedItem } from './item-errors';
import type { FailedItem, ItemResult } from './item-result';
import type { JournalEntry } from './journal';
import { stopAtInvalidItems } from './output';
import type { Run } from './run';

/** A row of a run, from its form to its result; the client takes it as its `Row`. */
export interface OutgoingRow extends Row {
  /** The index of its item. */
  index: number;

  /** Whether the row is only shown, not sent. */
  checkOnly: boolean;

  /** The user's own settings for callbacks: they tell messages apart, while the node's own addresses don't. */
  callbacks?: { hook?: unknown; callbackFields?: unknown };

  /** The Callback Fields of a message that waits for delivery, whose output brings them back. */
  fields?: CallbackFields;

  /** The text of its SMS, where that was shortened. */
  unshortened?: string;

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

/** The fields of a sent operation that the output of its item needs. */
interface SentOperation extends IDataObject {
  id?: number | string;
  type: string;
  phone?: number;
}

/** An accepted operation; `payload` is the `data` of its result item, with extra properties. */
export interface Accepted {
  sent: SentOperation;
  payload: unknown;

  /** Set for a queued operation. */
  requestId?: string;

  /** The answer of `status`, where the gateway was asked whether it took the operation; there is no other payload then. */
  report?: Report;
}

/**
 * Makes the rows of a run before anything is sent: `build` makes the operation of an item, and throws InvalidParameter; it has
 * to make the same again in a repeated run. `steps` change its row and decide about it.
 * @returns for each item its row, or its result: that of an earlier try, or of an item that sends nothing
 * @throws NodeOperationError for the first invalid item, where On Error is set to stop
 */
export function prepareRows(
  run: Run,
  build: (item: Item) => WireOperation,
  steps: readonly Step[],
): RowOrResult[] {
  const rows = run.items.map((_, index) => prepareRow(new Item(run, index), build, steps));
  stopAtInvalidItems(run, rows);
  return rows;
}

/** Makes the row of an item, or its result, as `prepareRows` does. */
export function prepareRow(
  item: Item,
  build: (item: Item) => WireOperation,
  steps: readonly Step[],
): RowOrResult {
  const { run, index } = item;
  const { journal } = run;
  const entry = journal.find(index);
  if (entry?.jsons) return { jsons: entry.jsons, repeats: entry.repeats };
  if (entry?.sent && entry.lacking) return incompleteItem(entry.sent);
  try {
    const operation = build(item);
    const { state = READY, departures } = entry ?? {};
    const row: OutgoingRow = { index, operation, endpoint: 'sync', checkOnly: false, state, departures };
    if (sendsMessage(operation.type)) {
      if (item.hasOwnId) row.hasOwnId = true;
      if (journal.mayHaveSentBefore) row.mayBeSent = true;
      if (entry?.sent && entry.sent.phone !== operation.phone) {
        if (state.is === 'unknown') return stillUnknown(run, entry);
        if (!row.hasOwnId) operation.id = correctedId(operation);
        row.state = READY;
        row.departures = undefined;
      }
    }
    for (const step of steps) {
      const result = step(row, item);
      if (result) return result;
    }
    return row;
  } catch (thrown) {
    // A message in doubt stays so, though its form, which may have been edited before a Retry, can't be read any more.
    if (entry?.state?.is === 'unknown') return stillUnknown(run, entry);
    return invalidItem(run, item.input, thrown);
  }
}

/**
 * Returns the id of a message that was refused, and goes to a corrected number in a Retry: under the first id, `status` would answer
 * with the refusal of the first message. The same in each Retry of the execution, so that the gateway can be asked whether
 * another one has sent it.
 */
const correctedId = ({ id, phone }: WireOperation): number => sendOnceId(`corrected ${id}`, phone as number);

/** Returns the result of a row whose message an earlier try left in doubt, and of which this try can't find out more. */
const stillUnknown = (run: Run, { sent, endpoint = 'sync', state }: JournalEntry): FailedItem =>
  notAcceptedItem(run, state as NotAccepted, { operation: sent as WireOperation, endpoint });

/** Whether the message of a row may have been sent before this try. */
export const mayHaveLeft = ({ state, mayBeSent }: OutgoingRow): boolean =>
  state.is === 'unknown' || mayBeSent === true;
