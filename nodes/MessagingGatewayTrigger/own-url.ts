import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { unreachableReason, SECRET_PARAMETER } from '../gateway/callback/address';
import { keepUrl } from '../n8n/trigger-urls';
import type { TriggerSettings } from './options';
import { readTriggerSettings } from './options';

/** Returns the URL for callbacks, including the secret if one is set. */
export function callbackUrl(
  context: IHookFunctions | IWebhookFunctions,
  { secret }: Pick<TriggerSettings, 'secret'>,
): string {
  const url = new URL(String(context.getNodeWebhookUrl('default')));
  if (secret !== undefined) url.searchParams.set(SECRET_PARAMETER, secret);
  return url.toString();
}

/**
 * Keeps the URL of a trigger that is being published, unless it is only tested. Where it is new and a gateway on the internet
 * can't reach it, logs a warning; that isn't an error, since the gateway may be on the same machine.
 * @throws NodeOperationError for a parameter whose value would refuse every callback
 */
export function rememberUrl(context: IHookFunctions): boolean {
  const url = callbackUrl(context, readTriggerSettings(context));
  if (isTest(context) || !keepUrl(context, url)) return true;
  const obstacle = unreachableReason(url);
  if (obstacle) context.logger.warn(`Messaging Gateway Trigger: ${obstacle.reason}. ${obstacle.advice}`);
  return true;
}

export function forgetUrl(context: IHookFunctions): boolean {
  if (!isTest(context)) keepUrl(context, undefined);
  return true;
}

const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';
