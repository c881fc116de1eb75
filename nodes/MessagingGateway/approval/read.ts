import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';

import type { Country } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { reportsToHook } from '../../gateway/delivery/reports';
import { readable, visible } from '../../gateway/pages/markup';
import type { Choice, PageTexts, Question } from '../../gateway/pages/question-page';
import { readableQuestion } from '../../gateway/pages/question-page';
import { isHumanReview } from '../agent/detect';
import { readCountry } from '../fields/country';
import { InvalidParameter, quoted } from '../fields/field';
import { valuesIn } from '../fields/property';
import { asBoolean, asEntries, asNumber, asText } from '../fields/values';
import { changeTexts } from '../parameters/marked-text';
import { Item } from '../run/item';
import type { Run } from '../run/run';
import { readChannels, wireTypeFor } from '../message-parts/by-channels';
import { CHECK_ONLY } from '../sending/properties';
import { LIMIT_UNITS } from '../delivery-wait/settings';
import { readFormFields } from './form-fields';
import { LINK_MARK, withoutLink } from './link';
import { APPROVAL_CHANNELS, labelOf, PAGE_TEXT_NAMES, readCaption } from './properties';
import { askedInReview, refuseChosenReviewer } from './review';

/** What the buttons send. */
export const APPROVE = 'approve';
export const DECLINE = 'decline';

export type ApprovalPlan = ReturnType<typeof readItem>;

const refusal = (name: string, accepted: string, received: unknown, reason?: string): InvalidParameter =>
  new InvalidParameter(quoted(labelOf(name)), accepted, received, reason);

/**
 * Reads what the run asks: the same for all items, since one answer is for all of them; the question counts them.
 * @throws NodeOperationError for invalid parameters, and for items that ask something different
 */
export function readPlan(run: Run): ApprovalPlan {
  const now = run.now();
  const [first, ...others] = run.items.map((_, index) =>
    run.reading(index, () => readItem(new Item(run, index), now)),
  );
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
  const { text, question } = first;
  const count = question.texts.itemsText.replaceAll('{count}', String(run.items.length));
  return {
    ...first,
    text: [...text, ` ${count}`],
    question: { ...question, text: `${question.text}\n\n${count}` },
  };
}

function readItem(item: Item, now: number) {
  const { run, read, options } = item;
  const isReview = isHumanReview(run.context);
  if (isReview) refuseChosenReviewer(run.context);
  const caption = (name: Parameters<typeof readCaption>[1]) => readCaption(options, name);
  const channels = readChannels(read('channels', ['sms']), APPROVAL_CHANNELS);
  const { fields, choices } = readAnswerForm(item);
  const words = readReplyWords(options);
  const useless =
    fields.length > 0
      ? 'with this response type, because a word can only approve or decline'
      : !reportsToHook(wireTypeFor(channels)) &&
        'with these channels, because the gateway does not pass on their replies';
  if (words && useless) {
    const labels = ['approveWords', 'declineWords'].map((name) => quoted(labelOf(name)));
    throw new InvalidParameter(labels.join(' and '), `empty ${useless}`, 'words');
  }
  const text = item.readMarked('text', labelOf('text'), [LINK_MARK]) ?? [];
  const description = caption('responseFormDescription');
  if (!isReview && withoutLink(text) === '') throw refusal('text', 'the text of the message', '', 'is empty');
  const heading = fields.length > 0 ? 'Your answer is needed' : 'Your approval is needed';
  const title = caption('responseFormTitle') || heading;
  const asked = isReview
    ? askedInReview(item, text, description)
    : { text: changeTexts(text, readable), pageText: description || withoutLink(text) };
  const texts = valuesIn(options.pageTexts);
  return {
    isReview,
    phones: readRecipients(read('phone'), readCountry(options)),
    channels,
    /** Of the message, as is the caption of its button. */
    text: asked.text,
    button: caption('messageButtonLabel'),
    question: readableQuestion({
      title: isReview ? visible(title) : title,
      text: asked.pageText,
      from: caption('askedBy') || usualSender(run.context.getWorkflow().name),
      ...('call' in asked && { call: asked.call }),
      language: caption('pageLanguage'),
      ...{ fields, choices },
      texts: Object.fromEntries(PAGE_TEXT_NAMES.map((name) => [name, readCaption(texts, name)])) as PageTexts,
    }),
    words,
    limitAt: readAnswerLimit(options, now),
    checkOnly: asBoolean(options.checkOnly, CHECK_ONLY.displayName) === true,
  };
}

/** What n8n calls a workflow until somebody names it. */
const UNNAMED = /^My (?:sub-)?workflow(?: \d+)?$/i;

/** Who asks where the author entered nobody: the workflow, unless its name would tell the person nothing. */
const usualSender = (workflow = ''): string => (UNNAMED.test(workflow.trim()) ? '' : workflow);

function readAnswerForm({ read, options }: Item): Pick<Question, 'fields' | 'choices'> {
  const type = read('responseType', 'approval');
  const submit: Choice[] = [
    { value: 'submit', label: readCaption(options, 'responseFormButtonLabel'), style: 'primary' },
  ];
  if (type === 'customForm') return { fields: readFormFields(read), choices: submit };
  if (type === 'freeText') {
    const label = readCaption(options, 'responseFieldLabel');
    return { fields: [{ type: 'textarea', name: 'text', label, required: true }], choices: submit };
  }
  if (type !== 'approval') throw refusal('responseType', 'one of approval, freeText, customForm', type);
  const values = valuesIn(read('approvalOptions', {}));
  const { buttonApprovalStyle = 'primary', buttonDisapprovalStyle = 'secondary' } = values;
  const choices: Choice[] = [
    { value: APPROVE, label: readCaption(values, 'approveLabel'), style: String(buttonApprovalStyle) },
    { value: DECLINE, label: readCaption(values, 'disapproveLabel'), style: String(buttonDisapprovalStyle) },
  ];
  const isDouble = (values.approvalType ?? 'double') === 'double';
  return { fields: [], choices: isDouble ? choices : choices.slice(0, 1) };
}

/** Most people to ask at once: each of them costs a message. */
const MOST_RECIPIENTS = 50;

/**
 * Reads the numbers of the people to ask: text or a list, of numbers as people write them in the country `home`. Returns
 * each number once, in order (gateway-api.md, "Fields": digits only).
 * @throws InvalidParameter for a number that can't be one, for none, and for too many
 */
export function readRecipients(value: unknown, home?: Country): number[] {
  const accepted = 'one or several phone numbers in international format, separated by commas';
  const phones = asEntries(value).map((entry) => {
    const result = parsePhone(entry, home);
    if (result.ok) return result.phone;
    throw refusal('phone', accepted, entry, result.reason);
  });
  const unique = [...new Set(phones)];
  if (unique.length > 0 && unique.length <= MOST_RECIPIENTS) return unique;
  const reason = unique.length === 0 ? 'is empty' : `holds more than ${MOST_RECIPIENTS} numbers`;
  throw refusal('phone', accepted, value, reason);
}

/** The words that decide by reply, as `normalWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/** A reply without what people and phones add: case, blanks, punctuation around it. */
function normalWord(reply: string): string {
  const word = reply.normalize('NFKC').trim().toLowerCase();
  return word.replace(/^[\p{P}\p{Z}]+|[\p{P}\p{Z}]+$/gu, '') || word;
}

/** Reads the words that decide by reply, if any. Throws InvalidParameter for an object, and for a word that does both. */
export function readReplyWords(options: Record<string, unknown>): ReplyWords | undefined {
  const [approve, decline] = ['approveWords', 'declineWords'].map((name) =>
    asEntries(options[name]).map((entry) => normalWord(asText(entry, labelOf(name)) ?? '')),
  );
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw refusal('declineWords', `without the words of ${quoted(labelOf('approveWords'))}`, both);
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns what a reply decides: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = normalWord(reply);
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}

/**
 * Returns the limit on waiting, in milliseconds since 1970; without one, n8n's date for waits without end.
 * @throws InvalidParameter for a limit that isn't in the future
 */
export function readAnswerLimit({ limitWaitTime }: Record<string, unknown>, now: number): number {
  const endless = WAIT_INDEFINITELY.getTime();
  const given = (limitWaitTime as { values?: Record<string, unknown> } | undefined)?.values;
  if (given === undefined) return endless;
  const { limitType = 'afterTimeInterval', resumeAmount = 1, resumeUnit = 'hours', maxDateAndTime } = given;
  if (limitType !== 'afterTimeInterval') {
    const date = new Date(String(maxDateAndTime)).getTime();
    if (date > now) return Math.min(date, endless);
    throw refusal('maxDateAndTime', 'a date and time in the future', maxDateAndTime);
  }
  const unit = LIMIT_UNITS.find(({ value }) => value === resumeUnit);
  if (unit === undefined) throw refusal('resumeUnit', 'Minutes, Hours or Days', resumeUnit);
  const left = (asNumber(resumeAmount, labelOf('resumeAmount')) ?? 0) * unit.length;
  if (left > 0) return Math.min(now + left, endless);
  throw refusal('resumeAmount', 'a number above 0', resumeAmount);
}
