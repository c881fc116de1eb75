import { randomBytes } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { obstacleTo } from '../../gateway/callback/address';
import type { WireOperation } from '../../gateway/contract/operations';
import { measureSms } from '../../gateway/contract/sms-segments';
import { reportsToHook } from '../../gateway/delivery/reports';
import { showHint } from '../../n8n/engine';
import { isAgentTool, isHumanReview } from '../agent/detect';
import { readCountry } from '../fields/country';
import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean } from '../fields/values';
import { Item } from '../run/item';
import type { FailedItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import type { Run } from '../run/run';
import { SpreadRun } from '../run/spread-run';
import { optionFieldsOf } from '../sending/build';
import { buildByChannels, wireTypeFor } from '../sending/by-channels';
import { sendOutput } from '../sending/output';
import { smsTextOf } from '../sending/preview';
import { CHECK_ONLY } from '../sending/properties';
import { send } from '../sending/send';
import type { Outgoing } from '../sending/sending';
import { addressSecrets } from '../sleeping/address';
import { sleepUntil } from '../sleeping/sleep';
import type { ApprovalChannel, ReplyWords } from './inputs';
import {
  APPROVE_WORDS_LABEL,
  DECLINE_WORDS_LABEL,
  readAnswerLimit,
  readApprovalChannels,
  readRecipients,
  readReplyWords,
} from './inputs';
import { addressFor, placeholderFor, withLink, withoutLink } from './link';
import type { ApprovalNote, Recipient } from './output';
import { unansweredItem } from './output';
import { readCaption } from './parts';
import type { Inquiry } from './question';
import { readQuestion } from './question';
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
  const other = 1 + others.findIndex((plan) => JSON.stringify(plan) !== same);
  if (other > 0) {
    throw new NodeOperationError(
      run.node,
      `One question can't be asked for all items: item ${other} differs from item 0 in its number, text or form`,
      {
        description:
          'Nothing was sent. Put Loop Over Items in front of this node, so that it asks for each item; or make these fields the same for all items to have one answer count for all of them.',
      },
    );
  }
  if (others.length === 0) return first;
  const { question, texts } = first;
  const count = question.texts.itemsText.replaceAll('{count}', String(run.items.length));
  return {
    ...first,
    texts: texts.map((text) => `${text.trimEnd()} ${count}`),
    question: { ...question, text: `${question.text}\n\n${count}` },
  };
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
    phones: readRecipients(item.read('phone'), readCountry(options)),
    channels,
    words,
    button: readCaption(options, 'messageButtonLabel'),
    limitAt: readAnswerLimit(options, now),
    checkOnly: asBoolean(options.checkOnly, CHECK_ONLY.displayName) === true,
    isReview,
  };
}

/** Refuses words for replies where no reply comes or where words can't answer. Throws InvalidParameter. */
function refuseReplies(responseType: Inquiry['responseType'], channels: ApprovalChannel[]): void {
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
  if (isAgentTool(run.context)) {
    throw new NodeOperationError(run.node, "A tool of an agent can't wait for a person", {
      description:
        "Do not try again. Tell the user to put this node between the agent and its tools as a human review (from the list Human review of the agent's tools).",
    });
  }
  const plan = readPlan(run);
  const { phones, question, words, limitAt, isReview } = plan;
  const results = await sendMessages(run, plan);
  if (plan.checkOnly) return forFirst(run, results);
  if (results.every(isFailed)) return nobodyAsked(run, results);
  warnOfFailures(run, results, phones);

  const messages = results.map((result, i) => summaryOf(result, phones[i]));
  const items = run.items.map((item, index) => unansweredItem(item, index, messages, isReview));
  const note = {
    run: run.index,
    question,
    recipients: messages.map(({ id }, i) => ({ id: id as Recipient['id'], phone: phones[i] })),
    token: randomBytes(16).toString('hex'),
    limitAt,
    ...(words !== undefined && { words }),
  } satisfies Omit<ApprovalNote, 'key'>;
  // At the limit there is nothing to ask the gateway, so n8n itself goes on, at that very moment.
  await sleepUntil(run.context, limitAt, items, note as IDataObject & typeof note);
  return run.items.map(() => ({ jsons: [{ messages }] }));
}

/** Sends one message to each recipient, under an id of its own. Returns their results, in order. */
async function sendMessages(run: Run, plan: ApprovalPlan): Promise<ItemResult[]> {
  const { context } = run;
  const { phones, channels, texts, button, words, checkOnly, isReview } = plan;
  const type = wireTypeFor(channels);
  const optionFields = optionFieldsOf({ wireType: type, fields: [] });
  const address = checkOnly ? placeholderFor : addressFor;
  const hook = words === undefined ? undefined : address(context, { run: run.index });
  return await send(new SpreadRun(run, 0, phones.length), {
    recovery: 'status',
    result: sendOutput,
    build(item): Outgoing {
      const recipient = item.index;
      const link = address(context, { run: run.index, recipient });
      const text = isReview ? fitted(texts, link) : texts[0];
      const options = optionFields.map((field) => field.read((name) => item.options[name], type));
      const message = {
        type,
        id: item.id,
        phone: phones[recipient],
        channels,
        // On Viber the link can be a button.
        wording: { text: withLink(text, link), button: { text: withoutLink(text), caption: button, link } },
        optional: Object.assign({}, ...options) as Record<string, unknown>,
      };
      const operation = buildByChannels(message, item.read);
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

const warn = ({ context }: Run, message: string): void =>
  showHint(context, { message, type: 'warning', location: 'outputPane' });

function warnOfFailures(run: Run, results: ItemResult[], phones: number[]): void {
  const failed = results.flatMap((result, i) =>
    isFailed(result) ? [`${phones[i]}: ${result.error.message}`] : [],
  );
  if (failed.length === 0) return;
  warn(run, `${failed.length} of ${phones.length} people may not have been asked. ${failed.join('. ')}`);
}

/** A link to localhost or into a private network opens on no phone. */
function warnOfReach(run: Run, link: string): void {
  const obstacle = obstacleTo(link);
  if (!obstacle) return;
  warn(run, `${obstacle.reason}, so the phone may not be able to open the link. ${obstacle.advice}`);
}

/** Warns where the SMS of an operation is billed as more than one; the gateway's short links have another length. */
function warnOfLength(run: Run, operation: WireOperation, link: string): void {
  const text = smsTextOf(operation);
  if (text === undefined || operation.short_link === true) return;
  const { segments, units, encoding, unitsPerSegment } = measureSms(text);
  if (segments < 2) return;
  const single = encoding === 'GSM-7' ? 160 : 70;
  warn(
    run,
    `The message is billed as ${segments} SMS: it has ${units} characters (${encoding}, ${unitsPerSegment} in each), ${link.length} of them in the link. A single SMS has ${single}. The option Shorten Links makes the link shorter, where your tariff has it.`,
  );
}
