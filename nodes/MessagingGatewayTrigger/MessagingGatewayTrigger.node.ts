import type {
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from '../n8n/credential-test';
import { forgetUrl, knowsUrl, rememberUrl } from './own-url';
import { properties } from './properties';
import { receive } from './receive';

export class MessagingGatewayTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Gateway Trigger',
    name: 'messagingGatewayTrigger',
    icon: { light: 'file:messagingGatewayTrigger.svg', dark: 'file:messagingGatewayTrigger.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["outcomes"].join(", ") }}',
    description: 'Starts the workflow when the gateway reports the delivery status of a message',
    eventTriggerDescription: 'Waiting for the gateway to call the Test URL',
    activationMessage: 'You can now send messages with the production URL as their callback address.',
    defaults: { name: 'Messaging Gateway Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      {
        name: 'messagingGatewayApi',
        required: true,
        testedBy: 'testCredential',
        displayOptions: { show: { '/options.verifyWithGateway': [true] } },
      },
    ],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'callback' },
    ],
    properties,
  };

  methods = { credentialTest: { testCredential } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return knowsUrl(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return rememberUrl(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return forgetUrl(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await receive(this);
  }
}
