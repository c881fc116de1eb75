import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WireOperationDefinition } from '../run/definition';
import type { ItemReader } from '../parameters/item-reader';
import { parameterError } from '../run/item-errors';
import { httpTransport, readConnection } from '../../n8n/json-transport';
import { takesHook } from '../sending/callback-address';
import type { RunSettings } from '../run/settings';
import { waitForOutcomes } from '../sleeping/fall-asleep';
import { readWaitLimit, wantsToWait } from './settings';

/**
 * Lets a run whose messages have left wait for their outcomes, where its items say so. Takes the output items and
 * whether the gateway took the message of an input item; returns the output items, those that wait with `outcome`
 * and `final`.
 *
 * @throws NodeOperationError for a limit that can't be meant
 */
export async function waitIfWanted(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
  output: INodeExecutionData[],
  isAccepted: (item: number) => boolean,
  readSettings: () => RunSettings,
): Promise<INodeExecutionData[]> {
  if (!takesHook(definition)) return output;
  const itemOf = (position: number): number => (output[position].pairedItem as { item: number }).item;
  const waiting = [...output.keys()].filter(
    (position) => isAccepted(itemOf(position)) && wantsToWait(reader, itemOf(position)),
  );
  if (waiting.length === 0) return output;
  const { batchSize, timeout } = readSettings();
  const transport = httpTransport(context, await readConnection(context), timeout);
  const limit = limitOf(context, reader, itemOf(waiting[0]));
  return await waitForOutcomes(context, output, waiting, { limit, batchSize, timeout, transport });
}

function limitOf(context: IExecuteFunctions, reader: ItemReader, item: number): number {
  try {
    return readWaitLimit(reader, item);
  } catch (problem) {
    throw parameterError(context.getNode(), item, problem);
  }
}
