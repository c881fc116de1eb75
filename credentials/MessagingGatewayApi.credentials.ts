import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { CREDENTIAL_LABELS } from '../nodes/gateway/contract/credential';
import { authenticateRequest } from '../nodes/n8n/authenticate';

export class MessagingGatewayApi implements ICredentialType {
  name = 'messagingGatewayApi';
  displayName = 'Messaging Gateway API';
  icon: Icon = { light: 'file:messagingGatewayApi.svg', dark: 'file:messagingGatewayApi.dark.svg' };

  documentationUrl =
    'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#send-a-message';

  properties: INodeProperties[] = [
    {
      displayName: CREDENTIAL_LABELS.apiKey,
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Create it in your gateway account (Settings → API → Add). It is shown only once.',
    },
    {
      displayName: CREDENTIAL_LABELS.baseUrl,
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://api.example.com',
      description:
        "Where messages are sent to: the server of the gateway's JSON API, with or without <code>/api/json.php</code> at the end. Shown with the API key in your gateway account, or in the gateway's documentation.",
    },
    {
      displayName: CREDENTIAL_LABELS.asyncUrl,
      name: 'asyncUrl',
      type: 'string',
      default: '',
      placeholder: 'e.g. https://async.example.com',
      description:
        'The server of the asynchronous JSON API, with or without <code>/v1/json</code> at the end. Only needed where the Send Mode is Queued.',
    },
    {
      displayName: CREDENTIAL_LABELS.mcpUrl,
      name: 'mcpUrl',
      type: 'string',
      default: '',
      placeholder: 'e.g. https://mcp.example.com',
      description:
        'The server of the connector for AI assistants, with or without <code>/mcp</code> at the end. Only needed for the resource Assistant.',
    },
    {
      displayName: CREDENTIAL_LABELS.allowedPrefixes,
      name: 'allowedPrefixes',
      type: 'string',
      default: '',
      placeholder: 'e.g. 380, 48, 4477',
      description:
        'Beginnings of the phone numbers that may be sent to and looked up, country code first, separated by commas. Anything else is refused before a request leaves. Leave empty to allow every number.',
    },
  ];

  authenticate: IAuthenticate = async (credentials, request) => authenticateRequest(credentials, request);
}
