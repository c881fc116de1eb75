import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidParameter, quoted } from '../fields/field';
import { RECIPIENTS_LABEL } from './recipients';

/** Who decides in a human review: nobody whom the agent that is reviewed could choose. */

/** Variables and settings of the instance. */
const VARIABLE = /^\$(?:vars|env)(?:\.[\w$]+|\[(["'])[\w -]+\1\])+$/;
/** A field of the first item of another node. */
const FIELD = /^\$\((["'])((?:(?!\1).)+)\1\)\.first\(\)\.json((?:\.[\w$]+|\[(["'])[\w -]+\4\])+)$/;

/**
 * Refuses a reviewer whom the agent could choose: one from an expression, unless it consists of variables of the instance
 * and of fields of nodes before the agent. In a review, `$json` holds the agent's arguments, and n8n has several
 * spellings for values that the agent fills in.
 * @throws InvalidParameter
 */
export function refuseChosenReviewer(context: IExecuteFunctions): void {
  const raw: unknown = context.getNodeParameter('phone', 0, '', { rawExpressions: true });
  if (typeof raw !== 'string' || !raw.startsWith('=')) return;
  const parts = raw.slice(1).split(/\{\{|\}\}/);
  const expressions = parts.filter((_, index) => index % 2 === 1).map((part) => part.trim());
  if (expressions.every((expression) => isOutOfReach(context, expression))) return;
  throw new InvalidParameter(
    quoted(RECIPIENTS_LABEL),
    "a number in a human review, or an expression such as {{ $vars.manager }} or {{ $('Settings').first().json.manager }} with a node before the agent",
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
