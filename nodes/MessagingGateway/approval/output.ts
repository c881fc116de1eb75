import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { WireType } from '../../gateway/contract/operations';
import type { Answers } from '../../gateway/pages/answer-fields';
import type { Question } from '../../gateway/pages/question-page';
import { reportSchema, viberOutputSchema } from '../sending/output';
import type { ReviewedCall } from '../agent/detect';
import type { SleepNote } from '../suspend/sleep';
import type { ReplyWords } from './reply-words';
import type { AskedCall } from './review';

/** A sleeping execution keeps this of its question, as plain JSON. */
export interface ApprovalNote extends Pick<SleepNote, 'key' | 'limitAt'> {
  question: Question;

  /** Who was asked, or may have been, each by a message of this type. */
  recipients: Array<{ phone: number; id: number | string; msg_id?: number | string }>;
  type: WireType;
  words?: ReplyWords;

  /** Of a human review: the call that is asked about. */
  asked?: AskedCall;
}

/** The output of an approval: n8n's `data`, who answered, when and how, and the messages that asked. */
export const approvalOutputSchema = z.object({
  data: z
    .object({ approved: z.boolean().optional(), text: z.string().optional(), respondedAt: z.string() })
    .optional(),
  by: z.enum(['link', 'reply', 'limit', 'undelivered']),
  decided_by: z.number().optional(),
  decided_at: z.string().optional(),
  call: z.object({ id: z.string(), tool: z.string() }).optional(),
  messages: z.array(
    viberOutputSchema.omit({ request_id: true }).merge(reportSchema.omit({ reply: true, replies: true })),
  ),
});

/** An answer: `approved`, `text`, or the values of a form. */
export interface PersonAnswer {
  answers: Answers | { approved: boolean };
  phone: number;
  by: 'link' | 'reply';

  /** Of a human review: the call as it was approved. */
  call?: ReviewedCall;
}

/**
 * Returns the output of an input item if nobody answers in time: the item as it is, as n8n's own nodes have it, with `by` and the
 * messages, and without the answer of an earlier approval, which must not pass for an answer to this question. In a human review, the
 * item declines and has nothing else: n8n would take an `approved` or a `chatInput` of the agent's item, or of the model's arguments,
 * for the answer.
 */
export function unansweredItem(
  { json: input, binary }: INodeExecutionData,
  item: number,
  messages: IDataObject[],
  isReview: boolean,
): INodeExecutionData {
  const kept = Object.entries(input).filter(([name]) => !['data', 'decided_by', 'decided_at'].includes(name));
  const json = isReview ? { data: { approved: false } } : Object.fromEntries(kept);
  return {
    json: { ...json, by: 'limit', messages },
    ...(binary !== undefined && !isReview && { binary }),
    pairedItem: { item },
  };
}

/** Returns the output of an item with an answer; takes the item that `unansweredItem` made. */
export const answeredItem = (
  { json: { messages }, pairedItem }: INodeExecutionData,
  { answers, phone, by, call }: PersonAnswer,
  at: string,
): INodeExecutionData => ({
  json: {
    data: { ...answers, respondedAt: at },
    by,
    decided_by: phone,
    decided_at: at,
    ...(call !== undefined && { call: call as IDataObject }),
    messages,
  },
  pairedItem,
});

/** Returns the output of an item where every message failed for good, with a report on each; takes the item that `unansweredItem` made. */
export const undeliveredItem = (
  { json, ...rest }: INodeExecutionData,
  messages: IDataObject[],
): INodeExecutionData => ({ ...rest, json: { ...json, by: 'undelivered', messages } });
