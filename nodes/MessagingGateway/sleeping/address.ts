import type { IExecuteFunctions, IWebhookDescription, IWebhookFunctions } from 'n8n-workflow';

/**
 * Where callbacks come to while an execution waits: n8n's own resume address, followed by the id of the node, so
 * that several nodes of a workflow can wait, one after the other.
 */
export const waitingWebhooks: IWebhookDescription[] = [
  {
    name: 'default',
    httpMethod: 'POST',
    responseMode: 'onReceived',
    // Empty: n8n answers with what webhook() gives.
    responseData: '',
    path: '={{ $nodeId }}',
    restartWebhook: true,
    isFullPath: true,
  },
];

/** The address at which this execution is called; it holds a signature that n8n checks. */
export function resumeAddress(context: IExecuteFunctions | IWebhookFunctions): string {
  const url = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
  return `${url}/${encodeURIComponent(context.getNode().id)}`;
}
