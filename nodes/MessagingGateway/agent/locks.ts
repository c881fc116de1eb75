import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { choice, property, shownFor } from '../fields/property';
import { allowedRecipients, RECIPIENTS_LABEL, recipientsProperty } from './allowed-recipients';
import { isAgentTool, isApprovedByPerson } from './detect';

/** The locks on sending as an agent's tool, shown only there: the author's switch, and how each call is confirmed. */

const allowSending = property(
  'Allow Sending',
  'allowSending',
  'Whether the agent may send with this tool. Messages cost money, so each call must be confirmed as well.',
  { type: 'boolean', noDataExpression: true, default: false, ...shownFor({ '@tool': [true] }) },
);

/** Stands at the top of the form, since the switch comes after all fields. */
export const sendingNotice: INodeProperties = {
  displayName: "Until 'Allow Sending' below is on, the agent sends nothing with this tool",
  name: 'sendingNotice',
  type: 'notice',
  default: '',
  ...shownFor({ '@tool': [true], [allowSending.name]: [false] }),
};

const CONFIRMATION = 'confirmation';
const CONFIRMED_BY_AGENT = 'confirmedByAgent';
const CONFIRM_TEXT =
  'Messages cost money. true only after the user has seen the recipient and the text and agreed to send exactly this; otherwise false';

/** How a call is confirmed; shown while the switch with this parameter name is on. */
export function confirmationProperties(switchName: string): INodeProperties[] {
  const show = { '@tool': [true], [switchName]: [true] };
  return [
    {
      ...choice('Confirmation', CONFIRMATION, 'Who must confirm each call before anything is sent', [
        [
          'agent',
          'By the Agent',
          'The agent must pass confirm: true in each call and is instructed to ask its user first',
        ],
        [
          'person',
          'By a Person',
          'A human review step between the agent and this tool must approve each call',
        ],
      ]),
      noDataExpression: true,
      ...shownFor(show),
    },
    {
      displayName:
        'A call passes only through a human review: add one to the agent from the list <i>Human review</i> of its tools, and connect this tool to the review instead of the agent',
      name: 'reviewNotice',
      type: 'notice',
      default: '',
      ...shownFor({ ...show, [CONFIRMATION]: ['person'] }),
    },
    {
      displayName: 'Confirmed by the Agent',
      name: CONFIRMED_BY_AGENT,
      type: 'hidden',
      default: `={{ $fromAI('confirm', '${CONFIRM_TEXT}', 'boolean', false) }}`,
      ...shownFor({ ...show, [CONFIRMATION]: ['agent'] }),
    },
  ];
}

/** For operations that send. */
export const lockProperties: INodeProperties[] = [
  allowSending,
  recipientsProperty(allowSending.name),
  ...confirmationProperties(allowSending.name),
];

/**
 * The refusal of an agent's call of an operation that sends, worded for the model, in the shape of the gateway's own
 * connector (gateway-api.md, "Confirmed sends"); undefined where both locks are open.
 */
export function lockedAgainst(
  context: IExecuteFunctions,
  itemIndex: number,
  { name: switchName, displayName: label } = allowSending,
) {
  const locked = (reason: string, howTo: string) => ({
    refused: true,
    reason: `Nothing was sent: ${reason}`,
    how_to: howTo,
  });
  // Only a literal value set by the author counts: the agent could fill in an expression.
  const author = (name: string): unknown =>
    context.getNodeParameter(name, 0, undefined, { rawExpressions: true });
  if (author(switchName) !== true) {
    return locked(
      'the author of this workflow has not allowed this tool to send',
      `Do not try again. Tell the user that sending has to be allowed in the workflow first, in the settings of this tool ('${label}').`,
    );
  }
  const recipients = allowedRecipients(context, itemIndex);
  if (recipients?.why !== undefined) {
    return locked(
      `the author's list of recipients ${recipients.why}`,
      `Do not try again. Tell the user that '${RECIPIENTS_LABEL}' has to be corrected in the settings of this tool.`,
    );
  }
  const confirmation = author(CONFIRMATION);
  if (confirmation !== 'person' && confirmation !== 'agent') {
    return locked(
      'the author of this workflow has not said who confirms a call',
      "Do not try again. Tell the user to choose one in 'Confirmation' in the settings of this tool; it takes no expression.",
    );
  }
  if (confirmation === 'person') {
    if (isApprovedByPerson(context)) return undefined;
    return locked(
      'a person has to approve each call, and nobody was asked',
      'Do not try again. Tell the user that the workflow needs a human review step between the agent and this tool.',
    );
  }
  // A fixed value would confirm all calls at once.
  const isFilledIn = /^=.*\$fromAI\(/.test(String(author(CONFIRMED_BY_AGENT)));
  const confirm: unknown = isFilledIn && context.getNodeParameter(CONFIRMED_BY_AGENT, itemIndex, false);
  if (confirm === true || confirm === 'true') return undefined;
  return locked(
    'this call was not confirmed',
    'Show the user the recipient and the text. Once the user agrees to send exactly that, call this tool again with the same values and confirm: true.',
  );
}

/** Whether a connector call is confirmed, for an agent each one as well. `advice` tells the agent what is missing. */
export function callLock(
  context: IExecuteFunctions,
  itemIndex: number,
  ownSwitch: INodeProperties,
): { confirmed: boolean; advice?: string } {
  if (!isAgentTool(context))
    return { confirmed: context.getNodeParameter(ownSwitch.name, itemIndex, false) === true };
  const refusal = lockedAgainst(context, itemIndex, ownSwitch);
  return { confirmed: refusal === undefined, advice: refusal?.how_to };
}
