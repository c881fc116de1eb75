import type { INodeProperties } from 'n8n-workflow';

import { choice, property, shownFor } from '../fields/property';

/**
 * Form properties of the two locks on sending when the node is an agent's tool: the author's switch, and how each
 * call is confirmed. Only the form of the tool shows them.
 */

export const ALLOW_SENDING = 'allowSending';
export const CONFIRMATION = 'confirmation';
export const CONFIRMED_BY_AGENT = 'confirmedByAgent';

const CONFIRM_TEXT =
  'Messages cost money. true only after the user has seen the recipient and the text and agreed to send exactly this; otherwise false';

/** Stands at the top of the form, since the switch comes after all fields. */
export const sendingNotice: INodeProperties = {
  displayName: "Until 'Allow Sending' below is on, the agent sends nothing with this tool",
  name: 'sendingNotice',
  type: 'notice',
  default: '',
  displayOptions: { show: { '@tool': [true], [ALLOW_SENDING]: [false] } },
};

const allowSending = property(
  'Allow Sending',
  ALLOW_SENDING,
  'Whether the agent may send with this tool. Messages cost money, so each call must be confirmed as well.',
  { type: 'boolean', noDataExpression: true, default: false, ...shownFor({ '@tool': [true] }) },
);

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
      displayOptions: { show },
    },
    {
      displayName:
        'A call passes only through a human review: add one to the agent from the list <i>Human review</i> of its tools, and connect this tool to the review instead of the agent',
      name: 'reviewNotice',
      type: 'notice',
      default: '',
      displayOptions: { show: { ...show, [CONFIRMATION]: ['person'] } },
    },
    {
      displayName: 'Confirmed by the Agent',
      name: CONFIRMED_BY_AGENT,
      type: 'hidden',
      default: `={{ $fromAI('confirm', '${CONFIRM_TEXT}', 'boolean', false) }}`,
      displayOptions: { show: { ...show, [CONFIRMATION]: ['agent'] } },
    },
  ];
}

/** For operations that send. */
export const lockProperties: INodeProperties[] = [allowSending, ...confirmationProperties(ALLOW_SENDING)];
