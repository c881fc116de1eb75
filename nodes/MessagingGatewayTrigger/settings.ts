import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { SHORTEST_SECRET } from '../gateway/callback/address';
import { readStopWords } from '../gateway/callback/replies';
import { PIPELINE_CHANNELS } from '../gateway/contract/channels';
import { readFlag } from '../gateway/contract/envelope';
import { OUTCOME_NAMES } from '../gateway/delivery/outcomes';
import { parseIpRange } from '../gateway/text/hosts';
import { asEntries, isEmpty } from '../gateway/text/json';
import { CREDENTIAL } from '../n8n/connection';
import { quotedLabel } from './properties';

export type TriggerSettings = ReturnType<typeof readTriggerSettings>;

/**
 * Reads the parameters of the trigger. An option that was added and has no usable value, such as an expression that
 * resolves to nothing, is an error: the option may be what keeps strangers out.
 * @throws NodeOperationError for the first value that can't be used, with how to get unstuck
 */
export function readTriggerSettings(context: IHookFunctions | IWebhookFunctions) {
  const node = context.getNode();
  const options = context.getNodeParameter('options', {}) as IDataObject;
  // n8n leaves an option out whose expression resolves to undefined; the node's own parameters still name it.
  const added = Object.keys({ ...(node.parameters.options as IDataObject), ...options });

  // The cure is in the message, since the editor shows nothing else where a trigger is tested or published.
  const problem = (what: string, cure: string) => new NodeOperationError(node, `${what}. ${cure}.`);

  /** Returns what `read` makes of an option; undefined where the option was not added. */
  const option = <T>(name: string, read: (value: unknown) => T | undefined, cure: string): T | undefined => {
    if (!added.includes(name)) return undefined;
    const { [name]: given } = options;
    const value = read(given);
    if (value !== undefined) return value;
    throw problem(
      `${quotedLabel(name)} ${isEmpty(given) ? 'is empty' : 'has no usable value'}`,
      `${cure}, correct the expression, or remove the option`,
    );
  };
  const isOn = (name: string, usual: boolean): boolean =>
    option(name, readFlag, 'Turn it on or off') ?? usual;
  const isOnWithCredential = (name: string): boolean => {
    const on = isOn(name, false);
    if (!on || node.credentials?.[CREDENTIAL] !== undefined) return on;
    throw problem(
      `${quotedLabel(name)} needs a credential`,
      'Choose the credential of the gateway, or remove the option',
    );
  };

  const outcomes = context.getNodeParameter('outcomes', []) as unknown;
  if (!isListOf(OUTCOME_NAMES, outcomes) || outcomes.length === 0) {
    throw problem("'Trigger On' contains no outcome", 'Choose one outcome or more');
  }
  const channels = context.getNodeParameter('channels', []) as unknown;
  if (!isListOf(PIPELINE_CHANNELS, channels)) {
    throw problem("'Channels' is not a list of channels", 'Choose channels, or none for all channels');
  }
  const secret = option('secret', readSecret, 'Enter a secret');
  if (secret !== undefined && secret.length < SHORTEST_SECRET) {
    throw problem(
      `'Secret' has only ${secret.length} of at least ${SHORTEST_SECRET} characters`,
      'Enter a longer one, such as 32 random letters and digits, or remove the option',
    );
  }
  const allowedRanges = option('allowedIps', readEntries, 'Enter addresses or ranges')?.map((entry) => {
    const range = parseIpRange(String(entry));
    if (range !== undefined) return range;
    throw problem(
      `'Allowed IP Addresses' contains an entry that isn't an address: ${String(entry)}`,
      'Enter addresses such as 192.0.2.10 or 2001:db8::1, or ranges such as 198.51.100.0/24, separated by commas, or remove the option',
    );
  });
  const verifyWithGateway = isOnWithCredential('verifyWithGateway');
  if (verifyWithGateway && secret === undefined && allowedRanges === undefined) {
    throw problem(
      "'Verify With Gateway' needs 'Secret' or 'Allowed IP Addresses'",
      'Add one of them, since anybody could have the gateway asked, or remove the option',
    );
  }
  return {
    outcomes,

    /** Empty for all channels. */
    channels,

    /** Undefined where no secret is required; never short. */
    secret,

    /** Undefined where every address is allowed; never empty. */
    allowedRanges,
    verifyWithGateway,
    forAgents: isOnWithCredential('forAgents'),
    removeDuplicates: isOn('removeDuplicates', true),
    splitReplies: isOn('splitReplies', true),

    /** Undefined where replies aren't marked; never empty. */
    stopWords: option('stopWords', readWords, 'Enter words, separated by commas'),
  };
}

/** Whether a value is a list of some of these names. */
const isListOf = <Name extends string>(names: readonly Name[], value: unknown): value is Name[] =>
  Array.isArray(value) && value.every((entry) => names.includes(entry as Name));

const readSecret = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function readEntries(value: unknown): unknown[] | undefined {
  const entries = asEntries(value);
  return entries.length > 0 ? entries : undefined;
}

function readWords(value: unknown): ReadonlySet<string> | undefined {
  const words = readStopWords(asEntries(value));
  return words.size > 0 ? words : undefined;
}
