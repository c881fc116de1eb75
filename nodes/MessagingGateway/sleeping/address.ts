import type { IExecuteFunctions, IWebhookDescription, IWebhookFunctions } from 'n8n-workflow';

import { requireSignature } from '../../n8n/engine';

const description = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
  name: 'default',
  httpMethod,
  responseMode: 'onReceived',
  // Empty: n8n answers with what webhook() returns.
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

/** The port at which n8n listens unless it is told otherwise. */
const USUAL_PORT = '5678';

/**
 * Returns the addresses at which this n8n may reach the execution's webhooks: its public one, and, since that may lead
 * nowhere from inside (a router that doesn't turn calls back, a certificate of its own, a login in front), this machine at
 * the port of the public address or n8n's usual one.
 */
export function ownAddresses(context: IExecuteFunctions | IWebhookFunctions): string[] {
  const url = resumeAddress(context);
  const { protocol, port, pathname, search } = new URL(url);
  const ports = new Set([protocol === 'http:' && port !== '' ? port : USUAL_PORT, USUAL_PORT]);
  return [url, ...Array.from(ports, (inside) => `http://127.0.0.1:${inside}${pathname}${search}`)];
}

/** Returns the function that tells the user, in n8n's log, why n8n doesn't reach the sleeping execution. */
export function warnOfOwnAddress(context: IExecuteFunctions | IWebhookFunctions): (reasons: string) => void {
  const { logger } = context;
  const execution = context.getExecutionId();
  return (reasons) =>
    logger.warn(
      `Messaging Gateway, execution ${execution}: n8n can't reach this waiting execution at its own address (${reasons}), so nothing wakes it before its limit. It tries again until then. Let n8n's own machine reach the address in WEBHOOK_URL.`,
    );
}

/**
 * Returns the address of this execution's webhooks for the operation `sendAndWait`, where n8n expects a signature over
 * path and query in place of the execution's token. Whoever has it can't make another out of it, for other parameters,
 * nodes or executions.
 */
export function signedAddress(context: IExecuteFunctions, parameters: Record<string, string>): string {
  requireSignature(context);
  return context.getSignedResumeUrl(parameters);
}

/** What makes an address more than a name: the signature or token of an execution, the secret of a trigger. */
const KEY_IN_ADDRESS = /[?&](?:signature|secret)=([^&#/\s]+)/g;

/** Returns the parts of an address that only its owner may see, to be masked wherever it could be quoted. */
export const addressSecrets = (address: unknown): string[] =>
  typeof address === 'string' ? [...address.matchAll(KEY_IN_ADDRESS)].map(([, secret]) => secret) : [];
