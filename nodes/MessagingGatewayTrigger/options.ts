import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readStopWords } from '../gateway/callback/stop-words';
import { OUTCOME_NAMES } from '../gateway/delivery/outcomes';
import { parseIpRange } from '../gateway/text/hosts';
import { asEntries, isEmpty, isObject } from '../gateway/text/json';
import { CREDENTIAL } from '../n8n/connection';

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
  const textOf = (name: string, label: string, what: string): string | undefined => {
    if (!names.includes(name)) return undefined;
    const { [name]: value } = given;
    if (typeof value === 'string' && value !== '') return value;
    throw problem(
      `${label} is ${isEmpty(value) ? 'empty' : 'not text'}`,
      `Enter ${what}, correct the expression, or remove the option.`,
    );
  };

  /** Whether an option is on that needs the credential. */
  const isOn = (name: string, label: string): boolean => {
    const value = names.includes(name) ? given[name] : false;
    if (typeof value !== 'boolean') {
      throw problem(`${label} is neither on nor off`, 'Turn it on or off, or remove the option.');
    }
    if (value && node.credentials?.[CREDENTIAL] === undefined) {
      throw problem(
        `${label} needs a credential`,
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
  const secret = textOf('secret', "'Secret'", 'a secret');
  const allowedIps = textOf('allowedIps', "'Allowed IP Addresses'", 'addresses or ranges');
  const entries = allowedIps === undefined ? undefined : asEntries(allowedIps).map(String);
  const wrong = entries?.length ? entries.find((entry) => parseIpRange(entry) === undefined) : allowedIps;
  if (wrong !== undefined) {
    throw problem(
      `'Allowed IP Addresses' contains an entry that isn't an address: ${wrong}`,
      'Enter addresses such as 192.0.2.10 or 2001:db8::1, or ranges such as 198.51.100.0/24, separated by commas, or remove the option.',
    );
  }
  const verifyWithGateway = isOn('verifyWithGateway', "'Verify With Gateway'");
  if (verifyWithGateway && secret === undefined && allowedIps === undefined) {
    throw problem(
      "'Verify With Gateway' needs 'Secret' or 'Allowed IP Addresses'",
      'Add one of them, since anybody could have the gateway asked, or remove the option.',
    );
  }
  const forAgents = isOn('forAgents', "'For AI Agents'");
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
    removeDuplicates: given.removeDuplicates !== false,
    splitReplies: given.splitReplies !== false,

    /** Undefined where replies aren't marked; never empty. */
    stopWords,
    verifyWithGateway,
  };
}

/** Whether a value is a list of strings, of these only where there are any. */
const isListOf = <T extends string>(value: unknown, names?: readonly T[]): value is T[] =>
  Array.isArray(value) &&
  value.every((entry) => typeof entry === 'string' && (names?.includes(entry as T) ?? true));
