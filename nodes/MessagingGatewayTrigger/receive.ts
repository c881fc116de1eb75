import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { SENT_TYPE_PARAMETER } from '../gateway/callback/callback-url';
import type { CallbackEvent, ParsedCallback } from '../gateway/callback/parse';
import { parseCallback } from '../gateway/callback/parse';
import { splitReplies } from '../gateway/callback/split-replies';
import { Duplicates } from './duplicates';
import { isTooLarge, refusalOf } from './guard';
import { hasMedia, mediaSlots, withMedia } from './media';
import type { TriggerSettings } from './options';
import { readTriggerSettings } from './options';
import { restoreUrl } from './own-url';
import { verifyEvents } from './verify';

const OK = 200;
const BAD_REQUEST = 400;
const FORBIDDEN = 403;
const TOO_LARGE = 413;
const FAILED = 500;
const UNAVAILABLE = 503;
const ACKNOWLEDGED = { received: true };

/**
 * Handles a call from the gateway: starts the workflow with one item for each selected event and acknowledges the
 * others. A call that isn't allowed, isn't a callback or can't be verified is refused with an HTTP error and the reason
 * (gateway-api.md, "Events"). Doesn't throw: n8n would start an execution that fails, for any caller.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  try {
    return await handle(context);
  } catch (thrown) {
    log(
      context,
      `a callback could not be handled: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    if (context.getResponseObject().headersSent) return { noWebhookResponse: true };
    return answer(context, FAILED, { error: 'The callback could not be handled' });
  }
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  if (isTooLarge(context)) return answer(context, TOO_LARGE, { error: 'The body is too large' });
  const settings = readTriggerSettings(context);
  if (!settings.ok) {
    log(context, `callbacks are refused: ${settings.message}. ${settings.description}`);
    // The gateway is to try again, since its callback may be good.
    return answer(context, UNAVAILABLE, { error: 'The trigger is not set up correctly' });
  }
  const refusal = refusalOf(context, settings);
  if (refusal !== undefined) {
    restoreUrl(context, settings);
    return answer(context, FORBIDDEN, { error: refusal });
  }
  const parsed = parseRequest(context);
  if (!parsed.ok) return answer(context, BAD_REQUEST, { error: parsed.reason });

  const wanted = parsed.events.filter(selection(settings)).map(withoutVerified);
  const events = settings.splitReplies ? splitReplies(wanted) : wanted;
  // A test is repeated on purpose.
  if (!settings.removeDuplicates || context.getMode() === 'manual')
    return await start(context, events, settings);
  const duplicates = new Duplicates(context);
  return await start(context, duplicates.withoutKnown(events), settings, duplicates);
}

/** Verifies the events, claims them, and starts the workflow with what is left. */
async function start(
  context: IWebhookFunctions,
  candidates: CallbackEvent[],
  settings: TriggerSettings,
  duplicates?: Duplicates,
): Promise<IWebhookResponseData> {
  let events = candidates;
  const isVerifying = settings.verifyWithGateway && events.length > 0;
  if (isVerifying) {
    const verification = await verifyEvents(context, events);
    if (!verification.ok) return answer(context, verification.status, { error: verification.reason });
    events = verification.events;
  }
  const downloads = settings.downloadMedia && hasMedia(events);
  if (downloads && mediaSlots.isFull) {
    return answer(context, UNAVAILABLE, { error: 'Too many files are being downloaded' });
  }
  // Only now, so that a refused callback can start the workflow when it comes again.
  if (duplicates) events = duplicates.claim(events);
  if (downloads && hasMedia(events)) {
    // The gateway need not wait for another party's slow server.
    const answered = answer(context, OK, ACKNOWLEDGED);
    return { ...answered, workflowData: [await withMedia(context, events)] };
  }
  // n8n saves all static data that it loaded for this call, which are old by the time that the gateway has answered.
  const mayWrite = !isVerifying && duplicates !== undefined && restoreUrl(context, settings);
  if (events.length === 0) {
    if (mayWrite) duplicates.save();
    return { webhookResponse: ACKNOWLEDGED };
  }
  if (mayWrite && duplicates.mayAnswerFirst && duplicates.save()) {
    // n8n saves static data when the call is answered. If n8n answered by itself, it would start the execution first,
    // which marks the static data as unchanged (seen in 2.41), so nothing would be saved.
    return { ...answer(context, OK, ACKNOWLEDGED), workflowData: [items(events)] };
  }
  duplicates?.follow(context.getResponseObject());
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
const selection =
  ({ outcomes, channels }: TriggerSettings) =>
  ({ outcome, type }: CallbackEvent): boolean => {
    // An unknown status isn't final, so it counts as pending.
    if (!outcomes.includes(outcome === 'unknown' ? 'pending' : outcome)) return false;
    if (channels.length === 0) return true;
    // The contract has no name for these two, so their callbacks may come without one.
    if (type === undefined) return channels.includes('telegram') || channels.includes('whatsapp');
    const parts = type.toLowerCase().split('+');
    return channels.some((channel) => parts.includes(channel));
  };

/** An event without a field `verified` of the caller's own, which is the trigger's to set. */
function withoutVerified(event: CallbackEvent): CallbackEvent {
  if (!Object.hasOwn(event, 'verified')) return event;
  const copy = { ...event };
  delete copy.verified;
  return copy;
}

const items = (events: CallbackEvent[]): INodeExecutionData[] =>
  events.map((event) => ({ json: event as unknown as IDataObject }));

const log = (context: IWebhookFunctions, text: string): void =>
  context.logger.error(`Messaging Gateway Trigger "${context.getNode().name}": ${text}`);

function answer(context: IWebhookFunctions, status: number, body: IDataObject): IWebhookResponseData {
  context.getResponseObject().status(status).json(body);
  return { noWebhookResponse: true };
}
