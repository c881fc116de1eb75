import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { fromJson } from '../../gateway/callback/open-body';
import { parseCallback } from '../../gateway/callback/parse';
import { askStatusBatch } from '../../gateway/client/status-check';
import { withReport } from '../../gateway/delivery/reports';
import { readRequestBody } from '../../n8n/request-body';
import { asSelfCall, ASLEEP, WOKEN } from '../sleeping/self-call';
import { findNote, refuse, sleepingItems, sleepOn, wake } from '../sleeping/sleep';
import type { WaitKeeper, WaitNote } from './keeper';
import { STATUS_BATCH, waits } from './keeper';
import { OpenWait } from './open-wait';

const RECEIVED = { received: true };

/** Handles calls to executions that wait for delivery: callbacks of the gateway, and calls of the node itself. */
export type CallReceiver = (context: IWebhookFunctions) => Promise<IWebhookResponseData>;

/**
 * Returns the function that handles a call, with the waits of its process. A callback is matched, learned and answered;
 * the last outcome wakes the execution. What isn't a callback of the execution is refused with a 4xx, by the cheapest
 * check that shows it.
 */
export function callReceiver(keeper: WaitKeeper): CallReceiver {
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

    const known = keeper.find(note.key);
    const wait = known ?? new OpenWait(sleepingItems(context).map(({ json }) => json));
    const openBefore = wait.open;
    if (parsed && !wait.takeAll(parsed.events)) {
      return refuse(context, 404, 'The callback does not match any message of this execution');
    }
    if (known === undefined || call?.todo === 'adopt') await keeper.adopt(context, note, wait);
    if (known === undefined && (call?.todo === 'resume' || wait.open <= STATUS_BATCH)) {
      await ask(keeper, note, wait);
    }
    const isLimit = call?.todo === 'resume' && Date.now() >= note.limitAt;
    if (wait.complete || isLimit) {
      if (known === undefined && call?.todo === 'resume') keeper.leaveToCaller(note.key);
      keeper.nudge(note.key);
      return resume(context, wait, call ? WOKEN : RECEIVED);
    }
    if (parsed && wait.open < openBefore) keeper.nudge(note.key);
    return sleepOn(call ? ASLEEP : RECEIVED);
  };
}

export const receiveCallback = callReceiver(waits);

/** Asks the gateway for all missing outcomes, once: other processes, or this one before a restart, may have had them. */
async function ask(keeper: WaitKeeper, { key, batchSize = STATUS_BATCH }: WaitNote, wait: OpenWait) {
  const transport = keeper.transportOf(key);
  if (transport === undefined) return;
  const messages = wait.missing();
  for (let size = batchSize; messages.length > 0; ) {
    const asked = messages.slice(0, size);
    const answered = await askStatusBatch(
      transport,
      asked.map(({ id }) => id),
    );
    if (answered.ok) {
      wait.learnAnswers(asked, answered.answers);
      messages.splice(0, asked.length);
    } else if (answered.tooLarge && asked.length > 1) size = Math.floor(asked.length / 2);
    else return;
  }
}

/** Returns the items to n8n, each with what is known of its message. */
function resume(
  context: IWebhookFunctions,
  wait: OpenWait,
  answer: Record<string, boolean>,
): IWebhookResponseData {
  if (!wait.claimResumption(Date.now())) return sleepOn(answer === WOKEN ? ASLEEP : answer);
  const reports = wait.reports();
  const items = sleepingItems(context).map((item, position): INodeExecutionData => {
    const report = reports.get(position);
    return report === undefined ? item : { ...item, json: withReport(item.json, report) };
  });
  return wake(items, answer);
}
