import { DateTime } from 'luxon';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';

import { isHumanReview } from '../../n8n/engine';
import type { WireType } from '../../gateway/contract/operations';
import { rulesOf } from '../../gateway/contract/operations';
import { reportsToHook } from '../../gateway/delivery/reports';
import type { Country } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { readable, visible } from '../../gateway/pages/markup';
import type { Choice, PageTexts, Question } from '../../gateway/pages/question-page';
import { readableQuestion } from '../../gateway/pages/question-page';
import { measureSms } from '../../gateway/sms/segments';
import { beginningOf, comparedWord, LONGEST_WORD } from '../../gateway/text/characters';
import { toUrl } from '../../gateway/text/hosts';
import { asEntries } from '../../gateway/text/json';
import { readSpan } from '../fields/span';
import { checked, quoted, readFields } from '../fields/field';
import { valuesIn } from '../fields/property';
import { readCountry } from '../fields/target';
import { asLocated, asMessage, asText } from '../fields/values';
import { refuseLeftover } from '../message-parts/text-gaps';
import { readChannels, SENDER_CHANNELS, wireTypeFor } from '../message-parts/by-channels';
import { Item } from '../run/item';
import { readForRun } from '../run/output';
import type { Run } from '../run/run';
import { onlyChecks } from '../sending/check-only';
import { readFormFields } from './form-fields';
import { badParameter, labelOf, offeredFieldsOf, PAGE_TEXT_NAMES, readCaption } from './properties';
import { askedInReview, refuseChosenReviewer, textFields } from './review';

/** The values that the buttons send. */
export const APPROVE = 'approve';
export const DECLINE = 'decline';

export type ApprovalPlan = ReturnType<typeof readItem>;

/**
 * Reads the question of a run: the same for all items, since one answer is for all of them; the question counts them.
 * @throws NodeOperationError for invalid parameters, and for items that ask something different
 */
export function readPlan(run: Run): ApprovalPlan {
  const now = run.now();
  const [first, ...others] = run.items.map((_, index) =>
    readForRun(run, index, () => readItem(new Item(run, index), now)),
  );
  const same = JSON.stringify(first);
  const otherAt = others.findIndex((plan) => JSON.stringify(plan) !== same);
  if (otherAt !== -1) {
    throw new NodeOperationError(
      run.node,
      `One question can't be asked for all items: row ${otherAt + 2} differs from row 1 in its number, text, form or options`,
      {
        description:
          'Nothing was sent. Put Loop Over Items in front of this node, so that it asks for each item; or make these fields the same for all items to have one answer count for all of them.',
      },
    );
  }
  if (others.length === 0) return first;
  const { text, question } = first;
  const count = question.texts.itemsText.replaceAll('{count}', () => String(run.items.length));
  return {
    ...first,
    text: `${text} ${count}`,
    question: { ...question, text: `${question.text}\n\n${count}` },
  };
}

function readItem(item: Item, now: number) {
  const { run, read, options } = item;
  const isReview = isHumanReview(run.context);
  if (isReview) refuseChosenReviewer(run);
  const channels = readChannels(read('channels', ['sms']), SENDER_CHANNELS);
  const { choices, ...form } = readAnswerForm(item);
  const type = wireTypeFor(channels);
  const words = readReplyWords(options);
  const whyNoWords = whyUseless(form.fields.length > 0, type);
  if (words && whyNoWords !== undefined)
    throw badParameter('replyWords', 'left out', '', `has no use ${whyNoWords}`);

  const text = asMessage(read('text'), labelOf('text')) ?? '';
  refuseLeftover(item, ({ parameter }) => parameter === 'text');
  if (!isReview && withoutLink(text) === '')
    throw badParameter('text', 'the text of the message', '', 'is empty');
  const description = readCaption(options, 'responseFormDescription');
  const { message, asked, ...shown } = isReview
    ? askedInReview(item, text, description)
    : { message: readable(text), text: description || withoutLink(text), asked: undefined };
  const decides = choices.some(({ value }) => value === APPROVE);
  const fields = asked !== undefined && decides ? textFields(asked) : form.fields;
  const heading = form.fields.length > 0 ? 'Your answer is needed' : 'Your approval is needed';
  const title = readCaption(options, 'responseFormTitle') || heading;
  const texts = Object.fromEntries(
    PAGE_TEXT_NAMES.map((name) => [name, readCaption(options, name)]),
  ) as PageTexts;
  return {
    isReview,
    asked,
    phones: readPhones(read('phone'), readCountry(options)),
    ...{ channels, type },

    /** Whether callbacks come to the execution: to a custom form, n8n passes on nothing but forms. */
    isReported: reportsToHook(type) && read('responseType', 'approval') !== 'customForm',

    /** The wire fields of the options. */
    optional: readFields(offeredFieldsOf(type), (name) => options[name], rulesOf(type)),

    /** The text of the message; `button` is the caption of its button. */
    text: checked(labelOf('text'), message, rulesOf('sms').sms_message),
    button: checked(
      labelOf('messageButtonLabel'),
      readCaption(options, 'messageButtonLabel'),
      rulesOf('viber').viber_button,
    ),
    question: readableQuestion({
      ...shown,
      title: isReview ? visible(title) : title,
      from:
        readCaption(options, 'askedBy') ||
        texts.senderText.replaceAll('{sender}', () => senderOf(item, channels[0])),
      language: readLanguage(options),
      logo: readLogo(options),
      ...{ fields, choices, texts },
    }),
    words,
    limitAt: readLimit(options, now, run.context.getTimezone()),
    checkOnly: onlyChecks(options),
  };
}

/** Returns why words that decide by reply have no use for a question; undefined where they have. */
function whyUseless(hasForm: boolean, type: WireType): string | undefined {
  if (hasForm) return 'with this response type, because a word can only approve or decline';
  if (reportsToHook(type)) return undefined;
  return 'with these channels, because the gateway does not pass on their replies';
}

/** Returns the name of the sender on the first channel, which the recipient sees in the message. */
const senderOf = ({ read }: Item, channel: (typeof SENDER_CHANNELS)[number]): string =>
  asLocated(read(`${channel}Signature`, ''), labelOf(`${channel}Signature`)) ?? '';

/**
 * Returns the language of the page, as browsers and clocks know it.
 * @throws InvalidParameter for anything else
 */
function readLanguage(options: Record<string, unknown>): string {
  const language = readCaption(options, 'pageLanguage');
  if (LANGUAGE.test(language)) return language;
  throw badParameter('pageLanguage', 'a language such as "en", "uk" or "pt-BR"', language);
}

/** The code of a language, perhaps with those of a script and a country. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/**
 * Returns the address of the logo; empty for none.
 * @throws InvalidParameter for an address that isn't encrypted, which browsers refuse on an encrypted page
 */
function readLogo(options: Record<string, unknown>): string {
  const logo = readCaption(options, 'logoAddress');
  if (logo === '' || toUrl(logo)?.protocol === 'https:') return logo;
  throw badParameter('logoAddress', 'empty, or an address that starts with https://', logo);
}

/** Authors write this mark where the link is to stand in the text. */
const LINK_MARK = '{link}';

/**
 * Returns the text with one link: at the first `{link}`, or at the end of a text that has none. A blank parts the link from the
 * character behind it, which phones would take for a part of the link.
 */
export function withLink(text: string, link: string): string {
  const [start, ...rest] = text.split(LINK_MARK);
  if (rest.length === 0) return `${start.trimEnd()} ${link}`.trimStart();
  const end = rest.join('');
  return `${start}${link}${/^\S/u.test(end) ? ' ' : ''}${end}`;
}

/** Returns the text without marks, for a button that has the link, or for the page behind it. */
export const withoutLink = (text: string): string =>
  text
    .split(LINK_MARK)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/** SMS that a question may cost for each person. Strangers' names and an agent's words may be longer; the page shows all of them. */
const MAX_SEGMENTS = 4;

/** Characters of any message. */
const MAX_CHARACTERS = 1000;

export const CUT_HINT = `The text of the message was cut, and the page shows all of it: a message has ${MAX_CHARACTERS.toLocaleString('en')} characters at most, and an SMS with its link ${MAX_SEGMENTS} parts. To send all of it, add 'Shorten Links', if your tariff has it; or enter a short 'Text' and put the long one into 'Response Form Description'.`;

/** In place of a link that the gateway shortens to a length of its choice: long enough for any. */
const SHORT_LINK = 'x'.repeat(40);

/** Returns the text of a plan's message, cut so far that a link as long as this one has room. */
export function messageText({ text, channels, optional }: ApprovalPlan, link: string): string {
  if (!channels.includes('sms')) return fittingText(text, undefined);
  return fittingText(text, optional.short_link === true ? SHORT_LINK : link);
}

/**
 * Returns as much of the beginning of a text as a message can have: 1,000 characters, and where an SMS is sent with a link, a tenth less
 * each time until both fit in four parts.
 */
export function fittingText(text: string, link: string | undefined): string {
  const fits = (start: string) =>
    link === undefined || measureSms(withLink(start, link)).segments <= MAX_SEGMENTS;
  let start = beginningWithin(text, MAX_CHARACTERS);
  for (let max = MAX_CHARACTERS; max > ELLIPSIS.length && !fits(start); max = Math.floor(max * 0.9))
    start = beginningWithin(text, max);
  return fits(start) ? start : '';
}

const ELLIPSIS = '...';

/** Returns the beginning of a text, without a part of the mark of the link at its end. */
function beginningWithin(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = beginningOf(text, max - ELLIPSIS.length).replace(/\{(?:l(?:i(?:nk?)?)?)?$/, '');
  return `${start.trimEnd()}${ELLIPSIS}`;
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

/**
 * Returns the limit on waiting, in milliseconds since 1970; without one, n8n's date for waits without end. Takes the workflow's
 * time zone, which counts for a date without a zone.
 * @throws InvalidParameter for a limit that isn't in the future
 */
export function readLimit({ limitWaitTime }: Record<string, unknown>, now: number, zone: string): number {
  const endless = WAIT_INDEFINITELY.getTime();
  if (limitWaitTime === undefined) return endless;
  const {
    limitType = 'afterTimeInterval',
    resumeAmount: amount = 1,
    resumeUnit: unit = 'hours',
    maxDateAndTime,
  } = valuesIn(limitWaitTime);
  if (limitType === 'afterTimeInterval')
    return now + readSpan([amount, unit], [labelOf('resumeAmount'), labelOf('resumeUnit')]);
  const date = momentOf(String(maxDateAndTime), zone);
  if (date > now) return Math.min(date, endless);
  throw badParameter('maxDateAndTime', 'a date and time in the future', maxDateAndTime);
}

/** The name of a zone in a text of a date as `String` writes it. */
const WITH_ZONE = /\b(?:GMT|UTC)\b/;

/**
 * Returns a date in milliseconds since 1970; a date without a zone is by the clocks of `zone`. NaN for a text that is no date in ISO 8601
 * or SQL, and no date as `String` writes it.
 */
function momentOf(text: string, zone: string): number {
  const found = [DateTime.fromISO(text, { zone }), DateTime.fromSQL(text, { zone })].find(
    ({ isValid }) => isValid,
  );
  return found?.toMillis() ?? (WITH_ZONE.test(text) ? new Date(text).getTime() : NaN);
}

/** Reads how the person answers: the fields of the page, and its buttons. */
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
  if (type !== 'approval') throw badParameter('responseType', 'one of approval, freeText, customForm', type);
  const values = valuesIn(read('approvalOptions', {}));
  const { approvalType, buttonApprovalStyle = 'primary', buttonDisapprovalStyle = 'secondary' } = values;
  const choices: Choice[] = [
    { value: APPROVE, label: readCaption(values, 'approveLabel'), style: String(buttonApprovalStyle) },
    { value: DECLINE, label: readCaption(values, 'disapproveLabel'), style: String(buttonDisapprovalStyle) },
  ];
  return { fields: [], choices: approvalType === 'single' ? choices.slice(0, 1) : choices };
}

/** The words that decide by reply, as `comparedWord` returns them. */
export interface ReplyWords {
  approve: string[];
  decline: string[];
}

/**
 * Reads the words that decide by reply, if any.
 * @throws InvalidParameter for an object, for an entry that is no word, and for a word that does both
 */
export function readReplyWords(values: Record<string, unknown>): ReplyWords | undefined {
  const [approve, decline] = ['approveWords', 'declineWords'].map((name) =>
    asEntries(values[name]).map((entry) => {
      const word = comparedWord(asText(entry, labelOf(name)) ?? '');
      if (word !== undefined) return word;
      throw badParameter(name, `words of 1 to ${LONGEST_WORD} characters`, entry);
    }),
  );
  const both = approve.find((word) => decline.includes(word));
  if (both !== undefined) {
    throw badParameter('declineWords', `without the words of ${quoted(labelOf('approveWords'))}`, both);
  }
  return approve.length + decline.length > 0 ? { approve, decline } : undefined;
}

/** Returns the decision of a reply: true to approve, false to decline, undefined for any other reply. */
export function decisionOf(reply: string, { approve, decline }: ReplyWords): boolean | undefined {
  const word = comparedWord(reply) ?? '';
  if (approve.includes(word)) return true;
  return decline.includes(word) ? false : undefined;
}
