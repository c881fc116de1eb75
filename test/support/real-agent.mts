/** An AI Agent of a real n8n, with a scripted model. */
import type { IDataObject } from 'n8n-workflow';

import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { rows, workflow } from './real-n8n.mts';

/** Connections of a node to others by an output of this type. */
export const connectedTo = (type: string, ...nodes: string[]): IDataObject => ({
  [type]: [nodes.map((node) => ({ node, type, index: 0 }))],
});

/** A workflow with more nodes, and connections that come in addition or in place of others. */
export const extended = (flow: WorkflowJson, nodes: NodeJson[], connections: IDataObject): WorkflowJson => ({
  ...flow,
  // As the editor saves workflows; an older n8n doesn't wait for tools otherwise.
  settings: { executionOrder: 'v1' },
  nodes: [
    ...flow.nodes,
    ...nodes.map((node) => ({ id: node.name, typeVersion: 1, position: [0, 300], ...node })),
  ],
  connections: { ...flow.connections, ...connections },
});

/** n8n's credential for a scripted model. */
export const modelCredential = async (client: N8nClient, { url }: { url: string }) =>
  await client.createCredential('Model', 'openAiApi', { apiKey: 'none', url });

/**
 * A workflow of the node "Agent" with these tools and a model at this address. `items` is what the agent starts with, `more` are
 * fields of the agent, such as another version; with `review`, the tools are connected to that node, and it to the agent.
 */
export async function agentWorkflow(
  client: N8nClient,
  model: { url: string },
  tools: NodeJson[],
  {
    items = [{}],
    review,
    more = {},
  }: { items?: IDataObject[]; review?: NodeJson; more?: Partial<NodeJson> } = {},
): Promise<WorkflowJson> {
  const type = '@n8n/n8n-nodes-langchain.agent';
  const { id, name } = await modelCredential(client, model);
  const agent: NodeJson = {
    name: 'Agent',
    type,
    typeVersion: await client.latestVersion(type),
    parameters: { promptType: 'define', text: 'Tell the customer that the order is ready', options: {} },
    ...more,
  };
  const languageModel: NodeJson = {
    name: 'Model',
    type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
    typeVersion: 1.2,
    parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: { maxRetries: 0 } },
    credentials: { openAiApi: { id, name } },
  };
  const added = [languageModel, ...tools, ...(review ? [review] : [])];
  return extended(workflow([rows('Item', items), agent]), added, {
    Model: connectedTo('ai_languageModel', 'Agent'),
    ...Object.fromEntries(tools.map((tool) => [tool.name, connectedTo('ai_tool', review?.name ?? 'Agent')])),
    ...(review && { [review.name]: connectedTo('ai_tool', 'Agent') }),
  });
}
