import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { answerAgent } from './agent/answer';
import { isAgentTool } from './agent/detect';
import { isWireOperation } from './run/definition';
import { OPERATIONS } from './operations/index';
import { runOperation } from './sending/send';

/**
 * Finds the operation that the form selects and runs it over the items of the node.
 * @throws NodeOperationError when there is no such operation
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  if (context.getInputData().length === 0) return [];
  const resource = context.getNodeParameter('resource', 0);
  const operation = context.getNodeParameter('operation', 0);
  const definition = OPERATIONS.find((one) => one.resource === resource && one.operation === operation);
  if (definition) {
    const run = async () =>
      isWireOperation(definition) ? await runOperation(context, definition) : await definition.run(context);
    return isAgentTool(context) ? await answerAgent(context, definition, run) : await run();
  }
  throw new NodeOperationError(
    context.getNode(),
    `The resource "${String(resource)}" has no operation "${String(operation)}"`,
    { description: "Choose the 'Resource' and the 'Operation' from their lists." },
  );
}
