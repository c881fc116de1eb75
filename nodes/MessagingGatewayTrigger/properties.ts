import type { INodeProperties } from 'n8n-workflow';

import { CALLBACK_CHANNELS, channelOptions } from '../gateway/contract/channels';
import { optionsProperty } from './options';

export const properties: INodeProperties[] = [
  {
    displayName:
      'Send nodes in this workflow find this trigger through their option Callback to This Workflow. For other workflows, enter the production URL as the option Callback URL of their send nodes, or in the API settings of your gateway account. Publish the workflow. The gateway must be able to reach the URL: localhost and private addresses only work with a gateway on your own machine or network, and http is not safe. The test URL only works while this editor listens for a test event.',
    name: 'urlNotice',
    type: 'notice',
    default: '',
  },
  {
    displayName: 'Outcomes',
    name: 'outcomes',
    type: 'multiOptions',
    options: [
      { name: 'Delivered', value: 'delivered', description: 'The message arrived' },
      { name: 'Failed', value: 'failed', description: 'The message did not arrive and will not arrive' },
      { name: 'Pending', value: 'pending', description: 'The message is on its way' },
      { name: 'Read', value: 'read', description: 'The recipient has read the message' },
      { name: 'Replied', value: 'replied', description: 'The recipient has replied to the message' },
    ],
    default: ['delivered', 'failed', 'read', 'replied'],
    description: 'Outcomes that start the workflow',
  },
  {
    displayName: 'Channels',
    name: 'channels',
    type: 'multiOptions',
    options: channelOptions(CALLBACK_CHANNELS),
    default: [],
    description:
      'Channels whose callbacks start the workflow. Leave empty for all channels. A callback without a channel counts as Telegram or WhatsApp.',
  },
  optionsProperty,
];
