import type { AnswerField } from '../../gateway/pages/answer-fields';
import { visible } from '../../gateway/pages/markup';
import type { Choice, PageTexts, Question } from '../../gateway/pages/question-page';
import { isHumanReview } from '../agent/detect';
import { InvalidParameter, quoted } from '../fields/field';
import { asText } from '../fields/values';
import type { Item } from '../run/item';
import { readFormFields } from './form-fields';
import { withoutLink } from './link';
import { PAGE_TEXT_NAMES, readCaption, valuesIn } from './parts';
import { callToReview, plain, reviewTexts, shownCall } from './review';

export const TEXT_LABEL = 'Text';
/** The parameter that n8n adds to a human review: what the agent wants to do, in the author's words. */
const REVIEW_TEXT = 'message';
/** Its value where the author entered none. It says what the page shows anyway. */
const USUAL_REVIEW_TEXT =
  '=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';

const RESPONSE_TYPES = ['approval', 'freeText', 'customForm'] as const;
type ResponseType = (typeof RESPONSE_TYPES)[number];

/** Values of the buttons. */
export const APPROVE = 'approve';
export const DECLINE = 'decline';

/** What is asked: on the phone's list of messages, and on the page. */
export interface Inquiry {
  responseType: ResponseType;
  /** Texts of the message; in a human review the first that fits in it counts. */
  texts: string[];
  question: Question;
}

/** What of an inquiry a human review decides differently. */
type AskedWords = Pick<Inquiry, 'texts'> & { pageText: string } & Pick<Question, 'call'>;

/**
 * Reads what an item asks.
 * @throws InvalidParameter for an invalid parameter; NodeOperationError for a review of an unknown call
 */
export function readQuestion(item: Item): Inquiry {
  const { run, options } = item;
  const isReview = isHumanReview(run.context);
  const responseType = readResponseType(item.read('responseType', 'approval'));
  const description = readCaption(options, 'responseFormDescription');
  const title = readCaption(options, 'responseFormTitle');
  const { texts, pageText, call } = isReview ? askedInReview(item, description) : asked(item, description);
  return {
    responseType,
    texts,
    question: {
      title: isReview ? visible(title) : title,
      text: pageText,
      from: run.context.getWorkflow().name ?? '',
      ...(call && { call }),
      language: readCaption(options, 'pageLanguage'),
      fields: fieldsOf(responseType, item),
      choices:
        responseType === 'approval'
          ? approvalChoices(item, isReview)
          : [{ value: 'submit', label: readCaption(options, 'responseFormButtonLabel'), style: 'primary' }],
      texts: pageTexts(options),
    },
  };
}

function asked({ read }: Item, description: string): AskedWords {
  const text = asText(read('text'), TEXT_LABEL);
  if (text === undefined || withoutLink(text) === '') {
    throw new InvalidParameter(quoted(TEXT_LABEL), 'the text of the message', '', 'is empty');
  }
  return { texts: [text], pageText: description || withoutLink(text) };
}

/** The page shows the call itself, whatever the author's texts say; in what an expression returns, nothing is markup. */
function askedInReview({ run, read, index }: Item, description: string): AskedWords {
  const raw = (name: string): unknown =>
    run.context.getNodeParameter(name, index, '', { rawExpressions: true });
  const call = callToReview(run);
  const text = asText(read('text'), TEXT_LABEL);
  const message =
    raw(REVIEW_TEXT) === USUAL_REVIEW_TEXT ? undefined : asText(read(REVIEW_TEXT, ''), 'Message');
  const isWritten = !String(raw('text')).startsWith('=');
  const texts =
    text === undefined
      ? reviewTexts(run.context.getWorkflow().name ?? '', call)
      : [isWritten ? text : plain(text)];
  const pageText = [description, message].filter(Boolean).join('\n\n');
  return { texts, pageText: visible(pageText), call: shownCall(call) };
}

function readResponseType(value: unknown): ResponseType {
  const found = RESPONSE_TYPES.find((type) => type === value);
  if (found !== undefined) return found;
  throw new InvalidParameter("'Response Type'", `one of ${RESPONSE_TYPES.join(', ')}`, value);
}

function fieldsOf(responseType: ResponseType, item: Item): AnswerField[] {
  if (responseType === 'customForm') return readFormFields(item.read);
  if (responseType === 'approval') return [];
  const label = readCaption(item.options, 'responseFieldLabel');
  return [{ type: 'textarea', name: 'text', label, required: true }];
}

/** The buttons; a human review without a way to decline would be none. */
function approvalChoices({ read }: Item, isReview: boolean): Choice[] {
  const values = valuesIn(read('approvalOptions', {}));
  const type = values.approvalType ?? (isReview ? 'double' : 'single');
  const style = (name: string, usual: Choice['style']) =>
    values[name] === 'primary' || values[name] === 'secondary' ? values[name] : usual;
  const approve: Choice = {
    value: APPROVE,
    label: readCaption(values, 'approveLabel'),
    style: style('buttonApprovalStyle', 'primary'),
  };
  if (type !== 'double') return [approve];
  const label = readCaption(values, 'disapproveLabel');
  return [approve, { value: DECLINE, label, style: style('buttonDisapprovalStyle', 'secondary') }];
}

function pageTexts(options: Record<string, unknown>): PageTexts {
  const values = valuesIn(options.pageTexts);
  return Object.fromEntries(PAGE_TEXT_NAMES.map((name) => [name, readCaption(values, name)])) as PageTexts;
}
