/** n8n's Retry as people press it, of executions of a workflow that they may have changed meanwhile. */
import type { IDataObject } from 'n8n-workflow';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { START } from './real-n8n.mts';

/** Saves a workflow, and returns what people do with it. */
export async function savedWorkflow(client: N8nClient, flow: WorkflowJson) {
  const { id } = await client.createWorkflow(flow);
  return {
    run: async () => await client.waitForExecution(await client.runManually(id, START)),
    async edit(node: string, parameters: IDataObject) {
      const current = await client.call<WorkflowJson>('GET', `/workflows/${id}`);
      const nodes = current.nodes.map((one) => (one.name === node ? { ...one, parameters } : one));
      await client.call('PATCH', `/workflows/${id}`, { ...current, nodes });
    },
    /** The newest execution, once it is another one than that. */
    after: async (last: string) =>
      await until('the Retry', async () => {
        const [newest] = await client.listExecutions(id);
        return newest.id === last ? undefined : newest.id;
      }),
  };
}

/** Presses Retry, with the workflow as it is now; n8n answers when the new execution has ended. */
export const pressRetry = async (client: N8nClient, { id }: { id: string }) =>
  await client.call<{ id: string }>('POST', `/executions/${id}/retry`, { loadWorkflow: true });

/** Presses Retry, and returns the new execution. */
export const retried = async (client: N8nClient, execution: { id: string }) =>
  await client.waitForExecution((await pressRetry(client, execution)).id);
