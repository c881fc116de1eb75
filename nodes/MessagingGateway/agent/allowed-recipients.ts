import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parsePrefixes } from '../../gateway/numbers/allowed-prefixes';
import { parsePhone } from '../../gateway/numbers/phone';
import { property, shownFor } from '../fields/property';
import { asEntries } from '../fields/values';
import { isBeforeAgentOf, isOfAuthor } from './author-values';
import { isAgentTool } from './detect';

const NAME = 'allowedRecipients';
export const RECIPIENTS_LABEL = 'Allowed Recipients';

/** Shown in an agent's tool while the switch with this parameter name is on. */
export const recipientsProperty = (switchName: string): INodeProperties =>
  property(
    RECIPIENTS_LABEL,
    NAME,
    "Numbers, or beginnings of numbers, to which the agent may send, separated by commas. Empty: to all that the credential allows. The agent can't fill this in: as an expression, use $vars or a field of a node before the agent, and if that comes to nothing, nothing is sent.",
    { placeholder: 'e.g. +44 7700 900001, 380', ...shownFor({ '@tool': [true], [switchName]: [true] }) },
  );

/** To whom an agent may send: whole numbers, and beginnings of numbers. */
export interface Recipients {
  numbers: ReadonlySet<string>;
  prefixes: readonly string[];
}

/** Whether a number, digits only, is among the recipients. */
export const isRecipient = ({ numbers, prefixes }: Recipients, phone: number | string): boolean =>
  numbers.has(String(phone)) || prefixes.some((prefix) => String(phone).startsWith(prefix));

/**
 * Returns to whom an agent may send with this tool; undefined where the author left that open, or where no agent calls. In
 * doubt, nobody is a recipient: `why` then says what the author has to change.
 */
export function allowedRecipients(
  context: IExecuteFunctions,
  itemIndex: number,
): (Recipients & { why?: string }) | undefined {
  if (!isAgentTool(context)) return undefined;
  const raw: unknown = context.getNodeParameter(NAME, itemIndex, '', { rawExpressions: true });
  if (raw === '' || raw === undefined || raw === null) return undefined;
  const nobody = (why: string) => ({ numbers: new Set<string>(), prefixes: [], why });
  if (!isOfAuthor(raw, (node) => isBeforeAgentOf(context, node)))
    return nobody(
      'could be filled in by the agent; use fixed numbers, $vars, or a field of a node before the agent',
    );
  const read = recipientsIn(valueOf(context, itemIndex));
  if (typeof read === 'string')
    return nobody(`has an entry that is neither a number nor the beginning of one: ${read}`);
  const isEmpty = read.numbers.size === 0 && read.prefixes.length === 0;
  return isEmpty ? nobody('is empty') : read;
}

function valueOf(context: IExecuteFunctions, itemIndex: number): unknown {
  try {
    return context.getNodeParameter(NAME, itemIndex, '');
  } catch {
    // A node that didn't run, or a variable that doesn't exist: nobody is allowed.
    return '';
  }
}

/**
 * Reads a list, or a text with commas. An entry that is a possible phone number stands for that number alone; any other one,
 * and one with an asterisk at its end, for all numbers that begin with it. Returns the entry that is neither, where there is one.
 */
export function recipientsIn(given: unknown): Recipients | string {
  const numbers = new Set<string>();
  const prefixes: string[] = [];
  for (const entry of asEntries(given)) {
    const text = typeof entry === 'string' || typeof entry === 'number' ? String(entry).trim() : '';
    const number = text.endsWith('*') ? undefined : parsePhone(text);
    if (number?.ok) {
      numbers.add(String(number.phone));
      continue;
    }
    const prefix = parsePrefixes(text.replace(/\*$/, ''));
    if (!prefix.ok || prefix.prefixes.length !== 1) return text || JSON.stringify(entry);
    prefixes.push(...prefix.prefixes);
  }
  return { numbers, prefixes };
}
