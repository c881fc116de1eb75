import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { dropCallbackUrl, keepCallbackUrl, keepsCallbackUrl } from '../gateway/callback/callback-url';
import { describeReach } from '../gateway/callback/reach';
import { parseIpRange } from '../gateway/network/ip';
import { entriesOf, SECRET_PARAMETER } from './guard';
import { readOptions } from './options';
import { hasCredential } from './verify';

/**
 * The gateway keeps no list of callback addresses, so there is nothing to register with it. The trigger
 * stores its own production URL for the send nodes of the same workflow; test URLs are never stored.
 */
const isTest = (context: IHookFunctions): boolean => context.getMode() === 'manual';

/** Returns the URL for callbacks, including the secret if one is set. */
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
 * Stores the URL, and logs a warning if a gateway on the internet can't reach it. That isn't an error, since the gateway
 * may be on the same machine.
 * @throws NodeOperationError for an option whose value would refuse every callback
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
    fail("'Allowed IP Addresses' contains no address", 'Enter addresses or ranges, or remove the option.');
  }
  const wrong = entries.find((entry) => parseIpRange(entry) === undefined);
  if (wrong !== undefined) {
    fail(
      `'Allowed IP Addresses' contains an entry that isn't an address: ${wrong}`,
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
