import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { SENT_TYPE_PARAMETER } from '../gateway/callback/callback-url';
import type { CallbackEvent, ParsedCallback } from '../gateway/callback/parse';
import { parseCallback } from '../gateway/callback/parse';
import { splitReplies } from '../gateway/callback/split-replies';
import { Duplicates } from './duplicates';
import { refusalOf } from './guard';
import { hasMedia, withMedia } from './media';
import { readOptions } from './options';
import { findUnverified } from './verify';

const OK = 200;
const BAD_REQUEST = 400;
const FORBIDDEN = 403;
const ACKNOWLEDGED = { received: true };

/**
 * Handles a call from the gateway: starts the workflow with one item for each selected event and acknowledges the
 * others. A call that isn't allowed, isn't a callback or can't be verified is refused with an HTTP error and the reason
 * (gateway-api.md, "Events").
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const options = readOptions(context);
  const refusal = refusalOf(context, options);
  if (refusal !== undefined) return answer(context, FORBIDDEN, { error: refusal });
  const parsed = parseRequest(context);
  if (!parsed.ok) return answer(context, BAD_REQUEST, { error: parsed.reason });

  const isWanted = selection(context);
  let events = parsed.events.filter(isWanted);
  if (options.splitReplies) events = splitReplies(events);
  // A test is repeated on purpose.
  const duplicates =
    options.removeDuplicates && context.getMode() !== 'manual' ? new Duplicates(context) : undefined;
  if (duplicates) events = duplicates.withoutKnown(events);
  if (events.length > 0 && options.verifyWithGateway) {
    const unverified = await findUnverified(context, events);
    if (unverified) return answer(context, unverified.status, { error: unverified.reason });
  }
  // Only now, so that a refused callback can start the workflow when it comes again.
  if (duplicates) events = duplicates.claim(events);
  if (events.length === 0) return { webhookResponse: ACKNOWLEDGED };
  if (options.downloadMedia && hasMedia(events)) {
    // The gateway need not wait for another party's slow server.
    const answered = answer(context, OK, ACKNOWLEDGED);
    return { ...answered, workflowData: [await withMedia(context, events)] };
  }
  if (duplicates?.changed) {
    // n8n saves static data when the call is answered. If n8n answered by itself, it would start the execution first,
    // which marks the static data as unchanged (seen in 2.41), so nothing would be saved.
    return { ...answer(context, OK, ACKNOWLEDGED), workflowData: [items(events)] };
  }
  return { webhookResponse: ACKNOWLEDGED, workflowData: [items(events)] };
}

/** Parses the body as n8n has read it, or its raw text if n8n doesn't read its content type. */
function parseRequest(context: IWebhookFunctions): ParsedCallback {
  const body: unknown = context.getBodyData();
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  const { rawBody } = context.getRequestObject() as { rawBody?: Buffer };
  const { [SENT_TYPE_PARAMETER]: sentType } = context.getQueryData() as Record<string, unknown>;
  return parseCallback(
    isEmpty && typeof body !== 'string' && rawBody?.length ? rawBody.toString() : body,
    // A plus sign that was not encoded arrives as a blank.
    typeof sentType === 'string' ? sentType.replaceAll(' ', '+') : undefined,
  );
}

/** Returns the function that decides whether an event starts the workflow. */
function selection(context: IWebhookFunctions): (event: CallbackEvent) => boolean {
  const outcomes = context.getNodeParameter('outcomes', []) as string[];
  const channels = context.getNodeParameter('channels', []) as string[];
  return ({ outcome, type }) => {
    // An unknown status isn't final, so it counts as pending.
    if (!outcomes.includes(outcome === 'unknown' ? 'pending' : outcome)) return false;
    if (channels.length === 0) return true;
    // The contract has no name for these two, so their callbacks may come without one.
    if (type === undefined) return channels.includes('telegram') || channels.includes('whatsapp');
    const parts = type.toLowerCase().split('+');
    return channels.some((channel) => parts.includes(channel));
  };
}

const items = (events: CallbackEvent[]): INodeExecutionData[] =>
  events.map((event) => ({ json: event as unknown as IDataObject }));

function answer(context: IWebhookFunctions, status: number, body: IDataObject): IWebhookResponseData {
  context.getResponseObject().status(status).json(body);
  return { noWebhookResponse: true };
}
