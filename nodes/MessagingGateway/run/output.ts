import type { IDataObject, INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { hasErrorDetails } from '../../n8n/engine';
import { locate, toNodeError } from './item-errors';
import type { FailedItem, FailedState, ItemError, ItemResult } from './item-result';
import { isFailed } from './item-result';
import type { Run } from './run';

/**
 * Returns the output items of a run in input order, each paired with its input item.
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export function toItems(run: Run, results: ItemResult[]): INodeExecutionData[] {
  const first = results.findIndex(isFailed);
  if (first >= 0 && run.stopsAtErrors) {
    throw withTally(run, toNodeError(run, first, (results[first] as FailedItem).error), results);
  }
  const errorJson = errorJsonOf(run.node);
  const items: INodeExecutionData[] = [];
  results.forEach((result, item) => {
    if (isFailed(result)) {
      items.push({ json: errorJson(result, locate(result.error, run, item)), pairedItem: { item } });
    } else if (result.saved) for (const saved of result.saved) items.push(saved);
    else for (const json of result.jsons) items.push({ json, pairedItem: { item } });
  });
  return items;
}

/**
 * Returns an item with this error for each input item, whatever came before it: where a node throws although On Error is set
 * to continue, n8n passes its input on as if it were a result.
 */
export function failedItems(node: INode, count: number, error: ItemError): INodeExecutionData[] {
  const json = errorJsonOf(node)({ error }, error.message);
  return Array.from({ length: count }, (_, item) => ({ json: { ...json }, pairedItem: { item } }));
}

/**
 * Returns how the items of a node carry their errors. n8n sends an item to the error branch, merged over its input, when
 * its json has no other fields than `error`, `message` and `details`; `message` is left out there, since rows to be sent
 * often have a column of that name, and `details` where n8n would take the item for one that succeeded. In the ordinary
 * output, the fields of a message that failed are in the same place as those of a sent one.
 */
function errorJsonOf(node: INode): (result: FailedItem, error: string) => IDataObject {
  if (node.onError !== 'continueErrorOutput') {
    return ({ error: { description }, json }, error) => ({ ...json, error, message: description });
  }
  return hasErrorDetails(node)
    ? ({ error: { description }, json }, error) => ({ error, details: { ...json, description } })
    : (_, error) => ({ error });
}

/**
 * Ends the run before anything is sent, where an item is invalid and On Error is set to stop. Takes what has become of
 * each item so far.
 * @throws NodeOperationError for the first invalid item; its description counts them
 */
export function stopAtInvalidItems(run: Run, entries: readonly object[]): void {
  const isInvalid = (entry: object): entry is FailedItem => 'error' in entry;
  const item = entries.findIndex(isInvalid);
  if (!run.stopsAtErrors || item === -1) return;
  const error = toNodeError(run, item, (entries[item] as FailedItem).error);
  const { length: count } = entries.filter(isInvalid);
  if (count > 1)
    error.description = `${error.description ?? ''} ${count} items are invalid; this is the first.`;
  throw error;
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
  const states = results.filter(isFailed).flatMap(({ state }) => state ?? []);
  const total = accepted.length + states.length;
  if (total > 1 && states.length > 0) {
    const { done, fates, again } = TALLIES[effect === 'reads' ? 'reads' : 'does'];
    const parts = [`${accepted.length} of ${total} items were ${done}`];
    for (const [state, words] of Object.entries(fates)) {
      const count = states.filter((one) => one === state).length;
      if (count > 0) parts.push(`${count} ${words}`);
    }
    const verb = effect === 'changes' ? 'tried' : again;
    const isDoubtful = states.includes('unknown') && effect !== 'reads' && effect !== 'changes';
    const asked = isDoubtful ? ', and what is unknown only once the gateway certainly does not have it' : '';
    const rest = `With Retry On Fail, only what was not ${done} is ${verb} again${asked}.`;
    error.description = `${error.description ?? ''} ${parts.join(', ')}. ${rest}`.trim();
  }
  error.context.accepted = accepted;
  return error;
}

interface Tally {
  done: string;
  fates: Record<FailedState, string>;
  again: string;
}

/** The words for what became of items: an operation that reads sends nothing, and one that changes has no messages. */
const TALLIES: Record<'reads' | 'does', Tally> = {
  reads: {
    done: 'answered',
    fates: { refused: 'refused', notSent: 'not asked for', unknown: 'without an answer' },
    again: 'asked for',
  },
  does: {
    done: 'accepted',
    fates: { refused: 'refused', notSent: 'not sent', unknown: 'with an unknown outcome' },
    again: 'sent',
  },
};

/** The identifiers of an accepted item. Other fields may contain a one-time code, and errors are logged. */
function identifiersOf(json: IDataObject = {}): IDataObject {
  const { id, msg_id: messageId, request_id: requestId } = json;
  return { id, msg_id: messageId, request_id: requestId };
}
