/** Runs test code inside a node in n8n's engine. */
import type { IExecuteFunctions, INodeTypeDescription } from 'n8n-workflow';

import { runNode, stand } from './engine.mts';

/** Runs a node whose code is `body`, by default without a form. */
export async function insideNode(
  body: (context: IExecuteFunctions) => void,
  items: object[] = [{}],
  description: Partial<INodeTypeDescription> = {},
): Promise<void> {
  const probe = stand('probe', ['main'], {
    async execute() {
      body(this);
      return await Promise.resolve([[]]);
    },
  });
  Object.assign(probe.description, description);
  const { error } = await runNode({
    // The action node's form has nothing else to fill in here.
    parameters: { resource: 'account', operation: 'getBalance' },
    type: 'test.probe',
    nodeTypes: { 'test.probe': probe },
    items: items.map((json) => ({ json }) as never),
  });
  if (error) throw Object.assign(new Error(error.message), { cause: error });
}

/** What a read gives, or the message of what it throws. */
export function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return { thrown: (error as Error).message };
  }
}
