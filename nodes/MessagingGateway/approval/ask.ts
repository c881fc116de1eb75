import { randomBytes } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { describeReach } from '../../gateway/callback/reach';
import { reportsToHook } from '../../gateway/delivery/reports';
import { showHint } from '../../n8n/engine';
import { isAgentTool, isHumanReview } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean, asText } from '../fields/values';
import { Item } from '../run/item';
import type { DoneItem, FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import type { Run } from '../run/run';
import { SpreadRun } from '../run/spread-run';
import { sendOutput } from '../sending/output';
import { previewOf } from '../sending/preview';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import type { Outgoing } from '../sending/sending';
import { fallAsleep } from '../sleeping/sleep';
import type { ApprovalChannel } from './channels';
import { readApprovalChannels, wireTypeFor } from './channels';
import { readAnswerLimit } from './limit';
import { addressFor, placeholderFor } from './link';
import { messageBuilder } from './message';
import type { Recipient } from './note';
import { unansweredItem } from './output';
import type { Inquiry, ResponseType } from './question';
import { readQuestion } from './question';
import { readRecipients, RECIPIENTS_LABEL } from './recipients';
import { warnOfLength } from './segments';
import type { ReplyWords } from './words';
import { APPROVE_WORDS_LABEL, DECLINE_WORDS_LABEL, readReplyWords } from './words';

/** All that the parameters say. n8n's nodes that send and wait ask once a run, with the values of the first item. */
interface ApprovalPlan extends Inquiry {
  phones: number[];
  channels: ApprovalChannel[];
  words?: ReplyWords;
  /** Caption of the button of the message. */
  button: string;
  /** When to stop waiting, in milliseconds since 1970. */
  limitAt: number;
  checkOnly: boolean;
}

function readPlan(run: Run): ApprovalPlan {
  const item = new Item(run, 0);
  refuseChosenReviewer(run);
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
    button: asText(options.messageButtonLabel, 'Message Button Label') ?? 'Respond',
    limitAt: readAnswerLimit(options, run.now()),
    checkOnly: asBoolean(options.checkOnly, CHECK_ONLY.displayName) === true,
  };
}

/** An agent that chooses who reviews its tools could choose anybody. Throws InvalidParameter. */
function refuseChosenReviewer({ context }: Run): void {
  if (!isHumanReview(context)) return;
  const raw: unknown = context.getNodeParameter('phone', 0, '', { rawExpressions: true });
  if (typeof raw !== 'string' || !raw.includes('$fromAI')) return;
  throw new InvalidParameter(
    quoted(RECIPIENTS_LABEL),
    'entered by you in a human review',
    raw,
    'is filled in by the agent that is to be reviewed',
  );
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
 * Asks the people whom the first item names, and puts the execution to sleep until one of them answers. The answer
 * belongs to all items of the run.
 *
 * @returns one result for each input item: what n8n shows while the execution sleeps, what Check Only found, or why
 *   nobody could be asked
 * @throws NodeOperationError for invalid parameters, and in an agent's tool
 */
export async function askAndWait(run: Run): Promise<ItemResult[]> {
  refuseAsTool(run);
  const plan = run.reading(0, () => readPlan(run));
  const results = await sendMessages(run, plan);
  if (plan.checkOnly) return forFirst(run, results);
  const accepted = results.filter((result): result is DoneItem => !isFailed(result));
  if (accepted.length === 0) return nobodyAsked(run, results as FailedItem[]);
  warnOfFailures(run, results, plan);

  const messages = results.map((result, i) => summaryOf(result, plan.phones[i]));
  const items = run.items.map((item, index) => unansweredItem(item, index, messages));
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
  if (run.items.length > 1) warnOfItems(run);
  return run.items.map(() => ({ jsons: [{ messages }] }));
}

/** Sends one message to each recipient, under an id of its own. Returns their results, in order. */
async function sendMessages(run: Run, plan: ApprovalPlan): Promise<ItemResult[]> {
  const { context } = run;
  const { phones, channels, text, button, words, checkOnly } = plan;
  const build = messageBuilder(channels);
  const address = checkOnly ? placeholderFor : addressFor;
  const hook = words === undefined ? undefined : address(context, { run: run.index });
  return await send(new SpreadRun(run, 0, phones.length), {
    recovery: 'status',
    result: sendOutput,
    build(item): Outgoing {
      const recipient = item.index;
      const link = address(context, { run: run.index, recipient });
      const operation = build(item, { phone: phones[recipient], link, text, button });
      if (hook !== undefined) operation.hook = hook;
      if (recipient === 0) {
        warnOfReach(run, link);
        warnOfLength(run, operation, link);
      }
      return { operation, endpoint: 'sync', checkOnly };
    },
    preview: (operation) => previewOf(operation),
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

function warnOfItems(run: Run): void {
  warn(
    run,
    `One question was asked for all ${run.items.length} items, with the values of the first. To ask for each item, put the node into a loop (Loop Over Items).`,
  );
}

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
