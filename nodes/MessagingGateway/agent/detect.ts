import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isToolRun } from '../../n8n/engine';
import { approvingReview } from '../../n8n/undocumented';

/** End of the names of the types that n8n derives for human reviews, of its own nodes too. */
const REVIEW_TYPE = 'HitlTool';

/** Whether the node runs as a human review of an agent's tools: a node type that n8n derives from `sendAndWait`. */
export const isHumanReview = (context: IExecuteFunctions): boolean =>
  context.getNode().type.endsWith(REVIEW_TYPE);

/**
 * Whether the node runs as a tool of an AI agent: a second node type that n8n derives, whose name ends with "Tool". The
 * type counts beside n8n's word of the run, since newer agents run a tool like any other node. A human review isn't a tool: the
 * agent doesn't fill it in.
 */
export function isAgentTool(context: IExecuteFunctions): boolean {
  const { type } = context.getNode();
  return !isHumanReview(context) && (type.endsWith('Tool') || isToolRun(context));
}

/**
 * Whether a person approved this call: a human review between the agent and this tool let it through and put out a
 * decision, as n8n's own reviews do. An item that merely passed through carries the id of the call. In doubt, nobody approved it.
 */
export function isApprovedByPerson(context: IExecuteFunctions): boolean {
  const review = approvingReview(context);
  if (review === undefined || !review.type.endsWith(REVIEW_TYPE)) return false;
  const { name, callId, outputs } = review;
  const tools = context.getParentNodes(name, { connectionType: 'ai_tool', depth: 1 });
  if (!tools.some((tool) => tool.name === context.getNode().name)) return false;
  return outputs.some(isApproval) && !outputs.some(({ toolCallId }) => toolCallId === callId);
}

const isApproval = ({ data, toolCallId }: IDataObject): boolean =>
  toolCallId === undefined && (data as IDataObject | undefined)?.approved === true;
