import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether the node runs as a tool of an AI agent. n8n makes a second node type of it for that, whose name ends with
 * "Tool"; newer agents have the engine run it like any other node, so that `isToolExecution` alone does not tell.
 * Human review, a third type made of the same node, is no tool: the agent does not fill it in.
 */
export function isAgentTool(context: IExecuteFunctions): boolean {
  const { type } = context.getNode();
  return !type.endsWith('HitlTool') && (type.endsWith('Tool') || context.isToolExecution());
}

/**
 * Whether a person approved this call: n8n's human review sits between the agent and this tool, and passes on only
 * what was approved. Such a node takes tools and has no language model; anything that is not plainly that counts as
 * not approved.
 */
export function isApprovedByPerson(context: IExecuteFunctions): boolean {
  const caller = context.getExecuteData().source?.main?.[0]?.previousNode;
  const { name } = context.getNode();
  if (caller === undefined || caller === name) return false;
  const feeding = (connectionType: 'ai_tool' | 'ai_languageModel') =>
    context.getParentNodes(caller, { connectionType, depth: 1 }).map((node) => node.name);
  return feeding('ai_tool').includes(name) && feeding('ai_languageModel').length === 0;
}
