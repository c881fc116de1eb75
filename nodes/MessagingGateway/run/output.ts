import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toErrorBranch } from '../../n8n/undocumented';
import { countFates, invalidItem, warnOfAnotherStep } from './item-errors';
import type { FailedItem, FailedState, ItemError, ItemResult } from './item-result';
import { isFailed, isCheckOfAll } from './item-result';
import { ownColumns, shownColumns } from './own-columns';
import { doneJson, failedJson, placed } from './row-json';
import type { Run } from './run';

/**
 * Returns the output items of a run in input order, each paired with its input item. The failed rows of a run that only checks
 * are output among the others, whatever On Error says. `isAsleep`: whether the execution is about to sleep with them.
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export function toItems(run: Run, results: ItemResult[], isAsleep = false): INodeExecutionData[] {
  const isCheck = isCheckOfAll(results);
  const first = results.findIndex(isFailed);
  if (first >= 0 && run.stopsAtErrors && !isCheck)
    throw withTally(run, toNodeError(run, first, (results[first] as FailedItem).error), results);
  // A checked row shows its columns.
  const shown = (item: number): IDataObject => shownColumns(run.items[item].json);
  const columnsOf = isCheck ? shown : ownColumns(run, isAsleep);
  const items: INodeExecutionData[] = [];
  results.forEach((result, item) => {
    if (isFailed(result)) {
      const json = failedJson(run, item, result, isCheck);
      items.push(errorItem(run.node, item, { ...columnsOf(item), ...json }, run.items[item].json));
    } else if (result.saved) for (const saved of result.saved) items.push(saved);
    else
      for (const json of result.jsons) {
        const own = result.checked ? shown(item) : columnsOf(item);
        items.push({ json: doneJson(json, own), pairedItem: { item } });
      }
  });
  return items;
}

/**
 * Returns an item for each input item with what was thrown, whatever came before it: where a node throws although On Error is
 * set to continue, n8n passes its input on as if it were a result. Takes the run, if it began.
 */
export function failedItems(context: IExecuteFunctions, thrown: Error, run?: Run): INodeExecutionData[] {
  const {
    message,
    description,
    context: known,
  } = thrown as Error & {
    description?: string | null;
    context?: { whatToDo?: string };
  };
  const todo = known?.whatToDo;
  const error: ItemError = { kind: 'input', message, description: description ?? '', todo, wholeRun: true };
  const result: FailedState = run?.mayHaveSent ? 'unknown' : 'notSent';
  const unread = { result, error: message, what_to_do: error.description };
  return context.getInputData().map(({ json }, item) => {
    const fields = run === undefined ? unread : { ...failedJson(run, item, { error }, false), result };
    return errorItem(context.getNode(), item, fields, json);
  });
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

/**
 * Returns what `work` reads for all rows alike, from the form of the first item.
 * @throws NodeOperationError in place of any error that `work` throws; it names no row, and says in its context what to do
 */
export function readForAll<T>(run: Run, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const failed = invalidItem(run, 0, thrown, true).error;
    const error = toNodeError(run, 0, { ...failed, wholeRun: true });
    error.context.whatToDo = failed.todo;
    throw error;
  }
}

/**
 * Returns what `work` reads from the form of an item without which nothing is sent for any.
 * @throws NodeOperationError in place of any error that `work` throws
 */
export function readForRun<T>(run: Run, item: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const error = toNodeError(run, item, invalidItem(run, item, thrown, true).error);
    throw error;
  }
}

/** Returns n8n's error for an item. All errors of items are created here. */
function toNodeError(run: Run, item: number, error: ItemError): NodeApiError | NodeOperationError {
  const { kind, failure, cause, wholeRun } = error;
  const { message, description } = placed(run, item, error);
  const place = wholeRun ? {} : { itemIndex: item };
  if (kind === 'service') {
    const options = { message, description, ...place, ...(failure !== undefined && { failure }) };
    return new NodeApiError(run.node, {}, options);
  }
  if (cause === undefined) return new NodeOperationError(run.node, message, { ...place, description });
  const ofEngine = new NodeOperationError(run.node, cause, place);
  // A copy: the context belongs to the cause, and its template would replace the message in the editor.
  ofEngine.context = { ...ofEngine.context, ...place };
  delete ofEngine.context.messageTemplate;
  ofEngine.message = message;
  if (description !== '') ofEngine.description = description;
  return ofEngine;
}

/**
 * Returns the item of an error. Takes its json, and the columns of its row, over which n8n merges the json on the error branch:
 * there, `phone` and `type` would overwrite columns from which they came.
 */
function errorItem(node: INode, item: number, json: IDataObject, row: IDataObject): INodeExecutionData {
  const pairedItem = { item };
  if (node.onError !== 'continueErrorOutput') return { json, pairedItem };
  const fields = Object.entries(json).filter(
    ([name]) => name !== 'type' && (name !== 'phone' || !(name in row)),
  );
  return toErrorBranch({ json: Object.fromEntries(fields), pairedItem }, String(json.error));
}

function addTo(error: NodeApiError | NodeOperationError, sentence: string): void {
  error.description = `${error.description ?? ''} ${sentence}`.trim();
}

/** Adds the results of the other items to the error that stops the node, so that no accepted item's ids are lost. */
function withTally<E extends NodeApiError | NodeOperationError>(
  run: Run,
  error: E,
  results: ItemResult[],
): E {
  const accepted = results.flatMap((result, item) =>
    isFailed(result) || result.checked || result.skipped ? [] : [{ item, ...identifiersOf(result.jsons[0]) }],
  );
  const { effect } = run.definition;
  if (results.length > 1) addTo(error, `Of all rows: ${countFates(effect, results)}.`);
  for (const warning of warnOfAnotherStep(run, results)) addTo(error, `${warning}.`);
  error.context.accepted = accepted;
  return error;
}

/** The identifiers of an accepted item. Other fields may contain a one-time code, and errors are logged. */
function identifiersOf(json: IDataObject = {}): IDataObject {
  const { id, msg_id: messageId, request_id: requestId } = json;
  return { id, msg_id: messageId, request_id: requestId };
}
