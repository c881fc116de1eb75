import type { AnswerField } from '../../gateway/pages/answer-fields';
import type { Choice, PageTexts, Question } from '../../gateway/pages/question-page';
import { PAGE_TEXTS } from '../../gateway/pages/question-page';
import { isHumanReview } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { asText } from '../fields/values';
import type { Item } from '../run/item';
import { readFormFields } from './form-fields';
import { withoutLink } from './message';

export const TEXT_LABEL = 'Text';
/** Name of the parameter that n8n adds to a human review: what the agent wants to do, in the author's words. */
const REVIEW_TEXT = 'message';

const RESPONSE_TYPES = ['approval', 'freeText', 'customForm'] as const;
export type ResponseType = (typeof RESPONSE_TYPES)[number];

/** Values of the buttons. */
export const APPROVE = 'approve';
export const DECLINE = 'decline';
const SUBMIT = 'submit';

/** Name of the free text in the output. */
export const FREE_TEXT = 'text';

/** What is asked: on the phone's list of messages, and on the page. */
export interface Inquiry {
  responseType: ResponseType;
  /** Text of the message. */
  text: string;
  question: Question;
}

/**
 * Reads what an item asks.
 * @throws InvalidParameter for an invalid parameter
 */
export function readQuestion(item: Item): Inquiry {
  const { run, options } = item;
  const isReview = isHumanReview(run.context);
  const read = (name: string, fallback?: unknown) => item.read(name, fallback);
  const option = (name: string) => asText(options[name], run.label(name) ?? name);
  const review = isReview ? asText(read(REVIEW_TEXT), 'Message') : undefined;
  const text = asText(read('text'), TEXT_LABEL) ?? review;
  if (text === undefined || withoutLink(text) === '') {
    throw new InvalidParameter(quoted(TEXT_LABEL), 'the text of the message', '', 'is empty');
  }
  const responseType = readResponseType(read('responseType', 'approval'));
  const pageText = option('responseFormDescription') ?? review ?? withoutLink(text);
  return {
    responseType,
    text,
    question: {
      title: option('responseFormTitle') ?? '',
      text: pageText,
      from: run.context.getWorkflow().name ?? '',
      language: option('pageLanguage') ?? 'en',
      fields: fieldsOf(responseType, item),
      choices:
        responseType === 'approval'
          ? approvalChoices(read('approvalOptions', {}), isReview)
          : [{ value: SUBMIT, label: option('responseFormButtonLabel') ?? 'Submit', style: 'primary' }],
      texts: pageTexts(options.pageTexts),
    },
  };
}

function readResponseType(value: unknown): ResponseType {
  const found = RESPONSE_TYPES.find((type) => type === value);
  if (found !== undefined) return found;
  throw new InvalidParameter("'Response Type'", `one of ${RESPONSE_TYPES.join(', ')}`, value);
}

function fieldsOf(responseType: ResponseType, item: Item): AnswerField[] {
  if (responseType === 'customForm') return readFormFields(item.read);
  if (responseType === 'approval') return [];
  const label = asText(item.options.responseFieldLabel, 'Response Field Label') ?? 'Response';
  return [{ type: 'textarea', name: FREE_TEXT, label, required: true }];
}

/** The buttons; a human review without a way to decline would be none. */
function approvalChoices(given: unknown, isReview: boolean): Choice[] {
  const { values = {} } = (given ?? {}) as { values?: Record<string, unknown> };
  const type = values.approvalType ?? (isReview ? 'double' : 'single');
  const style = (name: string, usual: Choice['style']) =>
    values[name] === 'primary' || values[name] === 'secondary' ? values[name] : usual;
  const approve: Choice = {
    value: APPROVE,
    label: asText(values.approveLabel, 'Approve Button Label') ?? 'Approve',
    style: style('buttonApprovalStyle', 'primary'),
  };
  if (type !== 'double') return [approve];
  const label = asText(values.disapproveLabel, 'Disapprove Button Label') ?? 'Decline';
  return [approve, { value: DECLINE, label, style: style('buttonDisapprovalStyle', 'secondary') }];
}

function pageTexts(given: unknown): PageTexts {
  const { values = {} } = (given ?? {}) as { values?: Record<string, unknown> };
  const entries = Object.entries(PAGE_TEXTS).map(([name, usual]) => [
    name,
    asText(values[name], name) ?? usual,
  ]);
  return Object.fromEntries(entries) as PageTexts;
}
