import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallbackEvent } from '../../gateway/callback/parse';
import { parseCallback } from '../../gateway/callback/parse';
import { readRequestBody } from '../../n8n/request-body';
import { refuse, sleepOn } from '../sleeping/sleep';
import type { Claims } from './claims';
import type { ApprovalNote, Recipient } from './note';
import { APPROVE, DECLINE } from './question';
import { wakeWith } from './wake';
import type { ReplyWords } from './words';
import { decisionOf } from './words';

const RECEIVED = { received: true };

/**
 * Handles a callback of the gateway: a reply that consists of a word of the author decides for the number that was
 * asked with this message (gateway-api.md, "Status callback payload": `replies`). Acknowledges everything else that
 * belongs to these messages, and refuses the rest with a 4xx.
 */
export function receiveReply(
  context: IWebhookFunctions,
  note: ApprovalNote,
  claims: Claims,
): IWebhookResponseData {
  if (context.getRequestObject().method !== 'POST') return refuse(context, 405, 'Callbacks must use POST');
  const request = readRequestBody(context);
  if (!request.ok) return refuse(context, request.status, request.reason);
  const parsed = parseCallback(request.body);
  if (!parsed.ok) return refuse(context, 400, parsed.reason);
  const { recipients, words, question, key, limitAt } = note;
  const ours = parsed.events.flatMap((event) => {
    const recipient = recipients.find(({ id }) => String(id) === String(event.id));
    return recipient === undefined ? [] : [{ event, recipient }];
  });
  if (ours.length === 0)
    return refuse(context, 404, 'The callback does not match any message of this execution');
  const now = Date.now();
  const isOpen = now < limitAt && claims.find(key, now) === undefined;
  const reply = isOpen && words !== undefined ? firstDecision(ours, words) : undefined;
  if (reply === undefined) return sleepOn(RECEIVED);
  const { approved, phone } = reply;
  const value = approved ? APPROVE : DECLINE;
  const label = question.choices.find((choice) => choice.value === value)?.label ?? reply.text;
  const verdict = { answers: { approved }, phone, by: 'reply' as const };
  return wakeWith(context, { note, claims, verdict, label, answer: RECEIVED });
}

/** The first reply that decides. */
function firstDecision(ours: Array<{ event: CallbackEvent; recipient: Recipient }>, words: ReplyWords) {
  for (const { event, recipient } of ours) {
    for (const { message } of event.replies ?? []) {
      const text = typeof message === 'string' ? message : '';
      const approved = decisionOf(text, words);
      if (approved !== undefined) return { approved, phone: recipient.phone, text };
    }
  }
  return undefined;
}
