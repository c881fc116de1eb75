import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseCallback } from '../../gateway/callback/parse';
import { readRequestBody, refuse, warnOfRefused } from '../../n8n/incoming-call';
import { savedItems } from '../../n8n/undocumented';
import { asSelfCall } from '../suspend/self-call';
import { findNote, sleepOn } from '../suspend/sleep';
import type { FailingMessage } from './open-wait';
import { OpenWait } from './open-wait';
import { STATUS_BATCH } from './status-questions';
import type { WaitNote } from './watch';
import { watches } from './watch';

/** Milliseconds before this process asks by itself about a wait that it was called for: the one that sent may do so. */
const SENDER_FIRST_MS = 30_000;

/** Milliseconds by which it wakes the execution later: the one that sent has watched the messages for the longest time. */
const SENDER_WAKES_MS = 5000;

/**
 * Handles a call to an execution that waits for delivery, in the process of these watches: a callback of the gateway is
 * matched, learned and answered, and the last outcome wakes the execution; or the node itself calls. What is neither is
 * refused with a 4xx, by the cheapest check that shows it.
 */
export async function receiveCallback(
  context: IWebhookFunctions,
  own = watches,
): Promise<IWebhookResponseData> {
  if (context.getRequestObject().method !== 'POST') return refuse(context, 405, 'Callbacks must use POST');
  const request = readRequestBody(context);
  if (!request.ok) return refuse(context, request.status, request.reason);
  const call = asSelfCall(request.body);
  const parsed = call ? undefined : parseCallback(request.body);
  if (parsed?.ok === false) return refuse(context, 400, parsed.reason);
  if (parsed) warnOfRefused(context, parsed.refused);
  const note = findNote(context) as WaitNote | undefined;
  if (note === undefined || (call && call.sleep !== note.key)) {
    return refuse(context, 410, 'The execution does not wait for this');
  }
  const answer = (sleeping: boolean) => (call ? { sleeping } : { received: true });
  if (call?.todo === 'look') return sleepOn(answer(true));

  const known = own.get(note.key);
  const wait = known?.wait ?? new OpenWait(savedItems(context).map(({ json }) => json));
  const openBefore = wait.open;
  if (parsed && !wait.takeAll(parsed.events)) {
    return refuse(context, 404, 'The callback does not match any message of this execution');
  }
  if (call?.failing) wait.learnFailing(call.failing as FailingMessage[]);
  const later = { ...note, limitAt: note.limitAt + SENDER_WAKES_MS };
  const watch = known ?? (await own.start(context, later, wait, { firstMs: SENDER_FIRST_MS }));
  // Other processes, or this one before a restart, may have had other callbacks.
  if (call || (known === undefined && wait.open <= STATUS_BATCH)) await watch.askAll(call !== undefined);
  const isLimit = call !== undefined && Date.now() >= note.limitAt;
  const wakes = wait.open === 0 || isLimit;
  if (wakes || (known && wait.open < openBefore)) wait.ring();
  if (!wakes || !wait.startResuming(Date.now(), call ? 'by a call' : 'by a callback')) {
    return sleepOn(answer(true));
  }
  return { workflowData: [wait.withReports(savedItems(context))], webhookResponse: answer(false) };
}
