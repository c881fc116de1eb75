import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { SECRET_PARAMETER } from '../gateway/callback/address';
import { RefusedCall } from '../gateway/callback/refused-call';
import { hasReply, splitReplies } from '../gateway/callback/replies';
import { SeenEvents } from '../gateway/callback/seen';
import { isInRange, parseCallerIp } from '../gateway/text/hosts';
import { readConnection, requireKeys } from '../n8n/connection';
import { readBody, readCallbacks } from '../n8n/incoming-call';
import type { TriggerEvent } from './address-facts';
import { withAddressFacts } from './address-facts';
import { eventOutput } from './event-output';
import { deriveSessionKey } from './reply-fields';
import type { TriggerSettings } from './settings';
import { readTriggerSettings } from './settings';
import { verifyEvents } from './verify';

/**
 * Handles a call from the gateway (gateway-api.md, "Callbacks"): starts the workflow with one item for each selected event; a call of
 * which no event is left is acknowledged, and starts nothing.
 * @throws RefusedCall for a call that isn't allowed, isn't a callback or can't be verified; NodeOperationError for parameters that
 *   can't be used
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const settings = readTriggerSettings(context);
  refuseStrangers(context, settings);
  const callbacks = readCallbacks(context, await readBody(context));
  const events = await withAddressFacts(context, callbacks);
  const selected = events.filter((event) => isWanted(event, settings));
  if (selected.length === 0) {
    const outcomes = [...new Set(events.map(({ outcome }) => outcome))].join(', ');
    return acknowledge(`'Trigger On' and 'Channels' leave this out: ${outcomes}`);
  }
  const separate = settings.splitReplies ? splitReplies(selected) : selected;
  const verified = settings.verifyWithGateway ? await verifyEvents(context, separate) : separate;
  const needsSession = settings.forAgents && verified.some(hasReply);
  const sessionKey = needsSession
    ? requireKeys(context.getNode(), await readConnection(context), deriveSessionKey, 'Nothing was started')
    : undefined;
  // Remembered last: where anything above refuses the call, the gateway's repeat of it must start the workflow.
  const unseen = settings.removeDuplicates ? withoutSeen(context, verified) : verified;
  if (unseen.length === 0) {
    return acknowledge('This status or reply, or a later status, has started the workflow before');
  }
  const items = unseen.map((event) => ({ json: eventOutput(event, settings, sessionKey) }));
  // n8n sends this answer. Where n8n can't start the execution, n8n answers with an error from 2.8 on, and the gateway calls again. n8n
  // before 2.8 sends this answer even then: the gateway doesn't call again, and the events start no execution.
  return { webhookResponse: { received: true }, workflowData: [items] };
}

/** Answers a call that starts nothing with the reason. The gateway reads only the status, so the reason is for a person who calls by hand. */
const acknowledge = (why: string): IWebhookResponseData => ({
  webhookResponse: { received: true, started: false, why },
});

/** @throws RefusedCall for a call whose IP isn't allowed, or that doesn't know the secret */
function refuseStrangers(context: IWebhookFunctions, { secret, allowedRanges }: TriggerSettings): void {
  if (allowedRanges) {
    // Where N8N_PROXY_HOPS is the number of proxies in front of n8n, the proxies report this IP to n8n. Without the variable, n8n takes
    // the nearest proxy for the caller.
    const callerIp = parseCallerIp(context.getRequestObject().ip ?? '');
    const isAllowed = callerIp !== undefined && allowedRanges.some((range) => isInRange(callerIp, range));
    if (!isAllowed) throw new RefusedCall(403, 'Calls from this IP address are not allowed');
  }
  if (secret === undefined) return;
  const { [SECRET_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
  if (typeof given !== 'string' || !timingSafeEqual(digest(given), digest(secret))) {
    throw new RefusedCall(403, 'The secret is missing or wrong');
  }
}

/** Digests have the same length, so the comparison doesn't reveal the length of the secret either. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the trigger is for the outcome and the channel of an event; without a channel in the callback, it is for all channels. */
function isWanted(
  { outcome, type, sent_as: sentAs }: TriggerEvent,
  { outcomes, channels }: TriggerSettings,
): boolean {
  if (!outcomes.includes(outcome)) return false;
  // The gateway need not name the channel (gateway-api.md, "Callback fields"). "pipeline" names no channel:
  // the gateway gives this type to a pipeline that it refused, and the callback address to any message that was sent as a pipeline.
  const named = type ?? sentAs;
  if (channels.length === 0 || typeof named !== 'string') return true;
  // A type such as `rcs+sms` names each of its channels.
  const parts = named.trim().toLowerCase().split('+');
  return parts.includes('pipeline') || channels.some((channel) => parts.includes(channel));
}

/**
 * The events that started workflows. Each trigger has a list of its own, so that the events of a busy trigger push none out of another
 * list. The lists are in the memory of this process: after a restart, and in another process of n8n, a repeat starts the workflow again.
 * The trigger that got an event last is at the end.
 */
const seenByTrigger = new Map<string, SeenEvents>();

/** Forgets the triggers that have got no event for a day, such as deleted ones. */
function forgetSilent(): void {
  for (const [trigger, seen] of seenByTrigger) {
    if (!seen.isOver) return;
    seenByTrigger.delete(trigger);
  }
}

/** Returns the events that have not started the workflow before; in a test, which people repeat on purpose, all events. */
function withoutSeen(context: IWebhookFunctions, events: TriggerEvent[]): TriggerEvent[] {
  if (context.getMode() === 'manual') return events;
  const trigger = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
  const seen = seenByTrigger.get(trigger) ?? new SeenEvents();
  seenByTrigger.delete(trigger);
  forgetSilent();
  seenByTrigger.set(trigger, seen);
  const { unseen, forget } = seen.add(events);
  const response = context.getResponseObject();
  // n8n answers with an error where it can't start the workflow. The gateway then calls again, and the events must count as unseen.
  // `finish` says that n8n has sent its answer. Where the connection broke before, the events stay seen: n8n has mostly started the
  // workflow by then, and a repeat would start it twice.
  if (unseen.length > 0)
    response.once('finish', () => {
      if (response.statusCode >= 400) forget();
    });
  return unseen;
}
