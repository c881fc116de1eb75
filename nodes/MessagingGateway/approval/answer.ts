import { timingSafeEqual } from 'crypto';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallbackEvent } from '../../gateway/callback/parse';
import { parseCallback } from '../../gateway/callback/parse';
import type { Submitted } from '../../gateway/pages/answer-fields';
import { readAnswers } from '../../gateway/pages/answer-fields';
import {
  CHOICE_INPUT,
  noticePage,
  PAGE_HEADERS,
  questionPage,
  TOKEN_INPUT,
  unknownPage,
} from '../../gateway/pages/question-page';
import { readRequestBody } from '../../n8n/request-body';
import { findNote, refuse, sleepingItems, sleepOn } from '../sleeping/sleep';
import type { ReplyWords } from './inputs';
import { decisionOf } from './inputs';
import { callerOf } from './message';
import type { ApprovalNote, PersonAnswer, Recipient } from './output';
import { answeredItem, asApprovalNote } from './output';
import { APPROVE, DECLINE } from './question';

/** A decision for which this process has just woken an execution. */
interface RecentDecision {
  at: number;
  /** Number of the person who decided. */
  phone: number;
  /** What they chose, as the page shows it. */
  label: string;
}

/** Milliseconds after which an execution that did not wake may be woken by another answer. */
const WAKING = 10_000;
const MOST_CLAIMS = 1000;

/**
 * The decisions of the last moments, so that of several answers that come at once the first counts and the others learn
 * of it. Between processes, n8n's database lets only one wake an execution.
 */
export class Claims {
  private readonly claims = new Map<string, RecentDecision>();

  /** Returns the decision that an execution is being woken for; undefined if there is none. */
  find(key: string, now: number): RecentDecision | undefined {
    const claim = this.claims.get(key);
    return claim !== undefined && now - claim.at < WAKING ? claim : undefined;
  }

  /** Notes a decision. */
  set(key: string, claim: RecentDecision): void {
    this.claims.delete(key);
    this.claims.set(key, claim);
    const [oldest] = this.claims.keys();
    if (this.claims.size > MOST_CLAIMS) this.claims.delete(oldest);
  }
}

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
  if (caller.recipient === undefined) return receiveReply(context, note);
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

const RECEIVED = { received: true };

/**
 * Handles a callback of the gateway: a reply that consists of a word of the author decides for the number that was
 * asked with this message (gateway-api.md, "Status callback payload": `replies`). Acknowledges everything else that
 * belongs to these messages, and refuses the rest with a 4xx.
 */
function receiveReply(context: IWebhookFunctions, note: ApprovalNote): IWebhookResponseData {
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
  return wakeWith(context, { note, verdict, label, answer: RECEIVED });
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

interface Waking {
  note: ApprovalNote;
  verdict: PersonAnswer;
  /** What was chosen, as the page shows it to the others. */
  label: string;
  /** What the caller gets once n8n has woken the execution. */
  answer: unknown;
}

/** Wakes the execution with a decision. */
function wakeWith(
  context: IWebhookFunctions,
  { note, verdict, label, answer }: Waking,
): IWebhookResponseData {
  const now = new Date();
  claims.set(note.key, { at: now.getTime(), phone: verdict.phone, label });
  const items = sleepingItems(context).map((item) => answeredItem(item, verdict, now.toISOString()));
  // n8n sends the answer only if it could wake the execution, which another process may have done before.
  return { workflowData: [items], webhookResponse: answer };
}
