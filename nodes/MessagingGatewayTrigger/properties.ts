import type { INodeProperties } from 'n8n-workflow';

import { USUAL_STOP_WORDS } from '../gateway/callback/replies';
import { channelOptions, PIPELINE_CHANNELS } from '../gateway/contract/channels';

const OPTIONS: INodeProperties[] = [
  {
    displayName: 'Allowed IP Addresses',
    name: 'allowedIps',
    type: 'string',
    default: '',
    placeholder: 'e.g. 192.0.2.10, 198.51.100.0/24, 2001:db8::/32',
    description:
      'Addresses and ranges that callbacks may come from, separated by commas. Calls from elsewhere are refused with the status 403. Behind a proxy, set N8N_PROXY_HOPS so that n8n sees the address of the caller.',
  },
  {
    displayName: 'For AI Agents',
    name: 'forAgents',
    type: 'boolean',
    default: true,
    description:
      'Whether to add to each reply what an AI Agent and its memory read: chatInput, the text, and sessionId, one for each person and channel, or for each message where the callback brings no number back. A sessionId does not contain the number. Needs the credential.',
  },
  {
    displayName: 'Remove Duplicates',
    name: 'removeDuplicates',
    type: 'boolean',
    default: true,
    description:
      'Whether to start the workflow only once for the same status or reply of the same message, and never for late statuses (Delivered after Read). On unless turned off. Remembers 10,000 events for 24 hours, in memory: after a restart, or in another webhook process, a status starts the workflow again. Not applied to test events.',
  },
  {
    displayName: 'Secret',
    name: 'secret',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    placeholder: 'e.g. 32 random letters and digits',
    description:
      'Secret that the callback address must contain, of eight characters or more. Calls without it are refused with the status 403.',
    hint: 'Delivery Report of a send in this workflow adds it. To a copied address, append <code>?secret=…</code>.',
  },
  {
    displayName: 'Split Replies',
    name: 'splitReplies',
    type: 'boolean',
    default: true,
    description:
      'Whether each reply becomes a separate item, with only that reply in its field replies. On unless turned off.',
  },
  {
    displayName: 'Stop Words',
    name: 'stopWords',
    type: 'string',
    default: USUAL_STOP_WORDS.join(', '),
    description:
      'Words that end messages to a person. A reply that is one of them, or begins with a line that is one, has stop: true, in any case and with a please or thanks. Separated by commas.',
  },
  {
    displayName: 'Verify With Gateway',
    name: 'verifyWithGateway',
    type: 'boolean',
    default: true,
    description:
      'Whether to ask the gateway for the status of the message, by its ID, before the workflow starts. Needs Secret or Allowed IP Addresses. A callback whose outcome the gateway does not confirm starts nothing. verified: false marks what its answer cannot show, such as a reply.',
  },
];

/** Returns the label of an option in single quotes, as messages of n8n have labels. */
export const quotedLabel = (name: string): string =>
  `'${OPTIONS.find((option) => option.name === name)?.displayName}'`;

const OUTCOMES = [
  ['delivered', 'Delivered', 'On message delivered', 'The message arrived'],
  ['failed', 'Failed', 'On message failed', 'The message did not arrive and will not arrive'],
  ['pending', 'Pending', 'On message pending', 'The message is on its way'],
  ['read', 'Read', 'On message read', 'The recipient has read the message'],
  ['replied', 'Replied', 'On reply', 'The recipient has replied to the message'],
];

export const properties: INodeProperties[] = [
  {
    displayName:
      "Anybody who learns the address can start this workflow. Add the option 'Secret' or 'Allowed IP Addresses'.",
    name: 'guardNotice',
    type: 'notice',
    default: '',
    displayOptions: {
      hide: {
        '/options.secret': [{ _cnd: { exists: true } }],
        '/options.allowedIps': [{ _cnd: { exists: true } }],
      },
    },
  },
  {
    displayName: 'Trigger On',
    name: 'outcomes',
    type: 'multiOptions',
    required: true,
    options: OUTCOMES.map(([value, name, action, description]) => ({ name, value, action, description })),
    default: ['delivered', 'failed', 'read', 'replied'],
    description: 'Outcomes that start the workflow',
  },
  {
    displayName: 'Channels',
    name: 'channels',
    type: 'multiOptions',
    options: channelOptions(PIPELINE_CHANNELS),
    default: [],
    hint: 'Empty: all channels',
    description: 'A callback that names no channel starts the workflow as well',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    description:
      'While an option that keeps strangers out is empty, such as a Secret whose expression gives nothing, all calls are refused',
    options: OPTIONS,
  },
];
