import type { INodeProperties } from 'n8n-workflow';

import { credentialLabel } from '../../gateway/contract/credential';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import type { Recipients } from '../../gateway/numbers/recipients';
import { namesOfPeople } from '../../gateway/numbers/recipients';
import { InvalidParameter, quoted } from '../fields/field';
import { property, shownFor } from '../fields/property';
import { RECIPIENTS, RECIPIENTS_LIST } from '../run/recipients';
import type { Run } from '../run/run';

const { name: NAME, label: LABEL } = RECIPIENTS;

/** Returns the field for the numbers of an agent's tool, and the notice of an empty one, shown for the values `show` of other fields. */
export const recipientsProperties = (show: Record<string, [true]> = {}): INodeProperties[] => [
  property(
    LABEL,
    NAME,
    "Numbers, beginnings of numbers, or names with their numbers, that the agent may send to or look up, separated by commas. The agent can't change them, and says the name in place of the number.",
    {
      noDataExpression: true,
      placeholder: 'e.g. Anna: +44 7700 900001, 380',
      hint: 'With names, describe Phone Number to the model, such as: <i>One of these names: Anna, Ben. Never a number.</i>',
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

export interface AllowedNumbers extends Recipients {
  /** The list, as errors name it. */
  list: string;

  /** Errors say this of the numbers in the list. */
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
  const { accepted, list, numbers, people } = lacking;
  const reason = `isn't among the ${list}`;
  const adviceFor = () => {
    if (people.size > 0) return `Use one of these names: ${namesOfPeople(lacking)}`;
    // A list of numbers is too long for a clause, and no model's business.
    return numbers.size === 0 ? `Use ${accepted}` : undefined;
  };
  throw new InvalidParameter(parameter, accepted, phone, { reason, advice: adviceFor() });
}

const NO_PEOPLE = { numbers: new Set<string>(), people: new Map<string, never>() };

function ofCredential(allowed: AllowedPrefixes): AllowedNumbers | undefined {
  const list = `${credentialLabel('allowedPrefixes')} of the credential`;
  if (!allowed.ok)
    throw new InvalidParameter(list, 'a list of number prefixes such as 380, 48, 4477', allowed.wrong);
  const { prefixes } = allowed;
  if (prefixes.length === 0) return undefined;
  return { list, accepted: `a number that starts with ${prefixes.join(', ')}`, ...NO_PEOPLE, prefixes };
}

function ofTool({ form }: Run): AllowedNumbers | undefined {
  const { recipients } = form;
  if (recipients === undefined) return undefined;
  return {
    list: RECIPIENTS_LIST,
    accepted: 'a number that the author of this workflow lets this tool use',
    ...recipients,
  };
}
