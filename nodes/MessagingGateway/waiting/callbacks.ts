import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseCallback } from '../../gateway/callback/parse';
import { withReport } from '../../gateway/delivery/reports';
import { readConnection } from '../../n8n/connection';
import { jsonTransport } from '../../n8n/transports';
import type { SleepNote } from '../sleeping/sleep';
import { findNote, refuse, sleepingItems, sleepOn, wake } from '../sleeping/sleep';
import { asCheck, startWatcher, STILL_WAITING } from '../sleeping/watch';
import { askOutcomes } from './ask';
import { waits } from './memory';
import { OpenWait } from './open-wait';

/** Milliseconds before the first check of a watcher that isn't the first of its wait. */
const SECOND_WATCHER_PAUSE = 30_000;
/** Milliseconds that a `status` request may keep the sender of a callback waiting. */
const LONGEST_QUESTION = 15_000;
const RECEIVED = { received: true };

/**
 * Handles a call to an execution that waits for delivery: a callback of the gateway, or a check by our own watcher
 * (see watch.ts). Wakes the execution once every message has its final outcome, or at the limit; acknowledges
 * everything else, and refuses with a 4xx what isn't a callback of this execution.
 */
export async function receiveCallback(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  if (context.getRequestObject().method !== 'POST') return refuse(context, 405, 'Callbacks must use POST');
  const body: unknown = context.getBodyData();
  const check = asCheck(body);
  const parsed = check ? undefined : parseCallback(body);
  if (parsed?.ok === false) return refuse(context, 400, parsed.reason);
  const note = findNote(context);
  if (note === undefined || (check && check.check !== note.key)) {
    return refuse(context, 410, 'The execution does not wait for this');
  }

  const wait = waits.get(note.key) ?? reopen(context, note);
  if (parsed && !wait.takeAll(parsed.events)) {
    return refuse(context, 404, 'The callback does not match any message of this execution');
  }
  const isLimit = check?.limit === true;
  if (!wait.complete && (check || wait.shouldAsk())) {
    await (wait.asking ??= ask(context, note, wait).finally(() => (wait.asking = undefined)));
  }
  if (wait.complete || isLimit) return resume(context, wait);
  return sleepOn(check ? STILL_WAITING : RECEIVED);
}

/** Restores the wait from the sleeping execution, for a process that didn't send its messages or was restarted. */
function reopen(context: IWebhookFunctions, note: SleepNote): OpenWait {
  const wait = new OpenWait(sleepingItems(context).map(({ json }) => json));
  waits.set(note.key, wait);
  startWatcher(context, note, {
    firstPause: SECOND_WATCHER_PAUSE,
    onEnd: () => waits.forget(note.key),
  });
  return wait;
}

/** Asks the gateway for the missing outcomes. A failure is only logged: a later request may succeed. */
async function ask(context: IWebhookFunctions, note: SleepNote, wait: OpenWait): Promise<void> {
  wait.questionStarts();
  const { timeout, batchSize } = note as SleepNote & { timeout: number; batchSize: number };
  try {
    const connection = await readConnection(context);
    const transport = jsonTransport(connection, Math.min(timeout, LONGEST_QUESTION));
    await askOutcomes(transport, wait.missing(), batchSize, (message, report) => wait.learn(message, report));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `Messaging Gateway, execution ${context.getExecutionId()}: could not request the status of messages: ${reason}`,
    );
  }
}

function resume(context: IWebhookFunctions, wait: OpenWait): IWebhookResponseData {
  if (!wait.claimResumption(Date.now())) return sleepOn(RECEIVED);
  const reports = wait.reports();
  const items = sleepingItems(context).map((item, position): INodeExecutionData => {
    const report = reports.get(position);
    return report === undefined ? item : { ...item, json: withReport(item.json, report) };
  });
  return wake(items, RECEIVED);
}
