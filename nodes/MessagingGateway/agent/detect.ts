import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolRun } from '../../n8n/engine';

/** Whether the node runs as a human review of an agent's tools: a node type that n8n derives from `sendAndWait`. */
export const isHumanReview = (context: IExecuteFunctions): boolean =>
  context.getNode().type.endsWith('HitlTool');

/**
 * Whether the node runs as a tool of an AI agent. n8n derives a second node type for that, whose name ends with "Tool".
 * Newer agents have the engine run it like any other node, so what n8n says of the run alone isn't sufficient. Human review,
 * a third type derived from the same node, isn't a tool: the agent doesn't fill it in.
 */
export function isAgentTool(context: IExecuteFunctions): boolean {
  const { type } = context.getNode();
  return !isHumanReview(context) && (type.endsWith('Tool') || isToolRun(context));
}

/**
 * Whether a person approved this call: n8n's human review sits between the agent and this tool and passes on approved
 * calls only. It is recognized by its connections: it has this tool and no language model. In case of doubt the call
 * counts as not approved.
 */
export function isApprovedByPerson(context: IExecuteFunctions): boolean {
  const caller = context.getExecuteData().source?.main?.[0]?.previousNode;
  const { name } = context.getNode();
  if (caller === undefined || caller === name) return false;
  const feeding = (connectionType: 'ai_tool' | 'ai_languageModel') =>
    context.getParentNodes(caller, { connectionType, depth: 1 }).map((node) => node.name);
  return feeding('ai_tool').includes(name) && feeding('ai_languageModel').length === 0;
}
