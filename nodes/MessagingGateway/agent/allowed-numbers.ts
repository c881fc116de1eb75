import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { credentialLabel } from '../../gateway/contract/credential';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { parsePrefixes } from '../../gateway/numbers/allowed-prefixes';
import { parsePhone } from '../../gateway/numbers/phone';
import { InvalidParameter, quoted } from '../fields/field';
import { property, shownFor } from '../fields/property';
import { asEntries } from '../fields/values';
import { isBeforeAgentOf, isOfAuthor } from './author-values';
import { isAgentTool } from './detect';

/** The numbers that may be sent to and looked up: by the credential, and for an agent by its tool. */

const NAME = 'allowedRecipients';
const LABEL = 'Allowed Recipients';

/** Shown in an agent's tool, where the other conditions hold too. */
export const recipientsProperty = (show: Record<string, [true]> = {}): INodeProperties =>
  property(
    LABEL,
    NAME,
    "Numbers, or beginnings of numbers, that the agent may send to or look up, separated by commas. Empty: all that the credential allows. The agent can't fill this in: as an expression, use $vars or a field of a node before the agent, and if that comes to nothing, no number is allowed.",
    { placeholder: 'e.g. +44 7700 900001, 380', ...shownFor({ '@tool': [true], ...show }) },
  );

/** Whole numbers, and beginnings of numbers. */
interface Numbers {
  numbers: ReadonlySet<string>;
  prefixes: readonly string[];
}

export interface AllowedNumbers extends Numbers {
  /** The list, as errors name it. */
  list: string;

  /** The words of errors for a number's range. */
  accepted: string;
}

/**
 * Returns the lists that are filled in: that of the credential, and that of the tool where an agent calls.
 * @throws InvalidParameter for a list that can't be read, or that the agent could fill in
 */
export function allowedNumbers(context: IExecuteFunctions, allowed: AllowedPrefixes): AllowedNumbers[] {
  return [ofCredential(allowed), ofTool(context)].filter((list) => list !== undefined);
}

/**
 * @throws InvalidParameter where one of the lists lacks a number, digits only; `parameter` holds the number, as errors name it
 */
export function requireAllowed(
  lists: readonly AllowedNumbers[],
  phone: number | string,
  parameter: string,
): void {
  const digits = String(phone);
  const lacking = lists.find(
    ({ numbers, prefixes }) => !numbers.has(digits) && !prefixes.some((prefix) => digits.startsWith(prefix)),
  );
  if (lacking === undefined) return;
  throw new InvalidParameter(parameter, lacking.accepted, phone, `isn't among the ${lacking.list}`);
}

function ofCredential(allowed: AllowedPrefixes): AllowedNumbers | undefined {
  const list = `${credentialLabel('allowedPrefixes')} of the credential`;
  if (!allowed.ok)
    throw new InvalidParameter(list, 'a list of number prefixes such as 380, 48, 4477', allowed.wrong);
  const { prefixes } = allowed;
  if (prefixes.length === 0) return undefined;
  return { list, accepted: `a number that starts with ${prefixes.join(', ')}`, numbers: new Set(), prefixes };
}

function ofTool(context: IExecuteFunctions): AllowedNumbers | undefined {
  if (!isAgentTool(context)) return undefined;
  const raw: unknown = context.getNodeParameter(NAME, 0, '', { rawExpressions: true });
  if (raw === '' || raw === undefined || raw === null) return undefined;
  const list = `${quoted(LABEL)} of this tool`;
  const unusable = (reason: string) =>
    new InvalidParameter(list, 'numbers, or beginnings of numbers, that the author chose', raw, reason);
  if (!isOfAuthor(raw, (node) => isBeforeAgentOf(context, node)))
    throw unusable(
      'could be filled in by the agent; use fixed numbers, $vars, or a field of a node before the agent',
    );
  const read = numbersIn(valueOf(context));
  if (typeof read === 'string')
    throw unusable(`has an entry that is neither a number nor the beginning of one: ${read}`);
  if (read.numbers.size === 0 && read.prefixes.length === 0) throw unusable('is empty');
  return { list, accepted: 'a number that the author of this workflow lets this tool use', ...read };
}

function valueOf(context: IExecuteFunctions): unknown {
  try {
    return context.getNodeParameter(NAME, 0, '');
  } catch {
    // A node that didn't run, or a variable that doesn't exist: the list is empty.
    return '';
  }
}

/**
 * Reads a list, or a text with commas. An entry that is a possible phone number stands for that number alone; any other one,
 * and one with an asterisk at its end, for all numbers that begin with it. Returns the entry that is neither, where there is one.
 */
export function numbersIn(given: unknown): Numbers | string {
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
