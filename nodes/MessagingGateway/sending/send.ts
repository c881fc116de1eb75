import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import type { Outcome } from '../../gateway/client/outcome';
import type { SendTools } from '../../gateway/client/send';
import { sendOperations } from '../../gateway/client/send';
import type { Endpoint } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import type { WireOperationDefinition } from '../run/definition';
import type { ItemReader } from '../parameters/item-reader';
import { createItemReader } from '../parameters/item-reader';
import { labelOf } from '../properties';
import { checkedOutput } from './preview';
import type { LabelOf, Tally } from '../run/item-errors';
import { failedJson, outcomeError, parameterError, withTally } from '../run/item-errors';
import { addHooks } from './callback-address';
import { httpTransport, readConnection } from '../../n8n/json-transport';
import type { SentOperation } from '../run/journal';
import { Journal } from '../run/journal';
import { runIndexOf } from '../run/message-ids';
import type { Prepared } from './prepare';
import { prepareItems } from './prepare';
import type { RunSettings } from '../run/settings';
import { readRunSettings } from '../run/settings';
import { waitIfWanted } from '../waiting/prepare-wait';

type Ready = Extract<Prepared, { ok: true }>;

/** What became of one item. */
type Result =
  | { kind: 'sent'; operation: SentOperation; outcome: Outcome }
  | { kind: 'checked'; prepared: Ready }
  | { kind: 'invalid'; problem: unknown };

/**
 * Runs one operation over all items of the node: builds every operation, sends them in batches, and gives the
 * output items in input order. With On Error set to stop, bad input stops the node before a request leaves.
 *
 * @throws NodeOperationError for input that can't be sent; NodeApiError when the gateway refused an item or
 *   its outcome is unknown, and the node is to stop
 */
export async function runOperation(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
): Promise<INodeExecutionData[]> {
  const items = context.getInputData();
  const reader = createItemReader(context);
  const journal = new Journal(context, runIndexOf(context));
  const results: Result[] = [];

  const open = items
    .map((_, index) => index)
    .filter((index) => {
      const entry = journal.find(index);
      if (entry?.accepted === undefined) return true;
      results[index] = { kind: 'sent', operation: entry.operation, outcome: entry.accepted };
      return false;
    });

  const sendable = (): Ready[] => {
    const ready: Ready[] = [];
    const preparedItems = prepareItems(context, definition, reader, items, open);
    for (const prepared of addHooks(context, definition, reader, preparedItems)) {
      if (!prepared.ok) results[prepared.index] = { kind: 'invalid', problem: prepared.problem };
      else if (prepared.checkOnly) results[prepared.index] = { kind: 'checked', prepared };
      else ready.push(prepared);
    }
    return ready;
  };
  const waiting = groups(sendable(), journal);
  if (!context.continueOnFail()) throwFirstInvalid(context, definition, results);

  await sendGroups(context, definition, reader, journal, waiting, results);
  const output = toOutput(context, definition, reader, results);
  const settings = () => runSettings(context, definition, reader);
  const isTaken = (index: number) => isAccepted(results[index]);
  const waited = await waitIfWanted(context, definition, reader, output, isTaken, settings);
  // n8n may run the node again when its first item carries an error, whatever On Error says; only a run
  // without any can be forgotten.
  if (waited.every(({ json }) => json.error === undefined)) journal.close();
  return waited;
}

const isAccepted = (result: Result): boolean => result.kind === 'sent' && result.outcome.state === 'accepted';

const isBad = (result: Result): boolean => result.kind !== 'checked' && !isAccepted(result);

/** Labels of the operation's form, for errors. */
const labelsOf =
  (definition: WireOperationDefinition): LabelOf =>
  (parameter) =>
    labelOf(definition, parameter);

function throwFirstInvalid(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  results: Result[],
): void {
  const invalid = Object.entries(results).filter(([, result]) => result?.kind === 'invalid');
  if (invalid.length === 0) return;
  const [index, first] = invalid[0] as [string, Extract<Result, { kind: 'invalid' }>];
  const error = parameterError(context.getNode(), Number(index), first.problem, labelsOf(definition));
  if (invalid.length > 1) {
    error.description = `${invalid.length} items can't be sent. The first: ${error.description ?? ''}`;
  }
  throw error;
}

async function sendGroups(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
  journal: Journal,
  waiting: Group[],
  results: Result[],
): Promise<void> {
  if (waiting.length === 0) return;
  const { batchSize, parallel, pause, timeout } = runSettings(context, definition, reader);
  const { recovery } = definition;
  const connection = await readConnection(context);
  for (const { endpoint } of waiting) {
    const address = connection.addresses[endpoint];
    if (address.ok) continue;
    throw new NodeOperationError(context.getNode(), address.message, { description: address.description });
  }
  const signal = context.getExecutionCancelSignal();
  const transport = httpTransport(context, connection, timeout);

  for (const { endpoint, askFirst, indexes, operations } of waiting) {
    const sent = operations.map(({ id, type, phone }): SentOperation => ({ id, type, phone }));
    const tools: SendTools = {
      transport,
      // An execution that is stopped ends the wait; what follows sees that it is stopped.
      sleep: async (milliseconds) => await sleep(milliseconds, signal).catch(() => undefined),
      stopped: () => signal?.aborted === true,
      record: (position, outcome) => {
        const index = indexes[position];
        const operation = sent[position];
        journal.note(index, operation, outcome);
        results[index] = { kind: 'sent', operation, outcome };
      },
    };
    await sendOperations(operations, { endpoint, batchSize, parallel, pause, recovery, askFirst }, tools);
  }
}

function runSettings(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
): RunSettings {
  try {
    return readRunSettings(reader);
  } catch (problem) {
    const error = parameterError(context.getNode(), 0, problem, labelsOf(definition));
    throw error;
  }
}

interface Group {
  endpoint: Endpoint;
  askFirst: boolean;
  /** Indexes of the items, and their operations in the same order. */
  indexes: number[];
  operations: WireOperation[];
}

/** The items by endpoint; those whose outcome an earlier try left unknown keep their id and are asked about first. */
function groups(ready: Ready[], journal: Journal): Group[] {
  const all: Group[] = (['sync', 'async'] as const).flatMap((endpoint) =>
    [true, false].map((askFirst): Group => ({ endpoint, askFirst, indexes: [], operations: [] })),
  );
  for (const { index, operation, endpoint } of ready) {
    const earlier = journal.find(index);
    if (earlier) operation.id = earlier.operation.id;
    const askFirst = earlier !== undefined;
    const group = all.find((one) => one.endpoint === endpoint && one.askFirst === askFirst);
    group?.indexes.push(index);
    group?.operations.push(operation);
  }
  return all.filter(({ indexes }) => indexes.length > 0);
}

/**
 * The output items in input order. With On Error set to stop, throws for the first item that the gateway did not
 * take; otherwise such items carry their error.
 */
function toOutput(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
  results: Result[],
): INodeExecutionData[] {
  const node = context.getNode();
  const labels = labelsOf(definition);
  const output: INodeExecutionData[] = [];
  const tally: Tally = { accepted: [], refused: 0, notSent: 0, unknown: 0 };
  const fail = (item: number, error: NodeOperationError | NodeApiError, sent?: IDataObject) =>
    output.push({ json: failedJson(node, error, sent), pairedItem: { item } });
  const failed = results.some(isBad);

  results.forEach((result, item) => {
    if (result.kind === 'checked') {
      output.push({ json: checkedOutput(result.prepared.operation), pairedItem: { item } });
    } else if (result.kind === 'invalid') {
      fail(item, parameterError(node, item, result.problem, labels));
    } else if (result.outcome.state === 'accepted') {
      const { payload, requestId } = result.outcome;
      const read = (name: string, fallback: unknown) => reader.read(name, item, fallback);
      const jsons = definition.output({ operation: result.operation, payload, requestId }, read);
      for (const json of jsons) output.push({ json, pairedItem: { item } });
      if (!failed) return;
      const { id, msg_id: messageId, request_id: request } = jsons[0] ?? {};
      tally.accepted.push({ item, id, msg_id: messageId, request_id: request });
    } else {
      tally[result.outcome.state] += 1;
      const { id, type, phone } = result.operation;
      fail(item, outcomeError(node, item, result.outcome, id), {
        id,
        type,
        phone,
        state: result.outcome.state,
      });
    }
  });

  if (failed && !context.continueOnFail()) throw withTally(firstOutcomeError(node, results), tally);
  return output;
}

function firstOutcomeError(node: INode, results: Result[]): NodeApiError {
  for (const [item, result] of results.entries()) {
    if (result.kind === 'sent' && result.outcome.state !== 'accepted') {
      return outcomeError(node, item, result.outcome, result.operation.id);
    }
  }
  throw new TypeError('No item failed');
}
