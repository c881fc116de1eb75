import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { fromJson } from '../../gateway/callback/open-body';
import { parseCallback } from '../../gateway/callback/parse';
import { withReport } from '../../gateway/delivery/reports';
import { readRequestBody } from '../../n8n/request-body';
import { asSelfCall, ASLEEP, WOKEN } from '../sleeping/self-call';
import { findNote, refuse, sleepingItems, sleepOn, wake } from '../sleeping/sleep';
import { OpenWait } from './open-wait';
import type { WaitNote, Watches } from './watches';
import { STATUS_BATCH, watches } from './watches';

/** Milliseconds at the limit in which the last question may begin: n8n goes on by itself a minute after the limit. */
const LAST_QUESTION = 10_000;
/** Milliseconds before this process asks by itself about a wait that it was called for: the one that sent may do so. */
const SENDER_FIRST = 30_000;
const RECEIVED = { received: true };

/** Handles calls to executions that wait for delivery: callbacks of the gateway, and calls of the node itself. */
export type CallReceiver = (context: IWebhookFunctions) => Promise<IWebhookResponseData>;

/**
 * Returns the function that handles a call in the process of these watches. A callback is matched, learned and answered;
 * the last outcome wakes the execution. What isn't a callback of the execution is refused with a 4xx, by the cheapest
 * check that shows it.
 */
export function callReceiver(own: Watches): CallReceiver {
  return async (context) => {
    if (context.getRequestObject().method !== 'POST') return refuse(context, 405, 'Callbacks must use POST');
    const request = readRequestBody(context);
    if (!request.ok) return refuse(context, request.status, request.reason);
    const { body } = request;
    const call = asSelfCall(typeof body === 'string' ? fromJson(body) : body);
    const parsed = call ? undefined : parseCallback(body);
    if (parsed?.ok === false) return refuse(context, 400, parsed.reason);
    const note = findNote(context) as WaitNote | undefined;
    if (note === undefined || (call && call.sleep !== note.key)) {
      return refuse(context, 410, 'The execution does not wait for this');
    }
    if (call?.todo === 'look') return sleepOn(ASLEEP);

    const known = own.find(note.key);
    const wait = known?.wait ?? new OpenWait(sleepingItems(context).map(({ json }) => json));
    const openBefore = wait.open;
    if (parsed && !wait.takeAll(parsed.events)) {
      return refuse(context, 404, 'The callback does not match any message of this execution');
    }
    const watch = known ?? (await own.start(context, note, wait, SENDER_FIRST));
    const isLimit = call !== undefined && Date.now() >= note.limitAt;
    // Other processes, or this one before a restart, may have had other callbacks.
    if (call || (known === undefined && wait.open <= STATUS_BATCH)) {
      await watch.askAll(isLimit ? Date.now() + LAST_QUESTION : undefined);
    }
    if (wait.complete || isLimit) {
      if (known === undefined && call) watch.leaveToCaller();
      watch.nudge();
      return resume(context, wait, call ? WOKEN : RECEIVED);
    }
    if (wait.open < openBefore) known?.nudge();
    return sleepOn(call ? ASLEEP : RECEIVED);
  };
}

export const receiveCallback = callReceiver(watches);

/** Returns the items to n8n, each with what is known of its message. */
function resume(
  context: IWebhookFunctions,
  wait: OpenWait,
  answer: Record<string, boolean>,
): IWebhookResponseData {
  if (!wait.startResuming(Date.now())) return sleepOn(answer === WOKEN ? ASLEEP : answer);
  const reports = wait.reports();
  const items = sleepingItems(context).map((item, position): INodeExecutionData => {
    const report = reports.get(position);
    return report === undefined ? item : { ...item, json: withReport(item.json, report) };
  });
  return wake(items, answer);
}
