import type {
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from '../n8n/credential-test';
import { answerCall } from '../n8n/incoming-call';
import { properties } from './properties';
import { receive } from './receive';
import { readTriggerSettings } from './settings';

export class MessagingGatewayTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Gateway (SMS, Viber, RCS) Trigger',
    name: 'messagingGatewayTrigger',
    icon: { light: 'file:messagingGatewayTrigger.svg', dark: 'file:messagingGatewayTrigger.dark.svg' },
    group: ['trigger'],
    // Not 1: for each call of a trigger of version 1, n8n (2.41) evaluates an expression of its own, in an isolate that takes
    // most of 20 to 45 ms, even where N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE is set.
    version: 1.1,
    subtitle: '={{ [$parameter["outcomes"]].flat().join(", ") }}',
    description: 'Starts the workflow when a message is delivered, read or answered, or fails',
    eventTriggerDescription: 'Waiting for the gateway to call the Test URL',
    activationMessage:
      "Nodes of this workflow with the option 'Delivery Report' now report to it. Elsewhere, use the Production URL as callback address.",
    triggerPanel: {
      header: 'Start when a message is delivered, read, or answered',
      executionsHelp:
        "Once the workflow is published, each callback that its filters let through starts it. Such executions appear in the <a data-key='executions'>executions list</a>, not in the editor.",
      activationHint: {
        inactive:
          '1. Add the option <b>Delivery Report</b> to the node that sends.<br />2. <b>Publish</b> this workflow: no address has to be copied. Only where another workflow sends, copy the Production URL into <b>Callback URL</b> there.<br /><br />To try it first: copy the Test URL from <b>Webhook URLs</b> into <b>Callback URL</b> in the <b>Delivery Report</b> of the node that sends, click <b>Execute step</b> here, and send a message.',
        active: 'Messages of this workflow with the option <b>Delivery Report</b> start it.',
      },
    },
    defaults: { name: 'Messaging Gateway Trigger' },
    builderHint: {
      searchHint:
        'To go on with the items that were sent, use waitForDelivery of the node that sends instead.',
    },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      // Needed for 'Verify With Gateway' and 'For AI Agents', and to open the seal in the address of a callback.
      { name: 'messagingGatewayApi', required: false, testedBy: 'testCredential' },
    ],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'callback' },
    ],
    properties,
  };

  methods = { credentialTest: { testCredential } };

  webhookMethods = {
    default: {
      // The gateway keeps no list of callback addresses: there is nothing to register with it.
      async checkExists(): Promise<boolean> {
        return false;
      },

      /** Keeps a trigger from being published or tested whose parameters would refuse every callback. */
      async create(this: IHookFunctions): Promise<boolean> {
        readTriggerSettings(this);
        return true;
      },
      async delete(): Promise<boolean> {
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerCall(this, receive);
  }
}
