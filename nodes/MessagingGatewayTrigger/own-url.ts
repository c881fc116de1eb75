import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { dropCallbackUrl, keepCallbackUrl, keepsCallbackUrl } from '../gateway/callback/callback-url';
import { describeReach } from '../gateway/callback/reach';
import { parseIpRange } from '../gateway/network/ip';
import { entriesOf, SECRET_PARAMETER } from './guard';
import { readOptions } from './options';
import { hasCredential } from './verify';

/**
 * The gateway keeps no list of callback addresses, so there is nothing to register with it. What is kept is the
 * trigger's own production URL, for the send nodes of the same workflow; the URL of a test is never kept.
 */
const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/** The URL that callbacks have to be sent to, with the secret where there is one. */
function callbackUrl(context: IHookFunctions): string | undefined {
  const url = context.getNodeWebhookUrl('default');
  const { secret } = readOptions(context);
  if (url === undefined || !secret) return url;
  const complete = new URL(url);
  complete.searchParams.set(SECRET_PARAMETER, secret);
  return complete.toString();
}

const memoryOf = (context: IHookFunctions) => ({
  staticData: context.getWorkflowStaticData('global'),
  workflowId: context.getWorkflow().id,
});

export const knowsUrl = (context: IHookFunctions): boolean =>
  !isTest(context) && keepsCallbackUrl(memoryOf(context), callbackUrl(context));

/**
 * Keeps the URL, and writes to n8n's log where a gateway on the internet can't reach it: that must not keep a
 * workflow from being tried with a gateway on the same machine.
 * @throws NodeOperationError where an option is set in a way that would let nobody in
 */
export function rememberUrl(context: IHookFunctions): boolean {
  checkOptions(context);
  if (isTest(context)) return true;
  const url = callbackUrl(context);
  keepCallbackUrl(memoryOf(context), url);
  const reach = describeReach(url);
  if (!reach.reachable) context.logger.warn(`Messaging Gateway Trigger: ${reach.reason}. ${reach.advice}`);
  return true;
}

export function forgetUrl(context: IHookFunctions): boolean {
  if (!isTest(context)) dropCallbackUrl(memoryOf(context));
  return true;
}

function checkOptions(context: IHookFunctions): void {
  const { secret, allowedIps, verifyWithGateway } = readOptions(context);
  const fail = (message: string, description: string): never => {
    throw new NodeOperationError(context.getNode(), message, { description });
  };
  if (secret === '') fail("'Secret' is empty", 'Enter a secret, or remove the option.');
  const entries = entriesOf(allowedIps ?? '');
  if (allowedIps && entries.length === 0) {
    fail("'Allowed IP Addresses' holds no address", 'Enter addresses or ranges, or remove the option.');
  }
  const wrong = entries.find((entry) => parseIpRange(entry) === undefined);
  if (wrong !== undefined) {
    fail(
      `'Allowed IP Addresses' has an entry that is no address: ${wrong}`,
      'Enter addresses such as 192.0.2.10 or 2001:db8::1, or ranges such as 198.51.100.0/24, separated by commas.',
    );
  }
  if (verifyWithGateway && !hasCredential(context)) {
    fail(
      "'Verify With Gateway' needs a credential",
      'Choose the credential of the gateway, or remove the option.',
    );
  }
}
