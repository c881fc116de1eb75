import { randomBytes } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { describeReach } from '../../gateway/callback/reach';
import { reportsToHook } from '../../gateway/delivery/reports';
import { showHint } from '../../n8n/engine';
import { isAgentTool, isHumanReview } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean } from '../fields/values';
import { Item } from '../run/item';
import type { DoneItem, FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import type { Run } from '../run/run';
import { SpreadRun } from '../run/spread-run';
import { wireTypeFor } from '../sending/by-channels';
import { sendOutput } from '../sending/output';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import type { Outgoing } from '../sending/sending';
import { addressSecrets } from '../sleeping/address';
import { fallAsleep } from '../sleeping/sleep';
import type { ApprovalChannel, ReplyWords } from './inputs';
import {
  APPROVE_WORDS_LABEL,
  DECLINE_WORDS_LABEL,
  readAnswerLimit,
  readApprovalChannels,
  readRecipients,
  readReplyWords,
} from './inputs';
import { addressFor, buildQuestion, placeholderFor, warnOfLength } from './message';
import type { Recipient } from './output';
import { unansweredItem } from './output';
import type { Inquiry, ResponseType } from './question';
import { readQuestion, readCaption } from './question';
import { fitted, refuseChosenReviewer } from './review';

/** All that the parameters of an item say. */
interface ApprovalPlan extends Inquiry {
  phones: number[];
  channels: ApprovalChannel[];
  words?: ReplyWords;
  /** Caption of the button of the message. */
  button: string;
  /** When to stop waiting, in milliseconds since 1970. */
  limitAt: number;
  checkOnly: boolean;
  isReview: boolean;
}

/**
 * Reads what the run asks: all its items the same, since one answer is for all of them; the question says how many there
 * are.
 * @throws NodeOperationError for invalid parameters, and for items that ask something different
 */
function readPlan(run: Run): ApprovalPlan {
  const now = run.now();
  const [first, ...others] = run.items.map((_, index) => run.reading(index, () => readItem(run, index, now)));
  const same = JSON.stringify(first);
  const other = others.findIndex((plan) => JSON.stringify(plan) !== same);
  if (other >= 0) refuseDifferent(run, other + 1);
  if (others.length === 0) return first;
  const { question, texts } = first;
  const count = question.texts.itemsText.replaceAll('{count}', String(run.items.length));
  return {
    ...first,
    texts: texts.map((text) => `${text.trimEnd()} ${count}`),
    question: { ...question, text: `${question.text}\n\n${count}` },
  };
}

function refuseDifferent({ node }: Run, index: number): never {
  throw new NodeOperationError(
    node,
    `One question can't be asked for all items: item ${index} differs from item 0 in its number, text or form`,
    {
      description:
        'Nothing was sent. Put Loop Over Items in front of this node, so that it asks for each item; or make these fields the same for all items to have one answer count for all of them.',
    },
  );
}

function readItem(run: Run, index: number, now: number): ApprovalPlan {
  const item = new Item(run, index);
  const isReview = isHumanReview(run.context);
  if (isReview) refuseChosenReviewer(run.context);
  const { options } = item;
  const channels = readApprovalChannels(item.read('channels', ['sms']));
  const words = readReplyWords(options);
  const inquiry = readQuestion(item);
  if (words !== undefined) refuseReplies(inquiry.responseType, channels);
  return {
    ...inquiry,
    phones: readRecipients(item.read('phone')),
    channels,
    words,
    button: readCaption(run, options, 'messageButtonLabel') ?? 'Respond',
    limitAt: readAnswerLimit(options, now),
    checkOnly: asBoolean(options.checkOnly, CHECK_ONLY.displayName) === true,
    isReview,
  };
}

/** Refuses words for replies where no reply comes or where words can't answer. Throws InvalidParameter. */
function refuseReplies(responseType: ResponseType, channels: ApprovalChannel[]): void {
  const reason =
    responseType !== 'approval'
      ? 'with this response type, because a word can only approve or decline'
      : reportsToHook(wireTypeFor(channels))
        ? undefined
        : 'with these channels, because the gateway does not pass on their replies';
  if (reason === undefined) return;
  const labels = `${quoted(APPROVE_WORDS_LABEL)} and ${quoted(DECLINE_WORDS_LABEL)}`;
  throw new InvalidParameter(labels, `empty ${reason}`, 'words');
}

/**
 * Asks the people whom the items name, and puts the execution to sleep until one of them answers. The answer belongs to
 * all items of the run.
 *
 * @returns one result for each input item: what n8n shows while the execution sleeps, what Check Only found, or why
 *   nobody could be asked
 * @throws NodeOperationError for invalid parameters, and in an agent's tool
 */
export async function askAndWait(run: Run): Promise<ItemResult[]> {
  refuseAsTool(run);
  const plan = readPlan(run);
  const results = await sendMessages(run, plan);
  if (plan.checkOnly) return forFirst(run, results);
  const accepted = results.filter((result): result is DoneItem => !isFailed(result));
  if (accepted.length === 0) return nobodyAsked(run, results as FailedItem[]);
  warnOfFailures(run, results, plan);

  const messages = results.map((result, i) => summaryOf(result, plan.phones[i]));
  const { isReview } = plan;
  const items = run.items.map((item, index) => unansweredItem(item, index, { messages, isReview }));
  const recipients = messages.map(({ id }, i): Recipient & IDataObject => ({
    id: id as Recipient['id'],
    phone: plan.phones[i],
  }));
  const { responseType, question, words, limitAt } = plan;
  const note = await fallAsleep(run.context, items, limitAt - run.now(), {
    run: run.index,
    responseType,
    question: { ...question },
    recipients,
    token: randomBytes(16).toString('hex'),
    ...(words !== undefined && { words: { ...words } }),
  } as unknown as IDataObject);
  // At the limit there is nothing to ask the gateway, so n8n itself goes on, at that very moment.
  note.limitAt = limitAt;
  await run.context.putExecutionToWait(new Date(limitAt));
  return run.items.map(() => ({ jsons: [{ messages }] }));
}

/** Sends one message to each recipient, under an id of its own. Returns their results, in order. */
async function sendMessages(run: Run, plan: ApprovalPlan): Promise<ItemResult[]> {
  const { context } = run;
  const { phones, channels, texts, button, words, checkOnly, isReview } = plan;
  const address = checkOnly ? placeholderFor : addressFor;
  const hook = words === undefined ? undefined : address(context, { run: run.index });
  return await send(new SpreadRun(run, 0, phones.length), {
    recovery: 'status',
    result: sendOutput,
    build(item): Outgoing {
      const recipient = item.index;
      const link = address(context, { run: run.index, recipient });
      const text = isReview ? fitted(texts, link) : texts[0];
      const operation = buildQuestion(item, { phone: phones[recipient], channels, link, text, button });
      if (hook !== undefined) operation.hook = hook;
      if (recipient === 0) {
        warnOfReach(run, link);
        warnOfLength(run, operation, link);
      }
      // The stand-ins of Check Only open nothing.
      const secrets = checkOnly ? [] : addressSecrets(link);
      return { operation, endpoint: 'sync', checkOnly, secrets };
    },
  });
}

/** Check Only returns what it found for the only item that asks. */
const forFirst = (run: Run, results: ItemResult[]): ItemResult[] => {
  const failed = results.find(isFailed);
  const jsons = results.flatMap((result) => (isFailed(result) ? [] : result.jsons));
  return run.items.map((_, index) =>
    index > 0 ? { jsons: [], checked: true } : (failed ?? { jsons, checked: true }),
  );
};

/** Nobody was asked: the first reason is that of each item, and only the first item has sent anything. */
function nobodyAsked(run: Run, [first]: FailedItem[]): ItemResult[] {
  return run.items.map((_, index) => (index === 0 ? first : { error: first.error }));
}

/** What the output says of one message. */
const summaryOf = (result: ItemResult, phone: number): IDataObject =>
  isFailed(result) ? { phone, ...result.json, error: result.error.message } : result.jsons[0];

function refuseAsTool({ context, node }: Run): void {
  if (!isAgentTool(context)) return;
  throw new NodeOperationError(node, "A tool of an agent can't wait for a person", {
    description:
      "Do not try again. Tell the user to put this node between the agent and its tools as a human review (from the list Human review of the agent's tools).",
  });
}

const warn = ({ context }: Run, message: string): void =>
  showHint(context, { message, type: 'warning', location: 'outputPane' });

function warnOfFailures(run: Run, results: ItemResult[], { phones }: ApprovalPlan): void {
  const failed = results.flatMap((result, i) =>
    isFailed(result) ? [`${phones[i]}: ${result.error.message}`] : [],
  );
  if (failed.length === 0) return;
  warn(run, `${failed.length} of ${phones.length} people may not have been asked. ${failed.join('. ')}`);
}

/** A link to localhost or into a private network opens on no phone. */
function warnOfReach(run: Run, link: string): void {
  const reach = describeReach(link);
  if (reach.reachable) return;
  warn(run, `${reach.reason}, so the phone may not be able to open the link. ${reach.advice}`);
}
