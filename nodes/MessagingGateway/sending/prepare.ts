import { READY } from '../../gateway/client/row';
import type { WireOperation } from '../../gateway/contract/operations';
import { sendsMessage } from '../../gateway/contract/operations';
import { Item } from '../run/item';
import { incompleteItem, invalidItem, notAcceptedItem } from '../run/item-errors';
import { stopAtInvalidItems } from '../run/output';
import type { Run } from '../run/run';
import type { OutgoingRow, RowOrResult, Step } from './row';

/**
 * Makes the rows of a run before anything is sent: `build` makes the operation of an item, and throws InvalidParameter; it has
 * to make the same again in a repeated run, where `item.id` stays the same. `steps` change its row and decide about it.
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
  if (entry?.jsons) return { jsons: entry.jsons, before: entry.before, repeats: entry.repeats };
  if (entry?.sent && entry.lacking) return incompleteItem(entry.sent);
  try {
    const operation = build(item);
    const state = entry?.state ?? READY;
    const departures = entry?.departures;
    const row: OutgoingRow = { index, operation, endpoint: 'sync', checkOnly: false, state, departures };
    if (sendsMessage(operation.type)) {
      if (item.hasOwnId) row.hasOwnId = true;
      if (journal.mayHaveSentBefore) row.mayBeSent = true;
    }
    for (const step of steps) {
      const result = step(row, item);
      if (result) return result;
    }
    return row;
  } catch (thrown) {
    // A message in doubt stays so, though its form, which may have been edited before a Retry, can't be read any more.
    if (entry?.sent && entry.state?.is === 'unknown')
      return notAcceptedItem(run, entry.state, { operation: entry.sent as WireOperation, endpoint: 'sync' });
    return invalidItem(run, item.input, thrown);
  }
}
