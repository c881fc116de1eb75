import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { failedJson, parameterError } from '../run/item-errors';
import { labelOf } from './properties';

/** What became of one item: its output items, or its error with fields that the error item carries beside it. */
export type ItemResult =
  | { jsons: IDataObject[] }
  | { error: NodeApiError | NodeOperationError; json?: IDataObject };

/**
 * Runs items one after the other and pairs what they give. With On Error set to stop, the first error ends it.
 * @throws NodeOperationError, NodeApiError of the first item that failed, where the node is to stop
 */
export async function runItems(
  context: IExecuteFunctions,
  one: (itemIndex: number) => Promise<ItemResult>,
): Promise<INodeExecutionData[]> {
  const output: INodeExecutionData[] = [];
  const { length } = context.getInputData();
  for (let item = 0; item < length; item++) {
    const result = await one(item);
    if ('jsons' in result) {
      for (const json of result.jsons) output.push({ json, pairedItem: { item } });
      continue;
    }
    const { error, json } = result;
    if (!context.continueOnFail()) throw withDone(error, output);
    output.push({ json: failedJson(context.getNode(), error, json), pairedItem: { item } });
  }
  return output;
}

/** What the items before gave is not lost with the error that stops the node. */
function withDone(error: NodeApiError | NodeOperationError, output: INodeExecutionData[]): typeof error {
  error.context.accepted = output.map(({ json }) => json);
  return error;
}

/** The error of an item whose parameters are wrong. */
export const invalidItem = (context: IExecuteFunctions, itemIndex: number, problem: unknown): ItemResult => ({
  error:
    problem instanceof NodeOperationError
      ? problem
      : parameterError(context.getNode(), itemIndex, problem, labelOf),
});
