import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { SECRET_PARAMETER, SENT_TYPE_PARAMETER } from '../gateway/callback/address';
import type { CallbackEvent } from '../gateway/callback/parse';
import { parseCallback, splitReplies } from '../gateway/callback/parse';
import type { CallReply } from '../gateway/callback/recent';
import { RecentStatuses } from '../gateway/callback/recent';
import { isStop } from '../gateway/callback/stop-words';
import { withReply } from '../gateway/delivery/reports';
import { isInRange, parseIp } from '../gateway/net/hosts';
import { loadBody, readRequestBody, refuse, warnOfRefused } from '../n8n/incoming-call';
import { withCallbackFields } from './callback-fields';
import { agentFields, hasReply, readSessionKey } from './for-agents';
import type { TriggerSettings } from './options';
import { readTriggerSettings } from './options';
import { verifyEvents } from './verify';

/**
 * Where the static data of the trigger's node keep statuses for other processes and the time after a restart. n8n saves
 * static data as a whole and the last writer wins, so across processes this is a best effort. Only calls that start
 * nothing save: n8n (2.41) saves static data after the answer, but takes them for unchanged once it has started an execution.
 */
const STATIC_KEY = 'recentStatuses';

/** The most triggers whose statuses one n8n process remembers. */
const MOST_TRIGGERS = 200;

/**
 * Handles a call from the gateway: starts the workflow with one item for each selected event and acknowledges the
 * others. A call that isn't allowed, isn't a callback or can't be verified is refused with an HTTP error and the reason
 * (gateway-api.md, "Callbacks"). Doesn't throw: n8n would start an execution that fails, for any caller.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  try {
    await loadBody(context);
    const request = readRequestBody(context);
    return request.ok
      ? await handle(context, request.body, readTriggerSettings(context))
      : refuse(context, request.status, request.reason);
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

async function handle(
  context: IWebhookFunctions,
  body: unknown,
  settings: TriggerSettings,
): Promise<IWebhookResponseData> {
  const refusal = refusalOf(context, settings);
  if (refusal !== undefined) return refuse(context, 403, refusal);
  const sentType = sentTypeOf(context);
  const parsed = parseCallback(body, sentType);
  if (!parsed.ok) return refuse(context, 400, parsed.reason);
  const tooMany = tooManyFor(settings, parsed.events);
  if (tooMany !== undefined) return refuse(context, 413, tooMany);
  warnOfRefused(context, parsed.refused);
  const received = await withCallbackFields(context, parsed.events, sentType);
  const selected = received.filter(selection(settings, sentType));
  const wanted = settings.splitReplies ? splitReplies(selected) : selected;

  // A test is repeated on purpose.
  const recent =
    settings.removeDuplicates && context.getMode() !== 'manual' ? recentStatusesOf(context) : undefined;
  const news = recent ? recent.unseen(wanted) : wanted;
  if (news === undefined) return refuseForNow(context);
  const isVerifying = settings.verifyWithGateway && news.length > 0;
  const verified = isVerifying ? await verifyEvents(context, news) : { ok: true as const, events: news };
  if (!verified.ok) return refuse(context, verified.status, verified.reason);
  const needsSession = settings.forAgents && verified.events.some(hasReply);
  const sessionKey = needsSession ? await readSessionKey(context) : undefined;
  // Only now, so that a refused callback can start the workflow when it comes again.
  const events = recent
    ? markSeen(recent, context.getResponseObject(), news, verified.events)
    : verified.events;
  if (events === undefined) return refuseForNow(context);
  if (events.length === 0) {
    // n8n saves all static data that it loaded for this call, which are old by the time that the gateway has answered.
    const dump = !isVerifying && recent ? recent.dump() : undefined;
    if (dump !== undefined) context.getWorkflowStaticData('node')[STATIC_KEY] = dump;
    const outcomes = [...new Set(parsed.events.map(({ outcome }) => outcome))].join(', ');
    const isRepeated = selected.length > 0;
    // The contract leaves open what an acknowledgement says; whoever calls by hand wants to know.
    const why = isRepeated
      ? 'It has started the workflow before'
      : `'Trigger On' and 'Channels' leave this out: ${outcomes}`;
    return { webhookResponse: { received: true, started: false, why } };
  }
  const items = events.map(
    (event): INodeExecutionData => ({
      json: asAnswered(event, settings, sessionKey) as unknown as IDataObject,
    }),
  );
  // n8n answers once it has started the execution, or with an error if it couldn't (from n8n 2.8 on); the node never does.
  return { webhookResponse: { received: true }, workflowData: [items] };
}

/**
 * Remembers events as they were received, by which repeats are known, and returns those that are news as they were verified,
 * which may have less of them; undefined as `RecentStatuses.markSeen` does.
 */
const markSeen = (
  recent: RecentStatuses,
  reply: CallReply,
  received: CallbackEvent[],
  verified: CallbackEvent[],
): CallbackEvent[] | undefined => {
  const events = received.map((event, i) => ({
    ...event,
    verified: verified[i].verified,
    shown: verified[i],
  }));
  return recent.markSeen(events, reply)?.map(({ shown }) => shown);
};

/** Returns an event with the last answer of its recipient as `reply`, and with what the options add to it. */
function asAnswered(
  event: CallbackEvent,
  { stopWords }: TriggerSettings,
  sessionKey: Buffer | undefined,
): CallbackEvent {
  const answered = withReply(event);
  return {
    ...answered,
    ...(stopWords && isStop(stopWords, answered) && { stop: true }),
    ...(sessionKey && agentFields(sessionKey, answered)),
  };
}

/** Messages and replies of a call that could come from anybody: the time that each costs n8n is the caller's to spend. */
const MOST_OF_STRANGERS = 100;

/** Returns why a call is about too many messages and replies, before anything but their reader looks at them. */
function tooManyFor({ secret, allowedRanges }: TriggerSettings, events: CallbackEvent[]): string | undefined {
  const isGuarded = secret !== undefined || allowedRanges !== undefined;
  return !isGuarded && splitReplies(events).length > MOST_OF_STRANGERS
    ? `Without a secret, a call may be about ${MOST_OF_STRANGERS} messages and replies at most`
    : undefined;
}

/** Refuses a callback whose event another call may yet start: if that fails, the gateway has to call again. */
const refuseForNow = (context: IWebhookFunctions): IWebhookResponseData =>
  refuse(context, 503, 'n8n is still starting an execution for this');

function refusalOf(
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

const selection =
  ({ outcomes, channels }: TriggerSettings, sentType: string | undefined) =>
  ({ outcome, type = sentType }: CallbackEvent): boolean => {
    if (!outcomes.includes(outcome)) return false;
    // The gateway need not name the channel (gateway-api.md, "Callback fields").
    if (channels.length === 0 || typeof type !== 'string') return true;
    const parts = type.trim().toLowerCase().split('+');
    return channels.some((channel) => parts.includes(channel));
  };

/** By workflow and node. Simultaneous callbacks don't see each other's changes to static data, but share this memory. */
const memories = new Map<string, RecentStatuses>();

/** Returns the statuses that have recently started the called trigger, those of other processes included. */
function recentStatusesOf(context: IWebhookFunctions): RecentStatuses {
  const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
  const recent = memories.get(key) ?? new RecentStatuses();
  memories.delete(key);
  memories.set(key, recent);
  const [oldest] = memories.keys();
  if (memories.size > MOST_TRIGGERS) memories.delete(oldest);
  recent.load(context.getWorkflowStaticData('node')[STATIC_KEY]);
  return recent;
}
