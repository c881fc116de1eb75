import type { IHookFunctions } from 'n8n-workflow';

import { CALLBACK_URL_KEY } from '../gateway/callback/callback-url';

/**
 * The gateway keeps no list of callback addresses, so there is nothing to register with it. What is kept is the
 * trigger's own production URL, for the send nodes of the same workflow; the URL of a test is never kept.
 */
const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

export function knowsUrl(context: IHookFunctions): boolean {
  if (isTest(context)) return false;
  return context.getWorkflowStaticData('global')[CALLBACK_URL_KEY] === context.getNodeWebhookUrl('default');
}

export function rememberUrl(context: IHookFunctions): boolean {
  if (!isTest(context)) {
    context.getWorkflowStaticData('global')[CALLBACK_URL_KEY] = context.getNodeWebhookUrl('default');
  }
  return true;
}

export function forgetUrl(context: IHookFunctions): boolean {
  if (!isTest(context)) delete context.getWorkflowStaticData('global')[CALLBACK_URL_KEY];
  return true;
}
