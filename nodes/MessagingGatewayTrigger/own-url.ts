import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { TriggerMemory } from '../gateway/callback/callback-url';
import {
  dropCallbackUrl,
  keepCallbackUrl,
  restoreCallbackUrl,
  SECRET_PARAMETER,
} from '../gateway/callback/callback-url';
import { describeReach } from '../gateway/callback/reach';
import type { TriggerSettings } from './options';
import { readTriggerSettings } from './options';

/**
 * The gateway keeps no list of callback addresses, so there is nothing to register with it. The trigger
 * stores its own production URL for the send nodes of the same workflow; test URLs are never stored.
 */
const isTest = (context: IHookFunctions | IWebhookFunctions): boolean => context.getMode() === 'manual';

/** Returns the URL for callbacks, including the secret if one is set; undefined where n8n has no URL. */
function callbackUrl(
  context: IHookFunctions | IWebhookFunctions,
  { secret }: Pick<TriggerSettings, 'secret'>,
): string | undefined {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined || secret === undefined) return url;
  const complete = new URL(url);
  complete.searchParams.set(SECRET_PARAMETER, secret);
  return complete.toString();
}

function memoryOf(context: IHookFunctions | IWebhookFunctions): TriggerMemory {
  const { id, name } = context.getNode();
  return {
    staticData: context.getWorkflowStaticData('global'),
    workflowId: context.getWorkflow().id,
    nodeId: id || name,
  };
}

/**
 * Stores the URL. Where it is new and a gateway on the internet can't reach it, logs a warning; that isn't an error, since
 * the gateway may be on the same machine.
 * @throws NodeOperationError for a parameter whose value would refuse every callback
 */
export function rememberUrl(context: IHookFunctions): boolean {
  const settings = readTriggerSettings(context);
  if (!settings.ok) {
    const { message, description } = settings;
    throw new NodeOperationError(context.getNode(), message, { description });
  }
  if (isTest(context)) return true;
  const url = callbackUrl(context, settings);
  if (url !== undefined && !keepCallbackUrl(memoryOf(context), { name: nameOf(context), url })) return true;
  const reach = describeReach(url);
  if (!reach.reachable) context.logger.warn(`Messaging Gateway Trigger: ${reach.reason}. ${reach.advice}`);
  return true;
}

export function forgetUrl(context: IHookFunctions): boolean {
  if (!isTest(context)) dropCallbackUrl(memoryOf(context), context.getNodeWebhookUrl('default'));
  return true;
}

/**
 * Puts the URL back into static data that have lost it. Returns false where the call belongs to a workflow that has been
 * published anew or unpublished since, so that its static data are old.
 */
export function restoreUrl(context: IWebhookFunctions, settings: TriggerSettings): boolean {
  const url = callbackUrl(context, settings);
  return url !== undefined && restoreCallbackUrl(memoryOf(context), { name: nameOf(context), url });
}

const nameOf = (context: IHookFunctions | IWebhookFunctions): string => context.getNode().name;
