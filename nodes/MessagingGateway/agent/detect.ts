import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import { REVIEW_TYPE } from '../../n8n/engine';
import { approvingReview } from '../../n8n/undocumented';
import type { EditedText } from '../run/form';
import { editableTexts } from './editable-texts';

/** The call in the output of a human review of this package: what was asked about, and the texts that the person changed. */
export type ReviewedCall = {
  id: string;
  tool: string;
  arguments: unknown;

  /** Where they differ, the words of the model and those of the person, by parameter. */
  texts?: Record<string, { proposed: string; approved: string }>;
};

/**
 * Returns the texts that a person changed in this call, none where they approved it as it is; undefined where nobody certainly approved
 * it. The call counts as approved where a human review between the agent and this tool let it through and put out a decision, as n8n's
 * own reviews do; an item with the id of the call merely passed through the review. A review of this package also has to name this very
 * call, with other texts or none, and nothing else changed.
 */
export function approvedByPerson(context: IExecuteFunctions): EditedText[] | undefined {
  const review = approvingReview(context);
  if (review === undefined || !review.type.endsWith(REVIEW_TYPE)) return undefined;
  const { name, callId, input, outputs, isOwn } = review;
  const tools = context.getParentNodes(name, { connectionType: 'ai_tool', depth: 1 });
  if (!tools.some((tool) => tool.name === context.getNode().name)) return undefined;
  if (!outputs.some(isApproval) || outputs.some(({ toolCallId }) => toolCallId === callId)) return undefined;
  if (!isOwn) return [];
  const same = outputs.flatMap((output) => {
    const call = output.call as ReviewedCall | undefined;
    return isApproval(output) && call?.id === callId && isSameInput(call, input) ? call : [];
  });
  const [first, ...others] = same;
  // Two calls alike, approved with different words: n8n doesn't tell which of them this one is.
  if (
    first === undefined ||
    others.some(({ texts }) => JSON.stringify(texts) !== JSON.stringify(first.texts))
  )
    return undefined;
  return editsOf(first, context.getNode().parameters);
}

const isApproval = ({ data, toolCallId }: IDataObject): boolean =>
  toolCallId === undefined && (data as IDataObject | undefined)?.approved === true;

/** Whether the tool is called with what was approved: n8n makes the input of a call of its arguments in this form. */
function isSameInput({ tool, arguments: args }: ReviewedCall, input: unknown): boolean {
  const approved = isObject(args) ? { tool, ...args } : { tool, input: args };
  return JSON.stringify(approved) === JSON.stringify(input);
}

/** Returns the edits of an approved call; undefined for an edit of anything but a text that the model filled in. */
function editsOf({ arguments: args, texts = {} }: ReviewedCall, form: IDataObject): EditedText[] | undefined {
  const editable = editableTexts(form, args);
  const edits = Object.entries(texts).map(([parameter, { proposed, approved }]) => {
    const text = editable.find((one) => one.parameter === parameter && one.proposed === proposed);
    return text === undefined ? undefined : { ...text, approved };
  });
  return edits.includes(undefined) ? undefined : (edits as EditedText[]);
}
