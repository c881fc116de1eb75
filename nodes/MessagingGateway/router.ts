import type {
  IExecuteFunctions,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isAgentTool } from '../n8n/engine';
import { RefusedCall } from '../gateway/callback/refused-call';
import { answerCall } from '../n8n/incoming-call';
import { takeOwnArguments } from '../n8n/undocumented';
import { answerAgent } from './agent/answer';
import { OPERATIONS } from './operations/index';
import type { OperationDefinition } from './run/run';
import { showOutcome } from './run/hints';
import type { DoneState, ItemResult } from './run/item-result';
import { isFailed } from './run/item-result';
import { failedItems, toItems } from './run/output';
import { resultSoFar } from './run/row';
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
  let run: Run | undefined;
  try {
    const definition = selectedOperation(context);
    run = new Run(context, definition);
    return await executeSelected(run, definition);
  } catch (thrown) {
    const error = thrown as Error;
    if (!context.continueOnFail()) throw error;
    return failedItems(context, error, run);
  }
}

function selectedOperation(context: IExecuteFunctions): OperationDefinition {
  if (isAgentTool(context) && !takeOwnArguments(context)) {
    throw new NodeOperationError(context.getNode(), 'n8n mixed up calls that the agent made at once', {
      description: "Nothing was sent. Set 'Batch Size' of the AI Agent to 1.",
    });
  }
  const resource = context.getNodeParameter('resource', 0);
  const operation = context.getNodeParameter('operation', 0);
  const definition = findOperation(resource, operation);
  if (definition) return definition;
  throw new NodeOperationError(
    context.getNode(),
    `The resource "${String(resource)}" has no operation "${String(operation)}"`,
    { description: "Choose the 'Resource' and the 'Operation' from their lists." },
  );
}

async function executeSelected(run: Run, definition: OperationDefinition): Promise<INodeExecutionData[]> {
  const { context } = run;
  if (run.journal.past.isOfOtherKind) {
    throw new NodeOperationError(
      context.getNode(),
      "A Retry can't go on with another operation than the one that began",
      {
        description:
          "The execution that is repeated has results of the operation that stood in this node before. Nothing was done in this try. Set 'Resource' and 'Operation' back, or run the workflow anew.",
      },
    );
  }
  const work = async () => {
    const results = await resultsOf(run, definition);
    showOutcome(run, results);
    // n8n may run the node again for an error of its first item, whatever On Error says: only a run without errors is closed.
    if (results.every(isFlawless)) run.journal.close();
    return toItems(
      run,
      results.map((result) => inItsWords(run, result)),
    );
  };
  return isAgentTool(context) ? await answerAgent(run, work) : await work();
}

/**
 * Runs an operation. Where it throws in the middle, and On Error is set to continue, the items of which the journal knows something
 * keep that as their result, and the others fail with what was thrown.
 * @throws what the operation throws, where On Error is set to stop, or the journal knows nothing
 */
async function resultsOf(run: Run, definition: OperationDefinition): Promise<ItemResult[]> {
  try {
    return await definition.run(run);
  } catch (thrown) {
    const error = thrown as Error & { description?: string | null };
    const known = definition.isOneForAll ? [] : run.items.map((_, index) => resultSoFar(run, index));
    if (run.stopsAtErrors || !known.some((result) => result !== undefined)) throw error;
    const { message, description } = error;
    const failed: ItemResult = {
      error: { kind: 'input', message, description: description ?? '', wholeRun: true },
      // Another Retry may have sent the row, about which this one has not asked yet.
      ...(run.journal.past.isRetry && { state: 'unknown' }),
    };
    return known.map((result) => result ?? failed);
  }
}

/**
 * Returns the result of a call of an agent's tool. A Retry may take the call for a message that left in other words: the words of the
 * call were not sent, and its result doesn't say so.
 */
function inItsWords({ journal }: Run, result: ItemResult): ItemResult {
  if (!journal.isInOtherWords || isFailed(result) || result.skipped !== undefined || result.checked)
    return result;
  const told = { result: 'duplicate' satisfies DoneState, reason: 'sent_in_other_words' };
  return { ...result, jsons: result.jsons.map((json) => ({ ...json, ...told })) };
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
