import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from '../n8n/credential-test';
import type { ListMethod } from './fields/make-field';
import { getToolArguments, searchTools } from './methods/connector-tools';
import { listSearch } from './methods/list-search';
import { formProperties, subtitle } from './properties';
import { execute, receiveWhileWaiting } from './router';
import { waitingWebhooks } from './suspend/sleep';

export class MessagingGateway implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Gateway (SMS, Viber, RCS)',
    name: 'messagingGateway',
    icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle,
    description: 'Send SMS, Viber, RCS, WhatsApp, voice calls and one-time passwords through the gateway',
    defaults: { name: 'Messaging Gateway' },
    usableAsTool: true,
    builderHint: {
      searchHint:
        'Takes all items at once and returns a result for each: no Loop Over Items, no Wait node in between. To go on once messages have arrived, turn on waitForDelivery. To confirm a phone number, use resource otp with send and verify, never a random number of a Code node. To ask a person, use resource approval.',
    },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      {
        name: 'messagingGatewayApi',
        required: true,
        testedBy: 'testCredential',
        // Number: Check asks nobody.
        displayOptions: { hide: { operation: ['check'] } },
      },
    ],
    webhooks: waitingWebhooks,
    waitingNodeTooltip:
      '={{ $parameter["resource"] === "approval" ? "Waiting until someone answers, " + ((limit) => !limit ? "without a limit" : (limit.maxDateAndTime || limit.resumeAmount + " " + limit.resumeUnit) + " at most")($parameter["options"]?.limitWaitTime?.values) : "Waiting for delivery, " + $parameter["waitAmount"] + " " + $parameter["waitUnit"] + " at most" }}',
    properties: formProperties,
  };

  methods = {
    credentialTest: { testCredential },
    listSearch: { ...listSearch, searchTools } satisfies Record<ListMethod, unknown>,
    resourceMapping: { getToolArguments },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await execute(this)];
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await receiveWhileWaiting(this);
  }
}
