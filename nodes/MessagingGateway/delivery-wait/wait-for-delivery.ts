import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { unreachableReason } from '../../gateway/callback/address';
import { RefusedCall } from '../../gateway/callback/refused-call';
import { withReport } from '../../gateway/delivery/reports';
import { baseAddress } from '../../n8n/connection';
import { readBody, readCallbacks } from '../../n8n/incoming-call';
import { savedItems } from '../../n8n/undocumented';
import { Item } from '../run/item';
import type { DoneItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { toItems } from '../run/output';
import type { Run } from '../run/run';
import { settingsOf } from '../run/settings';
import { REACH_ADVICE } from '../suspend/self-call';
import { findNote, resumeAddress, sleepUntil } from '../suspend/sleep';
import { OpenWait } from './open-wait';
import { readWaitLimit, wantsToWait } from './settings';
import type { WaitNote } from './watch';
import { FEW_MESSAGES, startWatching, watches } from './watch';

/** Milliseconds after the limit until n8n itself resumes, where our own call can't: after a restart, or unreachable. */
const GRACE_MS = 60_000;

/**
 * Waits for the outcomes of messages that were just sent, where their items ask for it. Asks the gateway about a few
 * messages at once, since their outcomes may be final already. Puts the execution to sleep if any outcome is open, and
 * watches it (see watch.ts).
 * @returns the results; waiting items have the newest report on their messages
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export async function waitForDelivery(run: Run, results: ItemResult[]): Promise<ItemResult[]> {
  // A message that was sent before may have its outcome already.
  const waits = (result: ItemResult, item: number) =>
    !isFailed(result) &&
    !result.checked &&
    !result.skipped &&
    result.jsons[0].final !== true &&
    wantsToWait(new Item(run, item).read);
  const first = results.findIndex(waits);
  if (first === -1) return results;
  const { context } = run;
  const { batchSize, timeoutMs } = settingsOf(run);
  const limitAt = Date.now() + readWaitLimit(new Item(run, first).read);

  const asleep = results.map((result, item) =>
    waits(result, item) ? { ...result, jsons: (result as DoneItem).jsons.map(unreported) } : result,
  );
  const sent = toItems(run, asleep);
  // A row that doesn't wait may have an open outcome too, such as one that was sent before.
  const wait = new OpenWait(sent.map(({ json }, item) => (waits(results[item], item) ? json : {})));
  // Don't ask about large runs here: their outcomes take time, for which the execution had better sleep.
  if (wait.open <= FEW_MESSAGES) await wait.ask(await run.transport(timeoutMs), limitAt, batchSize);
  const known = wait.withReports(sent);
  const withJsons = (items: INodeExecutionData[]) =>
    asleep.map((result, item) => (isFailed(result) ? result : { ...result, jsons: [items[item].json] }));
  if (wait.open === 0) return withJsons(known);

  const address = resumeAddress(context);
  const reason = `Nothing is known since the execution fell asleep. At the limit, n8n passes this on by itself where the node can't wake the execution: after a restart of n8n, or where n8n doesn't reach its own address ${new URL(address).origin}. ${REACH_ADVICE} Get Status tells the outcome.`;
  const items = wait.asLeft(known, reason);
  const note = await sleepUntil(context, limitAt + GRACE_MS, items, { limitAt, batchSize });
  await startWatching(context, note, wait);
  // Without callbacks, the wait depends on `status`, which is slower.
  const gateway = baseAddress(await run.connection());
  const obstacle = unreachableReason(address, { gateway });
  if (obstacle) {
    const text = `${obstacle.reason}, so the gateway may not be able to report to it. The node asks for the outcomes itself, at growing intervals. ${obstacle.advice}`;
    run.hints.push({ type: 'info', text });
  }
  return withJsons(items).map((result, item) => whileAsleep(run, result, items[item]));
}

/** Adds an unknown outcome to a message of which `status` has told nothing yet. */
const unreported = (json: IDataObject): IDataObject =>
  json.final === undefined ? withReport(json, {}) : json;

/** The output that n8n shows while the execution sleeps. */
function whileAsleep({ node }: Run, result: ItemResult, saved: INodeExecutionData): ItemResult {
  const { error, ...json } = saved.json;
  // With Retry On Fail, n8n would run the node again for an error of its first item, and the input is gone by now.
  if (error !== undefined && node.retryOnFail) return { jsons: [json] };
  return isFailed(result) ? result : { ...result, saved: [saved] };
}

/** Milliseconds after the limit in which a question may begin: n8n goes on a minute after the limit. */
const LAST_QUESTION_MS = 10_000;

/**
 * Handles a call to an execution that waits for delivery, in the process of these watches: a callback of the gateway is
 * matched, learned and answered, and the last outcome wakes the execution; or the node itself calls, to wake it.
 * @throws RefusedCall with a 4xx for any other call, by the cheapest check that shows it
 */
export async function receiveCallback(
  context: IWebhookFunctions,
  own = watches,
): Promise<IWebhookResponseData> {
  if (context.getRequestObject().method !== 'POST') throw new RefusedCall(405, 'Callbacks must use POST');
  const body = await readBody(context);
  // A call of the node itself names the sleep that it is to end.
  const { wake } = (body ?? {}) as { wake?: unknown };
  const key = typeof wake === 'string' ? wake : undefined;
  const callbacks = key === undefined ? readCallbacks(context, body) : undefined;
  const note = findNote(context) as WaitNote | undefined;
  if (note === undefined || (key !== undefined && key !== note.key)) {
    throw new RefusedCall(410, 'The execution does not wait for this');
  }
  const known = own.get(note.key);
  const wait = known?.wait ?? new OpenWait(savedItems(context).map(({ json }) => json));
  if (callbacks && !wait.takeAll(callbacks)) {
    throw new RefusedCall(404, 'The callback does not match any message of this execution');
  }
  const { ask } = known ?? (await startWatching(context, note, wait, own));
  const isLimit = key !== undefined && Date.now() >= note.limitAt;
  // Callbacks that came to another process, or before a restart, are known to status alone.
  if (wait.open > 0 && (key !== undefined || (!known && wait.open <= FEW_MESSAGES)))
    await ask(Math.max(note.limitAt, Date.now()) + LAST_QUESTION_MS);
  const wakes = (wait.open === 0 || isLimit) && wait.startResuming(Date.now());
  const answer = key === undefined ? { received: true } : { sleeping: !wakes };
  if (!wakes) return { webhookResponse: answer };
  return { workflowData: [wait.withReports(savedItems(context))], webhookResponse: answer };
}
