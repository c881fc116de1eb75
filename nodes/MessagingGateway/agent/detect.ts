import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isToolRun } from '../../n8n/engine';
import { lettingReview } from '../../n8n/undocumented';

/** End of the names of the types that n8n derives for human reviews, of its own nodes too. */
const REVIEW_TYPE = 'HitlTool';

/** Whether the node runs as a human review of an agent's tools: a node type that n8n derives from `sendAndWait`. */
export const isHumanReview = (context: IExecuteFunctions): boolean =>
  context.getNode().type.endsWith(REVIEW_TYPE);

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
 * Whether a person approved this call: a human review let it through, between the agent and this tool, and has put out
 * a decision, which n8n's own reviews do as well. What merely passed through a review carries the id of the call. In case
 * of doubt the call counts as not approved.
 */
export function isApprovedByPerson(context: IExecuteFunctions): boolean {
  const review = lettingReview(context);
  if (review === undefined || !review.type.endsWith(REVIEW_TYPE)) return false;
  const { name, callId, outputs } = review;
  const tools = context.getParentNodes(name, { connectionType: 'ai_tool', depth: 1 });
  if (!tools.some((tool) => tool.name === context.getNode().name)) return false;
  return outputs.some(isApproval) && !outputs.some(({ toolCallId }) => toolCallId === callId);
}

const isApproval = ({ data, toolCallId }: IDataObject): boolean =>
  toolCallId === undefined && (data as IDataObject | undefined)?.approved === true;
