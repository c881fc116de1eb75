import type { INodeProperties } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { PHONE_DIGITS } from '../../gateway/contract/wire-fields';
import { credentialLabel } from '../../gateway/contract/credential';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { parsePrefixes } from '../../gateway/numbers/allowed-prefixes';
import { parsePhone } from '../../gateway/numbers/phone';
import { asEntries, isEmpty } from '../../gateway/text/json';
import { InvalidParameter, quoted } from '../fields/field';
import { property, shownFor } from '../fields/property';
import type { Run } from '../run/run';

/** The numbers that may be sent to and looked up: by the credential, and for an agent by its tool. */

const NAME = 'allowedRecipients';
const LABEL = 'Allowed Recipients';

/** Returns the field of an agent's tool, and the notice of an empty one, shown for the values `show` of other fields. */
export const recipientsProperties = (show: Record<string, [true]> = {}): INodeProperties[] => [
  property(
    LABEL,
    NAME,
    "Numbers, or beginnings of numbers, that the agent may send to or look up, separated by commas. The agent can't change them.",
    {
      noDataExpression: true,
      placeholder: 'e.g. +44 7700 900001, 380',
      ...shownFor({ '@tool': [true], ...show }),
    },
  ),
  property(
    `Anyone: while ${quoted(LABEL)} is empty, this tool takes every number that the agent enters and the credential allows`,
    'recipientsNotice',
    undefined,
    { type: 'notice', ...shownFor({ '@tool': [true], ...show, [NAME]: [''] }) },
  ),
];

/** Digits of the beginning of a number, at most: with one more, an entry may be a whole number (gateway-api.md, "Fields"). */
const LONGEST_BEGINNING = PHONE_DIGITS.min - 1;

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
 * @throws InvalidParameter for a list that can't be read
 */
export function allowedNumbers(run: Run, allowed: AllowedPrefixes): AllowedNumbers[] {
  return [ofCredential(allowed), ofTool(run)].filter((list) => list !== undefined);
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
  const { accepted, list, numbers } = lacking;
  const reason = `isn't among the ${list}`;
  // A list with numbers and names in it is too long for a clause.
  const advice = numbers.size === 0 ? `Use ${accepted}` : undefined;
  throw new InvalidParameter(parameter, accepted, phone, { reason, advice });
}

function ofCredential(allowed: AllowedPrefixes): AllowedNumbers | undefined {
  const list = `${credentialLabel('allowedPrefixes')} of the credential`;
  if (!allowed.ok)
    throw new InvalidParameter(list, 'a list of number prefixes such as 380, 48, 4477', allowed.wrong);
  const { prefixes } = allowed;
  if (prefixes.length === 0) return undefined;
  return { list, accepted: `a number that starts with ${prefixes.join(', ')}`, numbers: new Set(), prefixes };
}

function ofTool({ context, form }: Run): AllowedNumbers | undefined {
  if (!isAgentTool(context)) return undefined;
  // Read raw: the agent could fill in an expression.
  const given = form.raw(NAME, '');
  if (isEmpty(given)) return undefined;
  const list = `${quoted(LABEL)} of this tool`;
  const unusable = (reason: string) =>
    new InvalidParameter(list, 'fixed numbers, or beginnings of numbers', given, {
      reason,
      advice: `Write the numbers themselves into ${list}, without an expression`,
    });
  const read = numbersIn(given);
  if (typeof read === 'string')
    throw unusable(
      `has an entry that is neither a whole number nor a beginning of ${LONGEST_BEGINNING} digits at most: ${read}`,
    );
  if (read.numbers.size === 0 && read.prefixes.length === 0) throw unusable('has no number');
  return { list, accepted: 'a number that the author of this workflow lets this tool use', ...read };
}

/**
 * Reads a list, or a text with commas. An entry that is a possible phone number stands for that number alone; a shorter one, of
 * fewer digits than any phone number, for all numbers that begin with it. Returns the entry that is neither, where there is one.
 */
export function numbersIn(given: unknown): Numbers | string {
  const numbers = new Set<string>();
  const prefixes: string[] = [];
  for (const entry of asEntries(given)) {
    const text = typeof entry === 'string' || typeof entry === 'number' ? String(entry).trim() : '';
    const number = parsePhone(text);
    if (number.ok) {
      numbers.add(String(number.phone));
      continue;
    }
    const read = parsePrefixes(text);
    const [beginning = '', ...others] = read.ok ? read.prefixes : [];
    // A number that lacks a digit would open ten numbers.
    const isBeginning = beginning !== '' && beginning.length <= LONGEST_BEGINNING && others.length === 0;
    if (!isBeginning) return text || JSON.stringify(entry);
    prefixes.push(beginning);
  }
  return { numbers, prefixes };
}
