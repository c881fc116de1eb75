import type {
  IExecuteFunctions,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { RefusedCall } from '../gateway/callback/refused-call';
import { answerCall } from '../n8n/incoming-call';
import { answerAgent } from './agent/answer';
import { isAgentTool } from './agent/detect';
import { OPERATIONS } from './operations/index';
import type { OperationDefinition } from './run/run';
import { showOutcome } from './run/hints';
import type { ItemResult } from './run/item-result';
import { isFailed } from './run/item-result';
import { failedItems, toItems } from './run/output';
import { Run } from './run/run';

const findOperation = (resource: unknown, operation: unknown): OperationDefinition | undefined =>
  OPERATIONS.find((one) => one.resource === resource && one.operation === operation);

/**
 * Runs the operation that the form selects over the items of the node.
 * @throws NodeOperationError when there is no such operation, and errors of n8n's engine where it can't be read;
 *   NodeOperationError, NodeApiError of the first item that failed; all of them only where On Error is set to stop
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  if (context.getInputData().length === 0) return [];
  try {
    return await executeSelected(context);
  } catch (thrown) {
    const error = thrown as Error;
    if (!context.continueOnFail()) throw error;
    return failedItems(context, error);
  }
}

async function executeSelected(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const resource = context.getNodeParameter('resource', 0);
  const operation = context.getNodeParameter('operation', 0);
  const definition = findOperation(resource, operation);
  if (!definition) {
    throw new NodeOperationError(
      context.getNode(),
      `The resource "${String(resource)}" has no operation "${String(operation)}"`,
      { description: "Choose the 'Resource' and the 'Operation' from their lists." },
    );
  }
  const run = new Run(context, definition);
  const work = async () => {
    const results = await definition.run(run);
    showOutcome(run, results);
    // n8n may run the node again for an error of its first item, whatever On Error says: only a run without errors is closed.
    if (results.every(isFlawless)) run.journal.close();
    return toItems(run, results);
  };
  return isAgentTool(context) ? await answerAgent(run, work) : await work();
}

const isFlawless = (result: ItemResult): boolean =>
  !isFailed(result) && result.jsons.every(({ error }) => error === undefined);

/** Takes a call to an execution that sleeps in this node. Never throws. */
export const receiveWhileWaiting = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
  await answerCall(context, async () => {
    const definition = findOperation(
      context.getNodeParameter('resource'),
      context.getNodeParameter('operation'),
    );
    if (definition?.whileWaiting) return await definition.whileWaiting(context);
    throw new RefusedCall(410, 'The execution does not wait for this');
  });
