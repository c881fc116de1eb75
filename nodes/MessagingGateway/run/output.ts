import type { IDataObject, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { hasErrorDetails } from '../../n8n/engine';
import { locate, toNodeError } from './item-errors';
import type { FailedItem, ItemResult } from './item-result';
import { isFailed } from './item-result';
import type { Run } from './run';

/**
 * Returns the output items of a run in input order, each paired with its input item.
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export function toItems(run: Run, results: ItemResult[]): INodeExecutionData[] {
  if (run.stopsAtErrors) throwFirstFailure(run, results);
  const items: INodeExecutionData[] = [];
  let failed: FailedJson | undefined;
  for (const [item, result] of results.entries()) {
    if (isFailed(result))
      items.push({ json: (failed ??= failedJson(run))(item, result), pairedItem: { item } });
    else if (result.saved) items.push(...result.saved);
    else for (const json of result.jsons) items.push({ json, pairedItem: { item } });
  }
  return items;
}

/** Returns the json of an item that carries its error. */
type FailedJson = (item: number, result: FailedItem) => IDataObject;

/**
 * How the items of a run carry their errors. n8n sends an item to the error branch, merged over its input, when its
 * json has no other fields than `error`, `message` and `details`; `message` is left out there, since rows to be sent
 * often have a column of that name, and `details` where n8n would take the item for one that succeeded. In the ordinary
 * output, the fields of a message that failed are in the same place as those of a sent one.
 */
function failedJson(run: Run): FailedJson {
  const { onError } = run.node;
  const isBranch = onError === 'continueErrorOutput';
  const hasDetails = isBranch && hasErrorDetails(run.node);
  return (item, { error, json = {} }) => {
    const { description } = error;
    const message = locate(error, run, item);
    if (!isBranch) return { ...json, error: message, message: description };
    return hasDetails ? { error: message, details: { ...json, description } } : { error: message };
  };
}

/**
 * Ends the run before anything is sent, where an item is invalid and On Error is set to stop. Takes a function that
 * returns the result of an item, if it has one already.
 * @throws NodeOperationError for the first invalid item; its description counts them
 */
export function stopAtInvalidItems(run: Run, resultOf: (item: number) => ItemResult | undefined): void {
  if (!run.stopsAtErrors) return;
  let first: { item: number; result: FailedItem } | undefined;
  let count = 0;
  for (const item of run.items.keys()) {
    const result = resultOf(item);
    if (result === undefined || !isFailed(result)) continue;
    count += 1;
    first ??= { item, result };
  }
  if (first === undefined) return;
  const error = toNodeError(run, first.item, first.result.error);
  if (count > 1)
    error.description = `${error.description ?? ''} ${count} items are invalid; this is the first.`;
  throw error;
}

function throwFirstFailure(run: Run, results: ItemResult[]): void {
  const first = results.findIndex(isFailed);
  if (first === -1) return;
  const error = toNodeError(run, first, (results[first] as FailedItem).error);
  throw withTally(error, results);
}

/**
 * Adds the results of the other items to the error that stops the node, so that no accepted item is lost: their ids are
 * in the error's context.
 */
function withTally<E extends NodeApiError | NodeOperationError>(error: E, results: ItemResult[]): E {
  const accepted = results.flatMap((result, item) =>
    isFailed(result) || result.checked ? [] : [{ item, ...identifiersOf(result.jsons[0]) }],
  );
  const counts = { refused: 0, notSent: 0, unknown: 0 };
  for (const result of results) if (isFailed(result) && result.state) counts[result.state] += 1;
  const total = accepted.length + counts.refused + counts.notSent + counts.unknown;
  if (total > 1 && total > accepted.length) {
    const parts = [
      `${accepted.length} of ${total} items were accepted`,
      ...(counts.refused > 0 ? [`${counts.refused} refused`] : []),
      ...(counts.notSent > 0 ? [`${counts.notSent} not sent`] : []),
      ...(counts.unknown > 0 ? [`${counts.unknown} with an unknown outcome`] : []),
    ];
    const rest = 'With Retry On Fail, only what was not accepted is sent again.';
    error.description = `${error.description ?? ''} ${parts.join(', ')}. ${rest}`.trim();
  }
  error.context.accepted = accepted;
  return error;
}

/** The identifiers of an accepted item. Other fields may contain a one-time code, and errors are logged. */
function identifiersOf(json: IDataObject = {}): IDataObject {
  const { id, msg_id: messageId, request_id: requestId } = json;
  return { id, msg_id: messageId, request_id: requestId };
}
