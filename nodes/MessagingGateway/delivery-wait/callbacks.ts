import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readCallback, readRequestBody, refuse } from '../../n8n/incoming-call';
import { savedItems } from '../../n8n/undocumented';
import { keyInSelfCall } from '../suspend/self-call';
import { findNote, sleepOn } from '../suspend/sleep';
import { OpenWait } from './open-wait';
import { FEW_MESSAGES } from './settings';
import type { WaitNote } from './watch';
import { startWatching, watches } from './watch';

/** Milliseconds after the limit in which a question may begin: n8n goes on a minute after the limit. */
const LAST_QUESTION_MS = 10_000;

/**
 * Handles a call to an execution that waits for delivery, in the process of these watches: a callback of the gateway is
 * matched, learned and answered, and the last outcome wakes the execution; or the node itself calls, to wake it. What is neither
 * is refused with a 4xx, by the cheapest check that shows it.
 */
export async function receiveCallback(
  context: IWebhookFunctions,
  own = watches,
): Promise<IWebhookResponseData> {
  if (context.getRequestObject().method !== 'POST') return refuse(context, 405, 'Callbacks must use POST');
  const request = readRequestBody(context);
  if (!request.ok) return refuse(context, request.status, request.reason);
  const key = keyInSelfCall(request.body);
  const parsed = key === undefined ? readCallback(context, request.body) : undefined;
  if (parsed?.ok === false) return refuse(context, parsed.status, parsed.reason);
  const note = findNote(context) as WaitNote | undefined;
  if (note === undefined || (key !== undefined && key !== note.key)) {
    return refuse(context, 410, 'The execution does not wait for this');
  }
  const known = own.get(note.key);
  const wait = known?.wait ?? new OpenWait(savedItems(context).map(({ json }) => json));
  if (parsed && !wait.takeAll(parsed.events)) {
    return refuse(context, 404, 'The callback does not match any message of this execution');
  }
  const { ask } = known ?? (await startWatching(context, note, wait, own));
  const isLimit = key !== undefined && Date.now() >= note.limitAt;
  // Callbacks that came to another process, or before a restart, are known to status alone.
  if (wait.open > 0 && (key !== undefined || (!known && wait.open <= FEW_MESSAGES)))
    await ask(wait, Math.max(note.limitAt, Date.now()) + LAST_QUESTION_MS);
  const wakes = (wait.open === 0 || isLimit) && wait.startResuming(Date.now());
  const answer = key === undefined ? { received: true } : { sleeping: !wakes };
  if (!wakes) return sleepOn(answer);
  return { workflowData: [wait.withReports(savedItems(context))], webhookResponse: answer };
}
