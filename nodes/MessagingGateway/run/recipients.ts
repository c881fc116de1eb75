import type { IExecuteFunctions } from 'n8n-workflow';

import type { Recipients } from '../../gateway/numbers/recipients';
import { namesOfPeople, personNamed, recipientsIn } from '../../gateway/numbers/recipients';
import { parsePhone } from '../../gateway/numbers/phone';
import { isEmpty } from '../../gateway/text/json';
import { isAgentTool } from '../../n8n/engine';
import { InvalidParameter, quoted } from '../fields/field';

/** The parameter with the numbers and people that an agent's tool may write to. */
export const RECIPIENTS = { name: 'allowedRecipients', label: 'Allowed Recipients' };

/** The list, as errors name it. */
export const RECIPIENTS_LIST = `${quoted(RECIPIENTS.label)} of this tool`;

/**
 * Reads the list of an agent's tool; undefined for a list that is empty, and where no agent calls. Takes its raw value: the agent
 * could fill in an expression.
 * @throws InvalidParameter for a list that can't be read
 */
export function readRecipients(context: IExecuteFunctions, raw: unknown): Recipients | undefined {
  if (!isAgentTool(context) || isEmpty(raw)) return undefined;
  const isExpression = typeof raw === 'string' && (raw.startsWith('=') || raw.includes('{{'));
  const read = isExpression ? 'is an expression, which the agent could fill in' : recipientsIn(raw);
  const isUnusable = typeof read === 'string' || (read.numbers.size === 0 && read.prefixes.length === 0);
  if (!isUnusable) return read;
  throw new InvalidParameter(
    RECIPIENTS_LIST,
    'fixed numbers, beginnings of numbers, or names with numbers',
    undefined,
    {
      reason: typeof read === 'string' ? read : 'has no number',
      advice: `Write the numbers themselves into ${RECIPIENTS_LIST}, without an expression`,
    },
  );
}

/**
 * Returns the number of the person whom a value names, on a list of an agent's tool with names; any number as it is.
 * @throws InvalidParameter for the name of nobody; the error has the names of the list and none of its numbers
 */
export function numberNamed(recipients: Recipients, value: unknown, parameter: string): unknown {
  const person = personNamed(recipients, value);
  if (person !== undefined) return person.phone;
  // A list without names, and a number or nothing at all, go on as without a list.
  if (recipients.people.size === 0 || isEmpty(value) || parsePhone(value).ok) return value;
  const names = `one of these names: ${namesOfPeople(recipients)}`;
  throw new InvalidParameter(parameter, names, value, {
    reason: `names nobody among the ${RECIPIENTS_LIST}`,
  });
}
