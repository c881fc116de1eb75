import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { REVIEW_TYPE } from '../../n8n/engine';
import { approvingReview } from '../../n8n/undocumented';

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
