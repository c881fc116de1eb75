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
    subtitle: '={{ [$parameter["outcomes"]].flat().join(", ") }}',
    description:
      'Send SMS, Viber, RCS, voice and one-time passwords; start on delivery reports and replies of recipients',
    eventTriggerDescription: 'Waiting for the gateway to call the Test URL',
    activationMessage: 'You can now send messages with the Production URL as their callback address.',
    triggerPanel: {
      header: 'Catch one callback of the gateway',
      executionsHelp: {
        inactive:
          "<b>To try it:</b><br />1. Click <i>Listen for test event</i>.<br />2. Send a message whose <i>Callback URL</i> is the Test URL above.<br />3. Wait for its delivery, or press <i>Delivered</i> on the sandbox's phone page.<br /><br /><b>To use it:</b> publish the workflow. Callbacks to the Production URL then start it and appear in the executions list.",
        active:
          "<b>To try it:</b><br />1. Click <i>Listen for test event</i>.<br />2. Send a message whose <i>Callback URL</i> is the Test URL above.<br />3. Wait for its delivery, or press <i>Delivered</i> on the sandbox's phone page.<br /><br />The workflow is published: callbacks to the Production URL start it and appear in the <a data-key='executions'>executions list</a>.",
      },
      activationHint:
        'Once you’ve finished building your workflow, publish it: callbacks to the Production URL then start it.',
    },
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
