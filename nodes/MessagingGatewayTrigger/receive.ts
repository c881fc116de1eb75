import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { SECRET_PARAMETER, SENT_TYPE_PARAMETER } from '../gateway/callback/address';
import type { CallbackEvent } from '../gateway/callback/parse';
import { hasReply, isStop, splitReplies } from '../gateway/callback/replies';
import { SeenEvents } from '../gateway/callback/seen';
import { inReadingOrder, withReply } from '../gateway/delivery/reports';
import { isInRange, parseIp } from '../gateway/text/hosts';
import { loadBody, readCallback, readRequestBody, refuse } from '../n8n/incoming-call';
import { agentFields, readSessionKey, withCallbackFields } from './events';
import type { TriggerSettings } from './settings';
import { readTriggerSettings } from './settings';
import { verifyEvents } from './verify';

/** In memory: after a restart, and in another process of n8n, a repeat starts the workflow again. */
const seen = new SeenEvents();

/**
 * Handles a call from the gateway: starts the workflow with one item for each selected event and acknowledges the
 * others. A call that isn't allowed, isn't a callback or can't be verified is refused with an HTTP error and the reason
 * (gateway-api.md, "Callbacks"). Doesn't throw: n8n would start an execution that fails, for any caller.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  try {
    return await handle(context, readTriggerSettings(context));
  } catch (thrown) {
    const { message, description } = thrown as NodeOperationError;
    const isSetting = thrown instanceof NodeOperationError;
    const what = isSetting ? 'callbacks are refused' : 'a callback could not be handled';
    const words = `${what}: ${isSetting ? [message, description].filter(Boolean).join('. ') : (message ?? String(thrown))}`;
    context.logger.error(`Messaging Gateway Trigger "${context.getNode().name}": ${words}`);
    if (context.getResponseObject().headersSent) return { noWebhookResponse: true };
    // The gateway is to try again, since its callback may be good.
    return isSetting
      ? refuse(context, 503, 'The trigger is not set up correctly')
      : refuse(context, 500, 'The callback could not be handled');
  }
}

async function handle(context: IWebhookFunctions, settings: TriggerSettings): Promise<IWebhookResponseData> {
  const stranger = whyStranger(context, settings);
  if (stranger !== undefined) return refuse(context, 403, stranger);
  await loadBody(context);
  const request = readRequestBody(context);
  if (!request.ok) return refuse(context, request.status, request.reason);
  const sentType = sentTypeOf(context);
  const parsed = readCallback(context, request.body, sentType);
  if (!parsed.ok) return refuse(context, parsed.status, parsed.reason);
  const events = await withCallbackFields(context, parsed.events, sentType);
  const selected = events.filter((event) => isWanted(event, settings, event.sent_as ?? sentType));
  const wanted = settings.splitReplies ? splitReplies(selected) : selected;
  const verified = settings.verifyWithGateway
    ? await verifyEvents(context, wanted)
    : { ok: true as const, events: wanted };
  if (!verified.ok) return refuse(context, verified.status, verified.reason);
  const needsSession = settings.forAgents && verified.events.some(hasReply);
  const sessionKey = needsSession ? await readSessionKey(context) : undefined;
  // Remembered only now, so that a refused callback can start the workflow when it comes again. A test is repeated on purpose.
  const isOnce = settings.removeDuplicates && context.getMode() !== 'manual';
  const news = isOnce ? takeNews(context, verified.events) : verified.events;
  if (news.length === 0) return acknowledge(events, wanted.length > 0);
  const items = news.map((event) => ({ json: asAnswered(event, settings, sessionKey) as IDataObject }));
  // n8n answers, and not the node: from n8n 2.8 on with an error where the execution could not be started.
  return { webhookResponse: { received: true }, workflowData: [items] };
}

/** Returns the events that have not started the workflow before; they may start it again where n8n answers with an error. */
function takeNews(context: IWebhookFunctions, events: CallbackEvent[]): CallbackEvent[] {
  const { news, forget } = seen.take(`${context.getWorkflow().id ?? ''}/${context.getNode().id}`, events);
  const response = context.getResponseObject();
  if (news.length > 0) response.once('finish', () => response.statusCode >= 400 && forget());
  return news;
}

/** Answers a call that starts nothing with the reason, for a person who calls by hand: the contract leaves the answer open. */
function acknowledge(events: CallbackEvent[], isRepeated: boolean): IWebhookResponseData {
  const outcomes = [...new Set(events.map(({ outcome }) => outcome))].join(', ');
  const why = isRepeated
    ? 'It has started the workflow before'
    : `'Trigger On' and 'Channels' leave this out: ${outcomes}`;
  return { webhookResponse: { received: true, started: false, why } };
}

/** Returns an event with the last answer of its recipient as `reply`, and with the fields that the options add. */
function asAnswered(
  event: CallbackEvent,
  { stopWords }: TriggerSettings,
  sessionKey: Buffer | undefined,
): CallbackEvent {
  const answered = withReply(event);
  return inReadingOrder({
    ...answered,
    ...(stopWords && isStop(stopWords, answered) && { stop: true }),
    ...(sessionKey && agentFields(sessionKey, answered)),
  });
}

/** Returns why a call is none of the gateway's; undefined for a call that may be. */
function whyStranger(
  context: IWebhookFunctions,
  { secret, allowedRanges }: TriggerSettings,
): string | undefined {
  const { ip, ips = [] } = context.getRequestObject();
  // As n8n's Webhook node decides: the caller's address counts, or one that trusted proxies report (N8N_PROXY_HOPS).
  const addresses = [ip, ...ips].map((text) => parseIp(text ?? ''));
  const isAllowed = addresses.some(
    (address) => address !== undefined && allowedRanges?.some((range) => isInRange(address, range)),
  );
  if (allowedRanges !== undefined && !isAllowed) return 'Calls from this address are not allowed';
  const { [SECRET_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
  const isSecret = typeof given === 'string' && timingSafeEqual(digest(given), digest(secret ?? ''));
  return secret === undefined || isSecret ? undefined : 'The secret is missing or wrong';
}

/** Digests have the same length, so the comparison doesn't reveal the length of the secret either. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns the operation type of the send, where the callback address names it. */
function sentTypeOf(context: IWebhookFunctions): string | undefined {
  const { [SENT_TYPE_PARAMETER]: sentType } = context.getQueryData() as Record<string, unknown>;
  // A plus sign that was not encoded arrives as a blank.
  return typeof sentType === 'string' ? sentType.replaceAll(' ', '+') : undefined;
}

function isWanted(
  { outcome, type }: CallbackEvent,
  { outcomes, channels }: TriggerSettings,
  sentType: string | undefined,
): boolean {
  if (!outcomes.includes(outcome)) return false;
  // The gateway need not name the channel (gateway-api.md, "Callback fields").
  const named = type ?? sentType;
  if (channels.length === 0 || typeof named !== 'string') return true;
  const parts = named.trim().toLowerCase().split('+');
  return channels.some((channel) => parts.includes(channel));
}
