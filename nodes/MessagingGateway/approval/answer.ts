import { timingSafeEqual } from 'crypto';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Submitted } from '../../gateway/pages/answer-fields';
import { readAnswers } from '../../gateway/pages/answer-fields';
import { PAGE_HEADERS } from '../../gateway/pages/layout';
import {
  CHOICE_INPUT,
  noticePage,
  questionPage,
  TOKEN_INPUT,
  unknownPage,
} from '../../gateway/pages/question-page';
import { findNote } from '../sleeping/sleep';
import type { RecentDecision } from './claims';
import { Claims } from './claims';
import { callerOf } from './link';
import type { ApprovalNote, Recipient } from './note';
import { asApprovalNote } from './note';
import { APPROVE } from './question';
import { receiveReply } from './replies';
import { wakeWith } from './wake';

const claims = new Claims();

/**
 * Handles a call to an execution that waits for an answer: somebody who opens their link (GET), who presses a button on
 * its page (POST), or a callback of the gateway with a reply. n8n has checked the signature of the address before.
 * Only a button and a word that the author listed decide anything.
 */
export async function receiveAnswer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const caller = callerOf(context.getQueryData() as Record<string, string>);
  const note = asApprovalNote(findNote(context));
  if (caller === undefined || note === undefined || note.run !== caller.run) {
    return show(context, 410, unknownPage());
  }
  if (caller.recipient === undefined) return receiveReply(context, note, claims);
  const recipient = note.recipients.at(caller.recipient);
  if (recipient === undefined) return show(context, 410, unknownPage());
  return await Promise.resolve(receivePerson(context, note, recipient));
}

function receivePerson(
  context: IWebhookFunctions,
  note: ApprovalNote,
  { phone }: Recipient,
): IWebhookResponseData {
  const { question, token, limitAt, key } = note;
  const { texts, fields, choices } = question;
  const isAnswer = context.getRequestObject().method === 'POST';
  const now = Date.now();
  const claim = claims.find(key, now);
  if (claim !== undefined) return show(context, isAnswer ? 409 : 200, takenPage(note, claim));
  if (now >= limitAt) return show(context, 410, noticePage(question, texts.expiredText));
  if (!isAnswer) return show(context, 200, questionPage(question, token));
  const body = submittedIn(context.getBodyData());
  const choice = choices.find(({ value }) => value === body[CHOICE_INPUT]);
  if (choice === undefined || !isEqual(body[TOKEN_INPUT], token)) {
    return show(context, 403, noticePage(question, texts.reopenText));
  }
  const read = readAnswers(fields, body);
  if ('wrong' in read) return show(context, 422, questionPage(question, token, { ...read, submitted: body }));
  const answers = fields.length > 0 ? read.answers : { approved: choice.value === APPROVE };
  const { label } = choice;
  setHeaders(context);
  return wakeWith(context, {
    note,
    claims,
    label,
    verdict: { answers, phone, by: 'link' },
    answer: noticePage(question, texts.recordedText, fields.length > 0 ? '' : label),
  });
}

/** What a form sent; n8n puts the fields of one in the encoding "multipart" into an object of their own. */
function submittedIn(body: unknown): Submitted {
  // n8n has none for a call without a body, and text for one that isn't a form.
  const fields = isFields(body) ? body : {};
  return isFields(fields.data) ? fields.data : fields;
}

const isFields = (value: unknown): value is Submitted => typeof value === 'object' && value !== null;

const takenPage = ({ question }: ApprovalNote, { phone, label }: RecentDecision): string =>
  noticePage(question, question.texts.takenText.replaceAll('{digits}', lastDigits(phone)), label);

const lastDigits = (phone: number): string => String(phone).slice(-4);

/** Compares in constant time. */
function isEqual(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function setHeaders(context: IWebhookFunctions): void {
  const response = context.getResponseObject();
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
}

/** Answers with a page; the execution stays asleep. */
function show(context: IWebhookFunctions, status: number, page: string): IWebhookResponseData {
  setHeaders(context);
  context.getResponseObject().status(status).send(page);
  return { noWebhookResponse: true };
}
