import { NodeOperationError } from 'n8n-workflow';

import { reportsToHook } from '../../gateway/delivery/reports';
import { readable, visible } from '../../gateway/pages/markup';
import type { Choice, PageTexts, Question } from '../../gateway/pages/question-page';
import { readableQuestion } from '../../gateway/pages/question-page';
import { isHumanReview } from '../agent/detect';
import { readCountry } from '../fields/country';
import { InvalidParameter, quoted } from '../fields/field';
import { valuesIn } from '../fields/property';
import { asText } from '../fields/values';
import { readChannels, wireTypeFor } from '../message-parts/by-channels';
import { Item } from '../run/item';
import type { Run } from '../run/run';
import { onlyChecks } from '../sending/check-only';
import { readAnswerLimit } from './answer-limit';
import { readFormFields } from './form-fields';
import { withoutLink } from './link';
import { APPROVAL_CHANNELS, labelOf, PAGE_TEXT_NAMES, readCaption } from './properties';
import { readRecipients } from './recipients';
import { refusal } from './refusal';
import { readReplyWords } from './reply-words';
import { askedInReview, refuseChosenReviewer } from './review';

/** What the buttons send. */
export const APPROVE = 'approve';
export const DECLINE = 'decline';

export type ApprovalPlan = ReturnType<typeof readItem>;

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
    text: `${text} ${count}`,
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
  const text = asText(read('text'), labelOf('text')) ?? '';
  const description = caption('responseFormDescription');
  if (!isReview && withoutLink(text) === '') throw refusal('text', 'the text of the message', '', 'is empty');
  const heading = fields.length > 0 ? 'Your answer is needed' : 'Your approval is needed';
  const title = caption('responseFormTitle') || heading;
  const asked = isReview
    ? askedInReview(item, text, description)
    : { text: readable(text), pageText: description || withoutLink(text) };
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
    checkOnly: onlyChecks(options),
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
