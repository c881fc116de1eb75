import type { INodeProperties } from 'n8n-workflow';

import { CALLBACK_CHANNELS, channelOptions } from '../gateway/contract/channels';
import { optionsProperty } from './options';

export const properties: INodeProperties[] = [
  {
    displayName:
      'Sends in this workflow find this trigger by their option Callback to This Workflow. For sends elsewhere, enter the production URL as their option Callback URL, or in the API settings of the gateway. Publish the workflow. The gateway must be able to reach it: localhost and private addresses only work with a gateway on your own machine or network, and http is not safe. The test URL only works while this editor listens for a test event.',
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
      { name: 'Failed', value: 'failed', description: 'The message did not arrive, and will not' },
      { name: 'Pending', value: 'pending', description: 'The message is on its way' },
      { name: 'Read', value: 'read', description: 'The recipient has read the message' },
      { name: 'Replied', value: 'replied', description: 'The recipient has answered the message' },
    ],
    default: ['delivered', 'failed', 'read', 'replied'],
    description: 'What the workflow starts for',
  },
  {
    displayName: 'Channels',
    name: 'channels',
    type: 'multiOptions',
    options: channelOptions(CALLBACK_CHANNELS),
    default: [],
    description:
      'The channels that the workflow starts for. Leave empty for all of them. A callback that names no channel counts as Telegram or WhatsApp.',
  },
  optionsProperty,
];
