/** A call to the trigger as n8n makes it, without an execution: all that the trigger asks of n8n. */
import { parse as parseQuery } from 'node:querystring';

import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { receive } from '../../nodes/MessagingGatewayTrigger/receive.ts';
import { answerCall } from '../../nodes/n8n/incoming-call.ts';

export interface TriggerCall {
  body?: unknown;
  rawBody?: Buffer;
  parameters?: IDataObject;
  mode?: string;
  nodeId?: string;
  query?: string;

  /** The data of the credential, or why n8n can't read them; left out: the node has no credential. */
  credential?: IDataObject | Error;

  /** The addresses of the caller, as n8n reports them. */
  from?: { ip?: string; ips?: string[] };

  /** What n8n answers to a call that starts the workflow: an error where it couldn't. */
  startStatus?: number;

  /** Replaces or adds to what the context offers. */
  more?: object;
}

let serial = 0;

/** The context of a call, what it logs, and what happens to its response. */
export function triggerContext(given: TriggerCall) {
  const { body, rawBody, mode = 'webhook', nodeId = `n${++serial}`, query = '', credential, from } = given;
  const parameters: IDataObject = {
    ...{ outcomes: ['delivered', 'failed', 'read', 'replied'], channels: [], options: {} },
    ...given.parameters,
  };
  const answered: Array<{ status: number; body: unknown }> = [];
  const finished: Array<() => void> = [];
  const response = {
    once: (_: 'finish', listener: () => void) => finished.push(listener),
    statusCode: 200,
    writableEnded: false,
    headersSent: false,
    status: (status: number) => {
      response.statusCode = status;
      return response;
    },
    json: (sent: unknown) => {
      Object.assign(response, { writableEnded: true, headersSent: true });
      answered.push({ status: response.statusCode, body: sent });
    },
  };
  const logged: string[] = [];
  const log = (text: string) => logged.push(text);
  const credentials = credential && { messagingGatewayApi: { id: '1', name: 'c' } };
  const data = credential ?? new Error('Node does not have any credentials set');
  const context = {
    getBodyData: () => body,
    getMode: () => mode,
    getNode: () => ({
      ...{ id: nodeId, name: 'Trigger', parameters: { options: parameters.options }, credentials },
    }),
    getNodeParameter: (name: string) => parameters[name],
    getNodeWebhookUrl: () => undefined,
    getCredentials: async () =>
      data instanceof Error ? await Promise.reject(data) : await Promise.resolve(data),
    getQueryData: () => parseQuery(query),
    getRequestObject: () => ({ ip: '192.0.2.1', ips: [], ...from, rawBody }),
    getResponseObject: () => response,
    getWorkflow: () => ({ id: 'w' }),
    getExecutionCancelSignal: () => undefined,
    helpers: {},
    logger: { warn: log, error: log },
    ...given.more,
  } as unknown as IWebhookFunctions;
  return { context, logged, response, answered, finished };
}

/** Calls the trigger as n8n does. Returns the HTTP status of the answer and the items that the workflow starts with. */
export async function callTrigger(given: TriggerCall) {
  const { context, logged, response, answered, finished } = triggerContext(given);
  const { workflowData, webhookResponse, noWebhookResponse } = await answerCall(context, receive);
  // Exactly one answer, from n8n or from the node.
  expect(answered).toHaveLength(noWebhookResponse ? 1 : 0);
  if (noWebhookResponse !== true)
    response.status(workflowData ? (given.startStatus ?? 200) : 200).json(webhookResponse);
  for (const finish of finished) finish();
  const [{ status, body }] = answered;
  return { status, items: workflowData?.[0].map(({ json }) => json), logged, body };
}
