import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../gateway/callback/open-body';
import type { Outcome } from '../gateway/delivery/outcomes';
import { OUTCOME_NAMES } from '../gateway/delivery/outcomes';
import type { IpRange } from '../gateway/network/ip';
import { parseIpRange } from '../gateway/network/ip';
import { hasCredential } from './verify';

/** The parameters of the trigger, checked. */
export interface TriggerSettings {
  outcomes: Outcome[];
  /** Empty for all channels. */
  channels: string[];
  /** Undefined where every address is allowed. */
  allowedRanges?: IpRange[];
  /** Undefined where no secret is required; never empty. */
  secret?: string;
  downloadMedia: boolean;
  removeDuplicates: boolean;
  splitReplies: boolean;
  verifyWithGateway: boolean;
}

/** A parameter that can't be used, for the error that refuses publishing. */
export interface SettingsProblem {
  message: string;
  /** How to get unstuck. */
  description: string;
}

/** The settings, or the first problem. */
export type CheckedSettings = ({ ok: true } & TriggerSettings) | ({ ok: false } & SettingsProblem);

type Context = IHookFunctions | IWebhookFunctions;

/**
 * Reads the parameters of the trigger. An option that was added but has no usable value, such as an expression that
 * resolves to nothing, is a problem and never counts as absent: it may be what keeps strangers out.
 */
export function readTriggerSettings(context: Context): CheckedSettings {
  const options = readOptions(context);
  if (options === undefined)
    return problem("'Options' is not a set of options", 'Remove the options and add them again.');
  const outcomes = context.getNodeParameter('outcomes', []) as unknown;
  if (!isListOf(outcomes, OUTCOME_NAMES) || outcomes.length === 0) {
    return problem("'Trigger On' contains no outcome", 'Choose one outcome or more.');
  }
  const channels = context.getNodeParameter('channels', []) as unknown;
  if (!isListOfText(channels)) {
    return problem("'Channels' is not a list", 'Choose channels, or leave it empty for all channels.');
  }
  const secret = readSecret(options);
  if (!secret.ok) return secret;
  const allowed = readAllowedIps(options);
  if (!allowed.ok) return allowed;
  const verifyWithGateway = 'verifyWithGateway' in options ? options.verifyWithGateway : false;
  if (typeof verifyWithGateway !== 'boolean') {
    return problem("'Verify With Gateway' is neither on nor off", 'Turn it on or off, or remove the option.');
  }
  if (verifyWithGateway && !hasCredential(context)) {
    return problem(
      "'Verify With Gateway' needs a credential",
      'Choose the credential of the gateway, or remove the option.',
    );
  }
  return {
    ok: true,
    outcomes,
    channels,
    ...(secret.value !== undefined && { secret: secret.value }),
    ...(allowed.value !== undefined && { allowedRanges: allowed.value }),
    downloadMedia: options.downloadMedia === true,
    removeDuplicates: options.removeDuplicates !== false,
    splitReplies: options.splitReplies !== false,
    verifyWithGateway,
  };
}

/** The collection "Options" with every option that was added, whatever became of its value; undefined for no object. */
function readOptions(context: Context): Record<string, unknown> | undefined {
  const options = context.getNodeParameter('options', {}) as unknown;
  if (!isObject(options)) return undefined;
  // The node's own parameters name an option even if its expression resolves to undefined and n8n leaves it out.
  const { options: added } = context.getNode().parameters;
  const names = isObject(added) ? Object.keys(added) : [];
  return { ...Object.fromEntries(names.map((name) => [name, undefined])), ...options };
}

type OptionValue<T> = { ok: true; value?: T } | ({ ok: false } & SettingsProblem);

function readSecret(options: Record<string, unknown>): OptionValue<string> {
  if (!('secret' in options)) return { ok: true };
  const { secret } = options;
  if (typeof secret === 'string' && secret !== '') return { ok: true, value: secret };
  const message = isEmpty(secret) ? "'Secret' is empty" : "'Secret' is not text";
  return problem(message, 'Enter a secret, correct its expression, or remove the option.');
}

function readAllowedIps(options: Record<string, unknown>): OptionValue<IpRange[]> {
  if (!('allowedIps' in options)) return { ok: true };
  const { allowedIps } = options;
  const advice = 'Enter addresses or ranges, correct the expression, or remove the option.';
  if (isEmpty(allowedIps)) return problem("'Allowed IP Addresses' is empty", advice);
  if (typeof allowedIps !== 'string') return problem("'Allowed IP Addresses' is not text", advice);
  const entries = allowedIps
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) return problem("'Allowed IP Addresses' contains no address", advice);
  const ranges = entries.map((entry) => parseIpRange(entry));
  const wrong = entries.find((_, i) => ranges[i] === undefined);
  if (wrong === undefined) return { ok: true, value: ranges.filter((range) => range !== undefined) };
  return problem(
    `'Allowed IP Addresses' contains an entry that isn't an address: ${wrong}`,
    'Enter addresses such as 192.0.2.10 or 2001:db8::1, or ranges such as 198.51.100.0/24, separated by commas.',
  );
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const isListOfText = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const isListOf = <T extends string>(value: unknown, names: readonly T[]): value is T[] =>
  isListOfText(value) && value.every((entry) => (names as readonly string[]).includes(entry));

const problem = (message: string, description: string): { ok: false } & SettingsProblem => ({
  ok: false,
  message,
  description,
});
