import type { INodeProperties } from 'n8n-workflow';

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

const allowSending: INodeProperties = {
  displayName: 'Allow Sending',
  name: ALLOW_SENDING,
  type: 'boolean',
  noDataExpression: true,
  default: false,
  description:
    'Whether the agent may send with this tool. Messages cost money, so each call must be confirmed as well.',
  displayOptions: { show: { '@tool': [true] } },
};

/** How a call is confirmed; shown while the switch with this parameter name is on. */
export function confirmationProperties(switchName: string): INodeProperties[] {
  const show = { '@tool': [true], [switchName]: [true] };
  return [
    {
      displayName: 'Confirmation',
      name: CONFIRMATION,
      type: 'options',
      noDataExpression: true,
      options: [
        {
          name: 'By the Agent',
          value: 'agent',
          description:
            'The agent must pass confirm: true in each call and is instructed to ask its user first',
        },
        {
          name: 'By a Person',
          value: 'person',
          description: 'A human review step between the agent and this tool must approve each call',
        },
      ],
      default: 'agent',
      description: 'Who must confirm each call before anything is sent',
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
