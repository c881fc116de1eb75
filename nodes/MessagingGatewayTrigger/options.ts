import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

/** The trigger's collection "Options"; a missing option is off. */
export interface TriggerOptions {
  allowedIps?: string;
  downloadMedia?: boolean;
  removeDuplicates?: boolean;
  secret?: string;
  splitReplies?: boolean;
  verifyWithGateway?: boolean;
}

export const readOptions = (context: IHookFunctions | IWebhookFunctions): TriggerOptions =>
  context.getNodeParameter('options', {}) as TriggerOptions;

export const optionsProperty: INodeProperties = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [
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
      displayName: 'Download Media',
      name: 'downloadMedia',
      type: 'boolean',
      default: false,
      description:
        'Whether to download pictures and files of replies as binary data. Only public https addresses on port 443 are used, up to 20 MB each; the host name is resolved once and checked, so it cannot lead into your network. For a file that is not downloaded, the field download_error says why. Callbacks with media are acknowledged before the download.',
    },
    {
      displayName: 'Remove Duplicates',
      name: 'removeDuplicates',
      type: 'boolean',
      default: true,
      description:
        'Whether to start the workflow only once in 24 hours for the same status of the same message, and never for late statuses (Delivered after Read). Kept in memory and, at most once a second, in the static data of the workflow: after a restart, or with several webhook processes, a status from the last moments may start it again. Not applied to test events.',
    },
    {
      displayName: 'Secret',
      name: 'secret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      placeholder: 'e.g. 32 random letters and digits',
      description:
        'Secret that the callback address must contain. Calls without it are refused with the status 403.',
      hint: 'Append it to the callback address of your messages: <code>?secret=…</code>',
    },
    {
      displayName: 'Split Replies',
      name: 'splitReplies',
      type: 'boolean',
      default: true,
      description: 'Whether each reply becomes a separate item, with only that reply in its field replies',
    },
    {
      displayName: 'Verify With Gateway',
      name: 'verifyWithGateway',
      type: 'boolean',
      default: true,
      description:
        'Whether to ask the gateway for the status of the message, by its ID, before the workflow starts. A callback that it does not confirm starts nothing and is answered with an error, so that the gateway tries again. Reply texts are compared only where the gateway reports them.',
    },
  ],
};
