import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readStopWords, USUAL_STOP_WORDS } from '../gateway/callback/replies';
import { channelOptions, PIPELINE_CHANNELS } from '../gateway/contract/channels';
import { readFlag } from '../gateway/contract/envelope';
import { OUTCOME_NAMES } from '../gateway/delivery/outcomes';
import { parseIpRange } from '../gateway/text/hosts';
import { asEntries, isEmpty, isObject } from '../gateway/text/json';
import { CREDENTIAL } from '../n8n/connection';

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
      'Whether to add to each reply what an AI Agent and its memory read: chatInput, the text, and sessionId, one for each person and channel. It does not contain the number. Where the callback brings no number back, one for each message. Needs the credential.',
  },
  {
    displayName: 'Remove Duplicates',
    name: 'removeDuplicates',
    type: 'boolean',
    default: true,
    description:
      'Whether to start the workflow only once in 24 hours for the same status of the same message, and never for late statuses (Delivered after Read). On unless turned off. Kept in memory: after a restart, or in another webhook process, a status starts it again. Not applied to test events.',
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
    hint: 'The option Delivery Report of a send in this workflow adds it by itself. To an address that you copy, append <code>?secret=…</code>.',
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
      'Words that end messages to a person. A reply whose whole text is one of them, in any case, has stop: true. Separated by commas.',
  },
  {
    displayName: 'Verify With Gateway',
    name: 'verifyWithGateway',
    type: 'boolean',
    default: true,
    description:
      'Whether to ask the gateway for the status of the message, by its ID, before the workflow starts. Needs Secret or Allowed IP Addresses. A callback whose outcome it does not confirm starts nothing and is not acknowledged, so that the gateway tries again. Items with verified: false say something that its answer does not show: that it refused a message that it does not know, a digit, or a reply. Treat these as unverified.',
  },
];

const labelOf = (name: string): string => `'${OPTIONS.find((option) => option.name === name)?.displayName}'`;

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
      'If a guard is added but has no usable value, such as an expression that resolves to nothing, all calls are refused',
    options: OPTIONS,
  },
];

export type TriggerSettings = ReturnType<typeof readTriggerSettings>;

/**
 * Reads the parameters of the trigger. An option that was added but has no usable value, such as an expression that
 * resolves to nothing, never counts as absent: it may be what keeps strangers out.
 * @throws NodeOperationError for the first value that can't be used, with how to get unstuck
 */
export function readTriggerSettings(context: IHookFunctions | IWebhookFunctions) {
  const node = context.getNode();
  // The cure is in the message: where a trigger is tested or published, the editor shows nothing else.
  const problem = (what: string, advice: string) => new NodeOperationError(node, `${what}. ${advice}`);
  const given = context.getNodeParameter('options', {}) as unknown;
  if (!isObject(given)) {
    throw problem("'Options' is not a set of options", 'Remove the options and add them again.');
  }
  // The node's own parameters name an option even if its expression resolves to undefined and n8n leaves it out.
  const { options: added } = node.parameters;
  const names = Object.keys(isObject(added) ? { ...added, ...given } : given);
  const textOf = (name: string, what: string): string | undefined => {
    if (!names.includes(name)) return undefined;
    const { [name]: value } = given;
    if (typeof value === 'string' && value !== '') return value;
    throw problem(
      `${labelOf(name)} is ${isEmpty(value) ? 'empty' : 'not text'}`,
      `Enter ${what}, correct the expression, or remove the option.`,
    );
  };

  /** Whether an option is on that needs the credential. */
  const isOn = (name: string): boolean => {
    const value = names.includes(name) ? readFlag(given[name]) : false;
    if (value === undefined) {
      throw problem(`${labelOf(name)} is neither on nor off`, 'Turn it on or off, or remove the option.');
    }
    if (value && node.credentials?.[CREDENTIAL] === undefined) {
      throw problem(
        `${labelOf(name)} needs a credential`,
        'Choose the credential of the gateway, or remove the option.',
      );
    }
    return value;
  };

  const outcomes = context.getNodeParameter('outcomes', []) as unknown;
  if (!isListOf(outcomes, OUTCOME_NAMES) || outcomes.length === 0) {
    throw problem("'Trigger On' contains no outcome", 'Choose one outcome or more.');
  }
  const channels = context.getNodeParameter('channels', []) as unknown;
  if (!isListOf(channels)) {
    throw problem("'Channels' is not a list", 'Choose channels, or leave it empty for all channels.');
  }
  const secret = textOf('secret', 'a secret');
  const allowedIps = textOf('allowedIps', 'addresses or ranges');
  const entries = allowedIps === undefined ? undefined : asEntries(allowedIps).map(String);
  const wrong = entries?.length ? entries.find((entry) => parseIpRange(entry) === undefined) : allowedIps;
  if (wrong !== undefined) {
    throw problem(
      `'Allowed IP Addresses' contains an entry that isn't an address: ${wrong}`,
      'Enter addresses such as 192.0.2.10 or 2001:db8::1, or ranges such as 198.51.100.0/24, separated by commas, or remove the option.',
    );
  }
  const verifyWithGateway = isOn('verifyWithGateway');
  if (verifyWithGateway && secret === undefined && allowedIps === undefined) {
    throw problem(
      "'Verify With Gateway' needs 'Secret' or 'Allowed IP Addresses'",
      'Add one of them, since anybody could have the gateway asked, or remove the option.',
    );
  }
  const forAgents = isOn('forAgents');
  const stopWords = names.includes('stopWords') ? readStopWords(asEntries(given.stopWords)) : undefined;
  if (stopWords?.size === 0) {
    throw problem("'Stop Words' has no word", 'Enter words, separated by commas, or remove the option.');
  }
  return {
    outcomes,

    /** Empty for all channels. */
    channels,

    /** Undefined where no secret is required; never empty. */
    secret,

    /** Undefined where every address is allowed. */
    allowedRanges: entries?.map(parseIpRange).filter((range) => range !== undefined),
    forAgents,
    removeDuplicates: readFlag(given.removeDuplicates) !== false,
    splitReplies: readFlag(given.splitReplies) !== false,

    /** Undefined where replies aren't marked; never empty. */
    stopWords,
    verifyWithGateway,
  };
}

/** Whether a value is a list of strings; where there are `names`, of these strings alone. */
const isListOf = <T extends string>(value: unknown, names?: readonly T[]): value is T[] =>
  Array.isArray(value) &&
  value.every((entry) => typeof entry === 'string' && (names?.includes(entry as T) ?? true));
