import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { InvalidParameter, quoted } from '../../fields/field';
import { isAgentTool } from '../../agent/detect';
import type { WireOperationDefinition } from '../../operations/definition';
import type { ItemReader } from '../../parameters/item-reader';
import { parameterError } from '../errors';
import { httpTransport, readConnection } from '../http-transport';
import type { Prepared } from '../prepare';
import type { RunSettings } from '../run-settings';
import { resumeAddress } from './address';
import { waitForOutcomes } from './fall-asleep';
import { readWaitLimit, WAIT_LABEL, wantsToWait } from './settings';
import { reportsToHook } from './statements';

const canWait = ({ sends, wireType }: WireOperationDefinition): boolean => sends && reportsToHook(wireType);

/**
 * Gives the operations of items that wait for delivery the address of this execution as their `hook`. An item that
 * has a callback address of its own can't wait: its callbacks go elsewhere.
 *
 * @throws NodeOperationError as a tool of an agent, whose run n8n can't put to sleep
 */
export function addHooks(
  context: IExecuteFunctions,
  definition: WireOperationDefinition,
  reader: ItemReader,
  prepared: Prepared[],
): Prepared[] {
  if (!canWait(definition)) return prepared;
  let address: string | undefined;
  return prepared.map((one): Prepared => {
    if (!one.ok) return one;
    const { index, operation, checkOnly } = one;
    try {
      if (!wantsToWait(reader, index)) return one;
      refuseAsTool(context);
      readWaitLimit(reader, index);
      if (operation.hook !== undefined) {
        throw new InvalidParameter(
          quoted('Callback URL'),
          `empty while ${quoted(WAIT_LABEL)} is on, which needs the callbacks itself`,
          operation.hook,
        );
      }
      // What is only checked is shown, and the address holds a signature.
      if (!checkOnly) operation.hook = address ??= resumeAddress(context);
      return one;
    } catch (problem) {
      return { index, ok: false, problem };
    }
  });
}

function refuseAsTool(context: IExecuteFunctions): void {
  if (!isAgentTool(context)) return;
  throw new NodeOperationError(
    context.getNode(),
    `${quoted(WAIT_LABEL)} does not work in a tool of an agent`,
    {
      description: `Turn ${quoted(WAIT_LABEL)} off. The agent can ask for the outcome with the operation Get Status.`,
    },
  );
}

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
  if (!canWait(definition)) return output;
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
