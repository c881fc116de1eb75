import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { SENT_TYPE_PARAMETER } from '../gateway/callback/callback-url';
import type { CallbackEvent } from '../gateway/callback/parse';
import { parseCallback, splitReplies } from '../gateway/callback/parse';
import { readRequestBody } from '../n8n/request-body';
import { Duplicates } from './duplicates';
import { refusalOf } from './guard';
import { hasMedia, mediaSlots, withMedia } from './media';
import type { TriggerSettings } from './options';
import { readTriggerSettings } from './options';
import { restoreUrl } from './own-url';
import { verifyEvents } from './verify';

const BAD_REQUEST = 400;
const FORBIDDEN = 403;
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
  const request = readRequestBody(context);
  if (!request.ok) return answer(context, request.status, { error: request.reason });
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
  const sentType = sentTypeOf(context);
  const parsed = parseCallback(request.body, sentType);
  if (!parsed.ok) return answer(context, BAD_REQUEST, { error: parsed.reason });

  const wanted = parsed.events.filter(selection(settings, sentType)).map(withoutVerified);
  const events = settings.splitReplies ? splitReplies(wanted) : wanted;
  // A test is repeated on purpose.
  if (!settings.removeDuplicates || context.getMode() === 'manual')
    return await start(context, events, settings);
  return await start(context, events, settings, new Duplicates(context));
}

/**
 * Verifies the events, claims them, and starts the workflow with what is left. n8n answers once it has started the
 * execution, or with an error if it couldn't (from n8n 2.8 on); the node never answers for it.
 */
async function start(
  context: IWebhookFunctions,
  candidates: CallbackEvent[],
  settings: TriggerSettings,
  duplicates?: Duplicates,
): Promise<IWebhookResponseData> {
  let events = duplicates ? duplicates.withoutKnown(candidates) : candidates;
  if (events === undefined) return refuseForNow(context);
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
  if (duplicates) events = duplicates.claim(events, context.getResponseObject());
  if (events === undefined) return refuseForNow(context);
  if (events.length === 0) {
    // n8n saves all static data that it loaded for this call, which are old by the time that the gateway has answered.
    if (!isVerifying && duplicates !== undefined && restoreUrl(context, settings)) duplicates.save();
    return { webhookResponse: ACKNOWLEDGED };
  }
  const items = downloads ? await withMedia(context, events) : toItems(events);
  return { webhookResponse: ACKNOWLEDGED, workflowData: [items] };
}

/** Refuses a callback whose event another call may yet start: if that fails, the gateway has to call again. */
const refuseForNow = (context: IWebhookFunctions): IWebhookResponseData =>
  answer(context, UNAVAILABLE, { error: 'n8n is still starting an execution for this' });

/** Returns the operation type of the send, where the callback address names it. */
function sentTypeOf(context: IWebhookFunctions): string | undefined {
  const { [SENT_TYPE_PARAMETER]: sentType } = context.getQueryData() as Record<string, unknown>;
  // A plus sign that was not encoded arrives as a blank.
  return typeof sentType === 'string' ? sentType.replaceAll(' ', '+') : undefined;
}

/** Returns the function that decides whether an event starts the workflow. */
const selection =
  ({ outcomes, channels }: TriggerSettings, sentType: string | undefined) =>
  ({ outcome, type = sentType }: CallbackEvent): boolean => {
    if (!outcomes.includes(outcome)) return false;
    // The gateway need not name the channel (gateway-api.md, "Status callback payload").
    if (channels.length === 0 || type === undefined) return true;
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

const toItems = (events: CallbackEvent[]): INodeExecutionData[] =>
  events.map((event) => ({ json: event as unknown as IDataObject }));

const log = (context: IWebhookFunctions, text: string): void =>
  context.logger.error(`Messaging Gateway Trigger "${context.getNode().name}": ${text}`);

function answer(context: IWebhookFunctions, status: number, body: IDataObject): IWebhookResponseData {
  context.getResponseObject().status(status).json(body);
  return { noWebhookResponse: true };
}
