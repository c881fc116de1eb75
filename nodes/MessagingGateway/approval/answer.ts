import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { RefusedCall } from '../../gateway/callback/refused-call';
import type { OpenWait } from '../../gateway/client/open-wait';
import type { CallbackBody } from '../../gateway/contract/callback';
import { replyTexts } from '../../gateway/contract/callback';
import { deriveQuestionKey, equalSecrets, holderOf, questionSecret } from '../../gateway/keys/question';
import type { Submitted } from '../../gateway/pages/answer-fields';
import { readAnswers } from '../../gateway/pages/answer-fields';
import type { Question } from '../../gateway/pages/question-page';
import * as pages from '../../gateway/pages/question-page';
import { isObject } from '../../gateway/text/json';
import { secretMasker } from '../../gateway/text/secrets';
import type { Connection } from '../../n8n/connection';
import { baseAddress, jsonTransport, readConnection } from '../../n8n/connection';
import { readBody, readCallbacks } from '../../n8n/incoming-call';
import { savedItems } from '../../n8n/undocumented';
import { endWatch, QUESTION_MS } from '../suspend/poller';
import { claimWaking, findNote } from '../suspend/sleep';
import { APPROVE } from './answer-form';
import { fateOf, messagesOf, withReasons } from './arrival';
import type { ApprovalNote, PersonAnswer } from './output';
import { answeredItem, undeliveredItem } from './output';
import type { ReplyWords } from './reply-words';
import { decisionOf } from './reply-words';
import { approvedCall } from './review';

/**
 * Handles a call to an execution that waits for an answer: of a person who opens their link (GET) or presses a button on its page
 * (POST), of the gateway (a callback), or of the node itself. A call without a secret of this very question gets nothing, whatever n8n
 * has checked of the address. Nothing decides but a button, and a word that the author listed.
 */
export async function receiveAnswer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const note = findNote(context) as unknown as ApprovalNote | undefined;
  const query = context.getQueryData() as IDataObject;
  const close = (status: number) => show(context, status, pages.closedPage(note?.question));
  if (!note?.question) return close(410);
  const connection = await connectionOf(context);
  // After 503, the gateway calls again, and the page asks a person to try again.
  if (connection === undefined) return close(503);
  const key = connection.derive(deriveQuestionKey);
  if (key === undefined) return close(410);
  const phones = note.recipients.map(({ phone }) => phone);
  const holder = holderOf(key, note.key, phones, query);
  if (holder === undefined) return close(410);
  if (holder === 'gateway') {
    const secrets = [...phones, holder].map((one) => questionSecret(key, note.key, one, 'open'));
    return await receiveGateway(context, note, { connection, mask: secretMasker(secrets) });
  }
  const token = questionSecret(key, note.key, holder, 'form');
  return await receivePerson(context, note, { phone: holder, token });
}

/** Reads the credential; undefined, with a warning in the log, where n8n can't read it, such as a deleted credential. */
async function connectionOf(context: IWebhookFunctions): Promise<Connection | undefined> {
  try {
    return await readConnection(context);
  } catch (error) {
    const { name } = context.getNode();
    context.logger.warn(
      `"${name}": a question can't be opened without its credential: ${(error as Error).message}`,
    );
    return undefined;
  }
}

/** Handles a call at the link of a person; the form of their page holds `token`. */
async function receivePerson(
  context: IWebhookFunctions,
  note: ApprovalNote,
  { phone, token }: { phone: number; token: string },
): Promise<IWebhookResponseData> {
  const { question, limitAt, asked } = note;
  const { fields, choices } = question;
  const isAnswer = context.getRequestObject().method === 'POST';
  const submitted = isAnswer ? submittedIn(await readBody(context)) : {};
  const end = { at: limitAt, zone: context.getTimezone() };
  const limit = limitAt < WAIT_INDEFINITELY.getTime() ? end : undefined;
  if (Date.now() >= limitAt) return show(context, 410, pages.expiredPage(question, end), question);
  if (!isAnswer) return show(context, 200, pages.questionPage(question, token, { limit }), question);
  const choice = choices.find(({ value }) => value === submitted[pages.CHOICE_INPUT]);
  if (choice === undefined || !equalSecrets(token, submitted[pages.TOKEN_INPUT])) {
    return show(context, 403, pages.refusedPage(question), question);
  }
  const decides = choices.some(({ value }) => value === APPROVE);
  const approved = choice.value === APPROVE;
  // A decline needs no readable fields: nobody has to mend a text in order to decline it.
  const read = decides && !approved ? {} : readAnswers(fields, submitted);
  if (read === undefined)
    return show(context, 422, pages.questionPage(question, token, { limit, submitted }), question);
  if (!claim(note)) return show(context, 409, pages.refusedPage(question), question);
  const answers = decides ? { approved } : read;
  const call = asked && approvedCall(asked, fields, read);
  setHeaders(context, question);
  return wakeWith(
    context,
    { answers, phone, by: 'link', ...(call && { call }) },
    pages.recordedPage(question, choice.label, read),
  );
}

/** Returns the fields of a form; none of a call without a body, or with a body that is no form. */
const submittedIn = (body: unknown): Submitted => (isObject(body) ? body : {});

function setHeaders(context: IWebhookFunctions, { logo }: Partial<Question>): void {
  const response = context.getResponseObject();
  for (const [name, value] of Object.entries(pages.headersOf(logo))) response.setHeader(name, value);
}

/** Answers with a page; the execution sleeps on. `question` is the one that the page shows. */
function show(
  context: IWebhookFunctions,
  status: number,
  page: string,
  question: Partial<Question> = {},
): IWebhookResponseData {
  setHeaders(context, question);
  context.getResponseObject().status(status).send(page);
  return { noWebhookResponse: true };
}

const RECEIVED = { received: true };

/** Acknowledges a callback; the execution sleeps on. */
const SLEEP_ON: IWebhookResponseData = { webhookResponse: RECEIVED };

/**
 * Handles a call at the address of the gateway: a callback, or the node's own call (GET), upon which the gateway is asked about the
 * messages. The execution wakes once all messages failed for good.
 * @throws RefusedCall with a 4xx for any other call; with 503, so that the call comes again, where another call is waking the execution,
 *   which may fail
 */
async function receiveGateway(
  context: IWebhookFunctions,
  note: ApprovalNote,
  { connection, mask }: { connection: Connection; mask: ReturnType<typeof secretMasker> },
): Promise<IWebhookResponseData> {
  const messages = messagesOf(note);
  const isOwnCall = context.getRequestObject().method === 'GET';
  const answer = isOwnCall ? undefined : await readCallback(context, note, messages);
  if (answer !== undefined) {
    if (!claim(note)) throw anotherWakes();
    return wakeWith(context, answer, RECEIVED);
  }
  const stays = isOwnCall ? { webhookResponse: { sleeping: true } } : SLEEP_ON;
  if (Date.now() >= note.limitAt) return stays;
  const isInDoubt = isOwnCall || messages.outcomes.includes('failed');
  if (isInDoubt && fateOf(messages) === 'open' && baseAddress(connection) !== undefined)
    await messages.ask(jsonTransport(connection, QUESTION_MS), note.limitAt);
  if (fateOf(messages) !== 'failed') return stays;
  if (!claim(note)) throw anotherWakes();
  const items = savedItems(context);
  const told = mask(withReasons(items[0].json.messages as IDataObject[], messages));
  return {
    workflowData: [items.map((item) => undeliveredItem(item, told))],
    webhookResponse: isOwnCall ? { sleeping: false } : RECEIVED,
  };
}

/** Takes the right to wake the execution. Returns false where another call has it. */
function claim({ key }: ApprovalNote): boolean {
  const isFirst = claimWaking(key);
  if (isFirst) endWatch(key);
  return isFirst;
}

const anotherWakes = () => new RefusedCall(503, 'Another call is waking the execution');

/**
 * Reads a callback about messages of the question: a reply that is a word of the author decides for the number that was asked
 * (gateway-api.md, "Callback fields": `replies`). Returns that answer; undefined where the callback only says what became of a message.
 * @throws RefusedCall with a 4xx for a call that is no such callback
 */
async function readCallback(
  context: IWebhookFunctions,
  { recipients, words, limitAt, asked }: ApprovalNote,
  messages: OpenWait,
): Promise<PersonAnswer | undefined> {
  const callbacks = readCallbacks(context, await readBody(context));
  const ours = callbacks.flatMap((callback) => {
    const recipient = recipients.find((one) => String(one.id) === String(callback.id));
    return recipient === undefined ? [] : [{ recipient, callback }];
  });
  if (ours.length === 0) {
    throw new RefusedCall(404, 'The callback does not match any message of this execution');
  }
  const decided = Date.now() < limitAt && words !== undefined ? firstDecision(ours, words) : undefined;
  if (decided !== undefined) return { ...decided, by: 'reply', ...(asked && { call: asked.call }) };
  messages.takeAll(ours.map(({ callback }) => callback));
  return undefined;
}

/** Returns the first decision among the replies in callbacks, and the number that made it; undefined where none decides. */
function firstDecision(
  callbacks: ReadonlyArray<{ recipient: ApprovalNote['recipients'][number]; callback: CallbackBody }>,
  words: ReplyWords,
): Pick<PersonAnswer, 'answers' | 'phone'> | undefined {
  for (const { recipient, callback } of callbacks) {
    for (const reply of replyTexts(callback.replies)) {
      const decision = decisionOf(reply, words);
      if (decision !== undefined)
        return { answers: { approved: decision === APPROVE }, phone: recipient.phone };
    }
  }
  return undefined;
}

/** Wakes the execution with an answer; the caller gets `body` once n8n has woken it. */
function wakeWith(context: IWebhookFunctions, answer: PersonAnswer, body: unknown): IWebhookResponseData {
  const at = new Date().toISOString();
  const items = savedItems(context).map((item) => answeredItem(item, answer, at));
  // n8n answers with the body only if it could wake the execution, which another process may have done before.
  return { workflowData: [items], webhookResponse: body };
}
