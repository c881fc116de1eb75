import { NodeOperationError } from 'n8n-workflow';

import { isHumanReview } from '../../n8n/engine';
import type { WireType } from '../../gateway/contract/operations';
import { rulesOf } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import type { Country } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { readable, visible } from '../../gateway/pages/markup';
import type { PageTexts, Question } from '../../gateway/pages/question-page';
import { readableQuestion } from '../../gateway/pages/question-page';
import { toUrl } from '../../gateway/text/hosts';
import { asEntries } from '../../gateway/text/json';
import { checked, readFields } from '../fields/field';
import { readCountry } from '../fields/target';
import { asLocated, asMessage } from '../fields/values';
import { refuseLeftover } from '../message-parts/text-gaps';
import type { SenderChannel } from '../message-parts/by-channels';
import { readChannels, SENDER_CHANNELS, senderOf, wireTypeFor } from '../message-parts/by-channels';
import { Item } from '../run/item';
import { readForRun } from '../run/output';
import type { Run } from '../run/run';
import { onlyChecks } from '../sending/check-only';
import { APPROVE, readAnswerForm } from './answer-form';
import { withoutLink } from './message-text';
import { badParameter, labelOf, offeredFieldsOf, PAGE_TEXT_NAMES, readCaption } from './properties';
import type { ReplyWords } from './reply-words';
import { readReplyWords } from './reply-words';
import type { AskedCall } from './review';
import { askedInReview, refuseChosenReviewer, textFields } from './review';
import { readLimit } from './wait-limit';

/**
 * The question of a run, as the parameters of its node say: whom it asks, by which messages, with which page behind the link, and for
 * how long.
 */
export interface ApprovalPlan {
  /** Each of these people gets a message; the first answer counts. */
  phones: number[];

  /** In trial order, and the operation type that they make together. */
  channels: SenderChannel[];
  type: WireType;

  /** The text of the message, in which `{link}` may stand where the link is to be, and the caption of the button. */
  text: string;
  button: string;

  /** One for each channel. The build of a message reads them again; the plan holds them so that items that differ in a sender are refused. */
  senders: unknown[];

  /** Optional wire fields, such as `sms_lifetime`. */
  optional: Record<string, unknown>;

  /** Whether callbacks about the messages reach the execution. */
  isReported: boolean;

  /** The page. */
  question: Question;

  /** The words that decide by reply; undefined where only the page decides. */
  words: ReplyWords | undefined;

  /** Whether the node is a human review of an agent's calls; if it is, `asked` is the call. */
  isReview: boolean;
  asked: AskedCall | undefined;

  /** When the wait for an answer ends, in milliseconds since 1970. */
  limitAt: number;
  checkOnly: boolean;
}

/**
 * Reads the plan of a run from all of its items, which have to ask the same, since one answer is for all of them.
 * @throws NodeOperationError for invalid parameters, and for items that ask something different
 */
export function readPlan(run: Run): ApprovalPlan {
  // All items are read at one moment: a limit "in 45 minutes" would otherwise end at another time for each item, and the items would differ.
  const now = run.now();
  const plans = run.items.map((_, index) => readForRun(run, index, () => planOf(new Item(run, index), now)));
  refuseDifferent(run, plans);
  return plans.length === 1 ? plans[0] : withCount(plans[0], plans.length);
}

function refuseDifferent({ node }: Run, plans: readonly ApprovalPlan[]): void {
  const first = JSON.stringify(plans[0]);
  const different = plans.findIndex((plan) => JSON.stringify(plan) !== first);
  if (different === -1) return;
  throw new NodeOperationError(
    node,
    `One question can't be asked for all items: row ${different + 1} differs from row 1 in its number, sender, text, form or options`,
    {
      description:
        'Nothing was sent. Put Loop Over Items in front of this node, so that it asks for each item; or make these fields the same for all items to have one answer count for all of them.',
    },
  );
}

/** Adds to the message and to the page that the answer is for so many items. */
function withCount(plan: ApprovalPlan, items: number): ApprovalPlan {
  const { text, question } = plan;
  const count = question.texts.itemsText.replaceAll('{count}', () => String(items));
  return {
    ...plan,
    text: `${text} ${count}`,
    question: { ...question, text: `${question.text}\n\n${count}` },
  };
}

function planOf(item: Item, now: number): ApprovalPlan {
  const { run, read, options } = item;
  const isReview = isHumanReview(run.context);
  if (isReview) refuseChosenReviewer(run);
  const channels = readChannels(read('channels', ['sms']), SENDER_CHANNELS);
  const type = wireTypeFor(channels);
  const form = readAnswerForm(item);
  const words = readReplyWords(options);
  if (words !== undefined) refuseUselessWords(form, type);
  const text = readText(item, isReview);
  const description = readCaption(options, 'responseFormDescription');
  const review = isReview ? askedInReview(item, text, description) : undefined;
  return {
    phones: readPhones(read('phone'), readCountry(options)),
    channels,
    type,
    // The contract has one rule for the texts of all channels, and one for the captions of all: SMS and Viber stand for any channel.
    text: checked(labelOf('text'), review?.message ?? readable(text), rulesOf('sms').sms_message),
    button: checked(
      labelOf('messageButtonLabel'),
      readCaption(options, 'messageButtonLabel'),
      rulesOf('viber').viber_button,
    ),
    senders: channels.map((channel) => senderOf(channel, read)),
    optional: readFields(offeredFieldsOf(type), (name) => options[name], rulesOf(type)),
    // While an execution waits with a custom form, n8n passes only submitted forms to the execution, and no callbacks.
    isReported: reportsToHook(type) && read('responseType', 'approval') !== 'customForm',
    question: readableQuestion({
      title: readTitle(item, form, isReview),
      text: review?.text ?? (description || withoutLink(text)),
      call: review?.call,
      // Only the call of a review has texts that the person may change: each gets a field. Any other approval has no fields.
      fields: isApproval(form) && review !== undefined ? textFields(review.asked) : form.fields,
      choices: form.choices,
      ...readPageTexts(item, channels[0]),
    }),
    words,
    isReview,
    asked: review?.asked,
    limitAt: readLimit(options, now, run.context.getTimezone()),
    checkOnly: onlyChecks(options),
  };
}

type AnswerForm = Pick<Question, 'fields' | 'choices'>;

/** Whether the person approves or declines; in any other form, the person fills in fields. */
const isApproval = ({ choices }: AnswerForm): boolean => choices.some(({ value }) => value === APPROVE);

/**
 * Refuses words that decide by reply where no reply can decide.
 * @throws InvalidParameter
 */
function refuseUselessWords(form: AnswerForm, type: WireType): void {
  const refuse = (why: string) => {
    throw badParameter('replyWords', 'left out', '', `has no use ${why}`);
  };
  if (!isApproval(form)) refuse('with this response type, because a word can only approve or decline');
  if (!reportsToHook(type)) refuse('with these channels, because the gateway does not pass on their replies');
}

/**
 * Reads the text of the message. That of a human review may be empty: the call makes one.
 * @throws InvalidParameter for an empty text, and for one with what an expression left over, such as "undefined"
 */
function readText(item: Item, isReview: boolean): string {
  // `asMessage` refuses what an earlier node left in the text, `refuseLeftover` what this node's own placeholders gave.
  const text = asMessage(item.read('text'), labelOf('text')) ?? '';
  refuseLeftover(item, ({ parameter }) => parameter === 'text');
  if (isReview || withoutLink(text) !== '') return text;
  throw badParameter('text', 'the text of the message', '', 'is empty');
}

/** People whom a question asks at once: each costs a message. */
const MAX_PEOPLE = 50;

/**
 * Reads the numbers of the people to ask: text or a list, of numbers as people write them in the country `home`. Returns
 * each number once, in order (gateway-api.md, "Fields": digits only).
 * @throws InvalidParameter for an entry that can't be a number, for none, and for too many
 */
export function readPhones(value: unknown, home?: Country): number[] {
  const accepted = 'one or several phone numbers in international format, separated by commas';
  const phones = asEntries(value).map((entry) => {
    const result = parsePhone(entry, home);
    if (result.ok) return result.phone;
    throw badParameter('phone', accepted, entry, result.reason);
  });
  const unique = [...new Set(phones)];
  if (unique.length > 0 && unique.length <= MAX_PEOPLE) return unique;
  const reason = unique.length === 0 ? 'is empty' : `holds more than ${MAX_PEOPLE} numbers`;
  throw badParameter('phone', accepted, value, reason);
}

function readTitle({ options }: Item, form: AnswerForm, isReview: boolean): string {
  const usual = isApproval(form) ? 'Your approval is needed' : 'Your answer is needed';
  const title = readCaption(options, 'responseFormTitle') || usual;
  // An agent's words may be in the title of a review, so that no unseen character may stay, which could make the title look like another.
  return isReview ? visible(title) : title;
}

/** Reads the words of the page around the question. */
function readPageTexts({ read, options }: Item, channel: SenderChannel) {
  const texts = Object.fromEntries(
    PAGE_TEXT_NAMES.map((name) => [name, readCaption(options, name)]),
  ) as PageTexts;
  // The page names the sender on the first channel, though the person may have the message from another channel and sender, after a
  // fallback.
  const sender = asLocated(read(`${channel}Signature`, ''), labelOf(`${channel}Signature`)) ?? '';
  const from = readCaption(options, 'askedBy') || texts.senderText.replaceAll('{sender}', () => sender);
  return { from, language: readLanguage(options), logo: readLogo(options), texts };
}

/** The code of a language, perhaps with those of a script and a country. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/**
 * Reads the language of the page, as browsers and clocks know it.
 * @throws InvalidParameter for anything else
 */
function readLanguage(options: Record<string, unknown>): string {
  const language = readCaption(options, 'pageLanguage');
  if (LANGUAGE.test(language)) return language;
  throw badParameter('pageLanguage', 'a language such as "en", "uk" or "pt-BR"', language);
}

/**
 * Reads the address of the logo; empty for none.
 * @throws InvalidParameter for an address that isn't encrypted, which browsers refuse on an encrypted page
 */
function readLogo(options: Record<string, unknown>): string {
  const logo = readCaption(options, 'logoAddress');
  if (logo === '' || toUrl(logo)?.protocol === 'https:') return logo;
  throw badParameter('logoAddress', 'empty, or an address that starts with https://', logo);
}
