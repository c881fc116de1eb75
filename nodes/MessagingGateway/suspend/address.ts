import type { IExecuteFunctions, IWebhookDescription, IWebhookFunctions } from 'n8n-workflow';

import { requireSignature } from '../../n8n/engine';

const description = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
  name: 'default',
  httpMethod,
  responseMode: 'onReceived',
  // Empty, so that n8n answers with the result of webhook().
  responseData: '',
  path: '={{ $nodeId }}',
  restartWebhook: true,
  isFullPath: true,
});

/**
 * The webhooks of a sleeping execution, at n8n's resume address followed by the id of the node, so that several nodes
 * of a workflow can sleep one after the other. GET serves pages to people, POST takes callbacks and decisions.
 */
export const waitingWebhooks: IWebhookDescription[] = [description('GET'), description('POST')];

/** Returns the address of this execution's webhooks; it contains a token that n8n checks. */
export function resumeAddress(context: IExecuteFunctions | IWebhookFunctions): string {
  const url = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
  return `${url}/${encodeURIComponent(context.getNode().id)}`;
}

/**
 * Returns the address of this execution's webhooks for the operation `sendAndWait`, signed by n8n. The signature alone must
 * open nothing: a parameter that tells callers apart has to be a secret.
 */
export function signedAddress(context: IExecuteFunctions, parameters: Record<string, string>): string {
  requireSignature(context);
  return context.getSignedResumeUrl(parameters);
}

/** The parts of an address that open something: the signature or token of an execution, the secret of a trigger, a seal. */
const KEY_IN_ADDRESS = /[?&](?:signature|secret|seal)=([^&#/\s]+)/g;

/** Returns the parts of an address that only its owner may see, to be masked wherever it could be quoted. */
export const addressSecrets = (address: unknown): string[] =>
  typeof address === 'string' ? [...address.matchAll(KEY_IN_ADDRESS)].map(([, secret]) => secret) : [];
