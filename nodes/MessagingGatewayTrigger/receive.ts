import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { parseCallback } from '../gateway/callback/parse';

const BAD_REQUEST = 400;

/**
 * Takes one call of the gateway: starts the workflow with one item for each event that is asked for, acknowledges
 * the rest, and refuses what is no callback with a 4xx and the reason (gateway-api.md, "Events").
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const parsed = parseCallback(context.getBodyData());
  if (!parsed.ok) return answer(context, BAD_REQUEST, { error: parsed.reason });
  const wanted = parsed.events.filter((event) => isWanted(context, event));
  if (wanted.length === 0) return { webhookResponse: { received: true } };
  return {
    webhookResponse: { received: true },
    workflowData: [context.helpers.returnJsonArray(wanted as unknown as IDataObject[])],
  };
}

function isWanted(context: IWebhookFunctions, { outcome, type }: CallbackEvent): boolean {
  const outcomes = context.getNodeParameter('outcomes', []) as string[];
  const channels = context.getNodeParameter('channels', []) as string[];
  // A status that says nothing is no final one, so it goes to whoever listens for those on their way.
  const named = outcome === 'unknown' ? 'pending' : outcome;
  const channel = String(type ?? '').toLowerCase();
  return outcomes.includes(named) && (channels.length === 0 || channels.some((name) => channel.split('+').includes(name)));
}

function answer(context: IWebhookFunctions, status: number, body: IDataObject): IWebhookResponseData {
  const response = context.getResponseObject();
  response.status(status).json(body);
  return { noWebhookResponse: true };
}
