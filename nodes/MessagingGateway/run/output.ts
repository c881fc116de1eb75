import type { IDataObject, INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toErrorBranch } from '../../n8n/undocumented';
import { countFates } from './fates';
import { describe, locate, toNodeError } from './item-errors';
import type { FailedItem, ItemError, ItemResult } from './item-result';
import { isFailed, isCheckOfAll } from './item-result';
import type { Run } from './run';

/**
 * Returns the output items of a run in input order, each paired with its input item. The failed rows of a run that only checks
 * are output among the others, whatever On Error says.
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export function toItems(run: Run, results: ItemResult[]): INodeExecutionData[] {
  const isCheck = isCheckOfAll(results);
  const first = results.findIndex(isFailed);
  if (first >= 0 && run.stopsAtErrors && !isCheck) {
    throw withTally(run, toNodeError(run, first, (results[first] as FailedItem).error), results);
  }
  const items: INodeExecutionData[] = [];
  results.forEach((result, item) => {
    if (isFailed(result)) {
      const told = { error: locate(result.error, run, item), what_to_do: describe(result.error, run, item) };
      // A checked row shows its columns, and on the error branch n8n adds them.
      const row = isCheck && run.node.onError !== 'continueErrorOutput' ? run.items[item].json : {};
      items.push(errorItem(run.node, { ...row, ...result.json }, told, item));
    } else if (result.saved) for (const saved of result.saved) items.push(saved);
    else for (const json of result.jsons) items.push({ json, pairedItem: { item } });
  });
  return items;
}

/**
 * Returns an item with this error for each input item, whatever came before it: where a node throws although On Error is set
 * to continue, n8n passes its input on as if it were a result.
 */
export function failedItems(
  node: INode,
  count: number,
  { message, description }: ItemError,
): INodeExecutionData[] {
  const told = { error: message, what_to_do: description };
  return Array.from({ length: count }, (_, item) => errorItem(node, {}, told, item));
}

/** The texts of an error in the output of its item. */
interface ErrorTexts {
  error: string;
  what_to_do: string;
}

/**
 * Returns the item of an error, of the fields of its message and what is told of it. On the error branch the row has its own
 * columns, which number and type of the message follow from: over them stands only what the row can't say.
 */
function errorItem(node: INode, fields: IDataObject, told: ErrorTexts, item: number): INodeExecutionData {
  const pairedItem = { item };
  if (node.onError !== 'continueErrorOutput') return { json: { ...fields, ...told }, pairedItem };
  const others = Object.entries(fields).filter(([name]) => name !== 'phone' && name !== 'type');
  return toErrorBranch({ json: { ...told, ...Object.fromEntries(others) }, pairedItem }, told.error);
}

/**
 * Ends the run before anything is sent, where an item is invalid and On Error is set to stop, unless the run only checks.
 * Takes what has become of each item so far.
 * @throws NodeOperationError for the first invalid item; its description counts them
 */
export function stopAtInvalidItems(run: Run, entries: readonly object[]): void {
  // A lost answer of an earlier try keeps no other row from being sent.
  const isInvalid = (entry: object): entry is FailedItem =>
    'error' in entry && (entry as FailedItem).state !== 'unknown';
  const item = entries.findIndex(isInvalid);
  if (!run.stopsAtErrors || item === -1 || isCheckOfAll(entries)) return;
  const error = toNodeError(run, item, (entries[item] as FailedItem).error);
  const { length: count } = entries.filter(isInvalid);
  const { length: total } = entries;
  if (count > 1) addTo(error, `${count} of ${total} rows are invalid; this is the first.`);
  if (count < total) addTo(error, GO_ON);
  throw error;
}

const GO_ON =
  "To let the valid rows through, set 'On Error' to 'Continue (using error output)' in the settings of the node.";

function addTo(error: NodeApiError | NodeOperationError, sentence: string): void {
  error.description = `${error.description ?? ''} ${sentence}`.trim();
}

/** Adds the results of the other items to the error that stops the node, so that no accepted item's ids are lost. */
function withTally<E extends NodeApiError | NodeOperationError>(
  { definition: { effect } }: Run,
  error: E,
  results: ItemResult[],
): E {
  const accepted = results.flatMap((result, item) =>
    isFailed(result) || result.checked || result.skipped ? [] : [{ item, ...identifiersOf(result.jsons[0]) }],
  );
  if (results.length > 1) addTo(error, `Of all rows: ${countFates(effect, results)}.`);
  error.context.accepted = accepted;
  return error;
}

/** The identifiers of an accepted item. Other fields may contain a one-time code, and errors are logged. */
function identifiersOf(json: IDataObject = {}): IDataObject {
  const { id, msg_id: messageId, request_id: requestId } = json;
  return { id, msg_id: messageId, request_id: requestId };
}
