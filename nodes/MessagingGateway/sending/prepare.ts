import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Endpoint } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean } from '../fields/values';
import { buildOperation } from './build';
import type { WireOperationDefinition } from '../run/definition';
import type { ItemReader } from '../parameters/item-reader';
import { makeMessageIds } from '../run/message-ids';

/** An item that is ready to be sent, or why it isn't. */
export type Prepared =
  | { index: number; ok: true; operation: WireOperation; endpoint: Endpoint; checkOnly: boolean }
  | { index: number; ok: false; problem: unknown };

/**
 * Builds the operations of the items, all of them before anything is sent. What is wrong with an item is
 * a value, so that the caller can decide whether the others go on.
 */
export function prepareItems(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
  items: INodeExecutionData[],
  indexes: number[],
): Prepared[] {
  const makeId = makeMessageIds(context, items.length);
  let made = 0;
  const all = indexes.map((index): Prepared => {
    try {
      const options = (reader.read('options', index, {}) ?? {}) as Record<string, unknown>;
      const operation = buildOperation(
        definition,
        (name) => reader.read(name, index, undefined),
        options,
        () => {
          made += 1;
          return makeId(index);
        },
      );
      return {
        index,
        ok: true,
        operation,
        endpoint: definition.sends ? readEndpoint(reader.read('delivery', index, 'now')) : 'sync',
        checkOnly: definition.sends && asBoolean(options.checkOnly, 'Check Only') === true,
      };
    } catch (problem) {
      // Kept as a value: an InvalidParameter, or what n8n's engine says of an expression that fails.
      return { index, ok: false, problem };
    }
  });
  // Made ids differ from each other.
  return definition.sends && made < indexes.length ? refuseRepeatedIds(all) : all;
}

function readEndpoint(delivery: unknown): Endpoint {
  if (delivery === 'now') return 'sync';
  if (delivery === 'queued') return 'async';
  throw new InvalidParameter(quoted('Delivery'), 'Now or Queued', delivery);
}

/** Two messages of one run with the same id could not be told apart afterwards. */
function refuseRepeatedIds(all: Prepared[]): Prepared[] {
  const usedBy = new Map<unknown, number>();
  return all.map((prepared): Prepared => {
    if (!prepared.ok) return prepared;
    const { index, operation } = prepared;
    const first = usedBy.get(operation.id);
    if (first === undefined) {
      usedBy.set(operation.id, index);
      return prepared;
    }
    const problem = new InvalidParameter(
      quoted('Message ID'),
      'different for each item, or empty to let the node make one',
      operation.id,
      `item ${first} has the same one`,
    );
    return { index, ok: false, problem };
  });
}
