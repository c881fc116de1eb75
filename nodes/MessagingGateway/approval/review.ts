import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { measureSms } from '../../gateway/contract/sms-segments';
import { visible } from '../../gateway/pages/markup';
import type { QuestionedCall } from '../../gateway/pages/question-page';
import type { ReviewedCall } from '../../n8n/undocumented';
import { reviewedCall } from '../../n8n/undocumented';
import { COUNTRY_LABEL } from '../fields/country';
import { InvalidParameter, quoted } from '../fields/field';
import type { Run } from '../run/run';
import { RECIPIENTS_LABEL } from './inputs';
import { LINK_MARK, withLink } from './link';

/** A human review of an agent's tool: who decides, what the person is shown, and what fits in the message. */

/** The most SMS that a review may cost: an agent's words, and names that others chose, are of any length. */
const MOST_SEGMENTS = 3;
const MOST_CHARACTERS = 153 * MOST_SEGMENTS;
/** The lengths to which names are shortened, one after the other, until the message fits. */
const NAME_LENGTHS = [60, 30, 15, 8];
const CUT = '...';

/**
 * Returns the call on which the reviewer decides, as n8n will have it carried out.
 * @throws NodeOperationError where n8n doesn't say
 */
export function callToReview({ context, node }: Run): ReviewedCall {
  const call = reviewedCall(context);
  if (call !== undefined) return call;
  throw new NodeOperationError(node, "n8n doesn't say which call is to be reviewed, so nobody was asked", {
    description:
      'Use the node in the list Human review of the tools of an AI Agent. If it is there, this version of n8n passes calls on in a way that the node does not know.',
  });
}

/** Returns the call as the page shows it: in full, and so that no character can hide or turn around another. */
export function shownCall({ tool, parameters, others }: ReviewedCall): QuestionedCall {
  const isEmpty = Object.keys(others).length === 0;
  return { tool: visible(tool), args: asJson(parameters), others: isEmpty ? '' : asJson(others) };
}

const asJson = (value: unknown): string =>
  typeof value === 'string' ? visible(value) : visible(JSON.stringify(value, null, 2) ?? '');

/** Returns the usual texts of the message of a review, the longest first: they name workflow and tool while that fits. */
export function reviewTexts(workflow: string, { tool }: ReviewedCall): string[] {
  const named = (most: number) => `Approve ${quotedName(tool, most)} in ${quotedName(workflow, most)}?`;
  return [...NAME_LENGTHS.map(named), 'Approve the call of a tool?'];
}

const quotedName = (name: string, most: number): string => `"${shorten(plain(name), most)}"`;

/** Returns words of a review in which nothing is a mark for the link, since an agent could have put it there. */
export const plain = (text: string): string => visible(text).replaceAll(LINK_MARK, '(link)');

const shorten = (text: string, most: number): string => {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most - CUT.length).join('')}${CUT}` : text;
};

/** Returns the first of the texts that fits in three SMS with the link, else as much of the last one as does. */
export function fitted(texts: readonly string[], link: string): string {
  const fits = (text: string) => measureSms(withLink(text, link)).segments <= MOST_SEGMENTS;
  const found = texts.find(fits);
  if (found !== undefined) return found;
  let text = texts[texts.length - 1];
  for (let most = MOST_CHARACTERS; most >= CUT.length && !fits(text); most--) text = shorten(text, most);
  return text;
}

/** Variables and settings of the instance. */
const VARIABLE = /^\$(?:vars|env)(?:\.[\w$]+|\[(["'])[\w -]+\1\])+$/;
/** A field of the first item of another node. */
const FIELD = /^\$\((["'])((?:(?!\1).)+)\1\)\.first\(\)\.json((?:\.[\w$]+|\[(["'])[\w -]+\4\])+)$/;

/**
 * Refuses a reviewer whom the agent could choose: a number, or its country, from an expression, unless it consists of
 * variables of the instance and of fields of nodes before the agent. In a review, `$json` holds the agent's arguments, and
 * n8n has several spellings for values that the agent fills in.
 * @throws InvalidParameter
 */
export function refuseChosenReviewer(context: IExecuteFunctions): void {
  refuseChosen(context, 'phone', RECIPIENTS_LABEL);
  refuseChosen(context, 'options.country', COUNTRY_LABEL);
}

function refuseChosen(context: IExecuteFunctions, parameter: string, label: string): void {
  const raw: unknown = context.getNodeParameter(parameter, 0, '', { rawExpressions: true });
  if (typeof raw !== 'string' || !raw.startsWith('=')) return;
  const parts = raw.slice(1).split(/\{\{|\}\}/);
  const expressions = parts.filter((_, index) => index % 2 === 1).map((part) => part.trim());
  if (expressions.every((expression) => isOutOfReach(context, expression))) return;
  throw new InvalidParameter(
    quoted(label),
    "fixed in a human review, or an expression such as {{ $vars.manager }} or {{ $('Settings').first().json.manager }} with a node before the agent",
    raw,
    'could be filled in by the agent that is to be reviewed',
  );
}

function isOutOfReach(context: IExecuteFunctions, expression: string): boolean {
  if (VARIABLE.test(expression)) return true;
  const [, , node] = FIELD.exec(expression) ?? [];
  const agent = context.getExecuteData().source?.main?.[0]?.previousNode;
  if (node === undefined || agent === undefined) return false;
  const named = (nodes: Array<{ name: string }>) => nodes.some(({ name }) => name === node);
  return named(context.getParentNodes(agent)) && !named(context.getChildNodes(agent)) && node !== agent;
}
