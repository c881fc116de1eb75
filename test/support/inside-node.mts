/** Runs test code inside a node in n8n's engine. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runWorkflow, SOURCE_NODE, stand } from './engine.mts';

/** Runs a node whose code is `body`. */
export async function insideNode(
  body: (context: IExecuteFunctions) => void,
  items: object[] = [{}],
  parameters: IDataObject = {},
): Promise<void> {
  const probe = stand('probe', ['main'], {
    async execute() {
      body(this);
      return await Promise.resolve([[]]);
    },
  });
  const run = await runWorkflow({
    items: items.map((json) => ({ json }) as never),
    nodeTypes: { 'test.probe': probe },
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: 'Probe', type: 'test.probe', parameters },
    ],
  });
  if (run.error) throw Object.assign(new Error(run.error.message), { cause: run.error });
}

/** The node itself, whose parameters a test may change in the middle of a run. */
export const parametersOf = (context: IExecuteFunctions): Record<string, unknown> =>
  (context as unknown as { node: { parameters: Record<string, unknown> } }).node.parameters;
