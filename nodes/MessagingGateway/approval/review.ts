import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { personNamed, recipientsIn } from '../../gateway/numbers/recipients';
import { visible } from '../../gateway/pages/markup';
import type { AnswerField, Answers } from '../../gateway/pages/answer-fields';
import type { QuestionedCall } from '../../gateway/pages/question-page';
import { measureSms } from '../../gateway/sms/segments';
import { isEmpty } from '../../gateway/text/json';
import { reviewedCall } from '../../n8n/undocumented';
import type { ReviewedCall } from '../agent/detect';
import type { ProposedText } from '../agent/editable-texts';
import { editableTexts } from '../agent/editable-texts';
import { COUNTRY_LABEL } from '../fields/target';
import { InvalidParameter, quoted } from '../fields/field';
import { asText } from '../fields/values';
import type { Item } from '../run/item';
import { RECIPIENTS } from '../run/recipients';
import type { Run } from '../run/run';
import { USUAL_MAX_PARTS } from '../sending/limits';
import { EDITABLE, labelOf } from './properties';

/** The parameter that n8n adds to a human review, for the author's words about the call. */
const REVIEW_TEXT = 'message';

/** n8n's own value of that parameter, which says what the page shows anyway. */
const USUAL_REVIEW_TEXT =
  '=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';

/** The call of a review, and those of its texts that the reviewer may change. */
export interface AskedCall {
  call: ReviewedCall;
  texts: ProposedText[];
}

/** The fields of the page for the texts of a call. */
export const textFields = ({ texts }: AskedCall): AnswerField[] =>
  texts.map(({ parameter, label, proposed }) => ({
    type: 'textarea',
    name: parameter,
    label,
    required: true,
    value: proposed,
    message: {
      // As many parts as a send takes without its option Limits, or as many as the model's text has.
      ...(parameter === 'smsMessage' && {
        maxParts: Math.max(USUAL_MAX_PARTS, measureSms(proposed).segments),
      }),
    },
  }));

/** Returns the call as the person approved it: with the texts that the answers to the page's fields have changed. */
export function approvedCall(
  { call, texts }: AskedCall,
  fields: AnswerField[],
  answers: Answers,
): ReviewedCall {
  const edited = texts.flatMap(({ parameter, proposed }) => {
    const approved = answers[parameter];
    const shown = fields.find(({ name }) => name === parameter)?.value;
    const isEdited = typeof approved === 'string' && approved !== shown;
    return isEdited ? [[parameter, { proposed, approved }] as const] : [];
  });
  return edited.length === 0 ? call : { ...call, texts: Object.fromEntries(edited) };
}

/**
 * Returns the call of a review, and the words of its question: the message, the author's text of the page, and the call in full, as n8n
 * will carry it out, which the page shows beside all texts.
 * @throws NodeOperationError where n8n doesn't say which call it is
 */
export function askedInReview(
  { run: { context, node, form }, read }: Item,
  text: string,
  description: string,
): { message: string; text: string; call: QuestionedCall; asked: AskedCall } {
  const call = reviewedCall(context);
  if (call === undefined) {
    throw new NodeOperationError(node, "n8n doesn't say which call is to be reviewed, so nobody was asked", {
      description:
        'Use the node in the list Human review of the tools of an AI Agent. If it is there, this version of n8n passes calls on in a way that the node does not know.',
    });
  }
  const isUsual = form.raw(REVIEW_TEXT) === USUAL_REVIEW_TEXT;
  const ofAuthor = isUsual ? undefined : asText(read(REVIEW_TEXT, ''), 'Message');
  return {
    asked: {
      call: { id: call.id, tool: call.tool, arguments: call.parameters },
      // Read raw: the agent could fill in an expression.
      texts: form.raw(EDITABLE.name, false) === true ? editableTexts(call.form, call.parameters) : [],
    },
    message: visible(text || `Approve "${call.tool}" in "${context.getWorkflow().name ?? ''}"?`),
    text: visible([description, ofAuthor].filter(Boolean).join('\n\n')),
    call: {
      tool: visible(call.tool),
      args: asJson(call.parameters),
      people: peopleNamed(call.form?.[RECIPIENTS.name], call.parameters),
      others: Object.keys(call.others).length === 0 ? '' : asJson(call.others),
    },
  };
}

/**
 * Returns the people whom the arguments of a call name, each with the number to which the tool would send, in lines; empty for nobody.
 * Takes the list of the tool, as it is filled in.
 */
function peopleNamed(list: unknown, args: unknown): string {
  const recipients = isEmpty(list) ? undefined : recipientsIn(list);
  if (recipients === undefined || typeof recipients === 'string') return '';
  const named = new Set(textsIn(args).flatMap((text) => personNamed(recipients, text) ?? []));
  return [...named].map(({ name, phone }) => visible(`${name}: +${phone}`)).join('\n');
}

/** Returns the texts and other plain values in a value, at all depths. */
const textsIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value];

/** Returns the JSON of a value, in which no character can hide another or turn it around. */
const asJson = (value: unknown): string =>
  visible(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));

/**
 * Refuses a reviewer whom the agent could choose: a number, or the country that completes it, that isn't the author's alone
 * (`isOfAuthor`).
 * @throws InvalidParameter
 */
export function refuseChosenReviewer({ context, form }: Run): void {
  const chosen = { phone: labelOf('phone'), 'options.country': COUNTRY_LABEL };
  const agent = context.getExecuteData().source?.main?.[0]?.previousNode;
  for (const [parameter, label] of Object.entries(chosen)) {
    const raw = form.raw(parameter, '');
    if (isOfAuthor(raw, (node) => agent !== undefined && isBefore(context, node, agent))) continue;
    throw new InvalidParameter(
      quoted(label),
      "fixed in a human review, or an expression such as {{ $vars.manager }} or {{ $('Settings').first().json.manager }} with a node before the agent",
      raw,
      'could be filled in by the agent that is to be reviewed',
    );
  }
}

/** A variable or a setting of the instance, such as $vars.manager. */
const VARIABLE = /^\$(?:vars|env)(?:\.[\w$]+|\[(["'])[\w -]+\1\])+$/;

/** A field of the first item of another node, such as $('Settings').first().json.manager. */
const FIELD = /^\$\((["'])((?:(?!\1).)+)\1\)\.first\(\)\.json((?:\.[\w$]+|\[(["'])[\w -]+\4\])+)$/;

/** Returns the code between the braces of a raw parameter; none for a fixed value. */
function expressionsIn(raw: unknown): string[] {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
  return raw
    .slice(1)
    .split(/\{\{|\}\}/)
    .filter((_, index) => index % 2 === 1)
    .map((code) => code.trim());
}

/**
 * Whether a raw value is the author's alone: fixed, or made of variables of the instance and of fields of nodes that pass
 * `isBeforeAgent`. An agent could fill in any other expression: `$json` holds the agent's arguments, and n8n has several spellings for
 * what an agent says.
 */
export const isOfAuthor = (raw: unknown, isBeforeAgent: (node: string) => boolean): boolean =>
  expressionsIn(raw).every((code) => {
    if (VARIABLE.test(code)) return true;
    const [, , node] = FIELD.exec(code) ?? [];
    return node !== undefined && isBeforeAgent(node);
  });

/** Whether a node runs before the agent, and not because of it. */
function isBefore(context: IExecuteFunctions, node: string, agent: string): boolean {
  const named = (nodes: Array<{ name: string }>) => nodes.some(({ name }) => name === node);
  return named(context.getParentNodes(agent)) && !named(context.getChildNodes(agent)) && node !== agent;
}
