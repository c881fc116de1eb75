import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeReach } from '../../gateway/callback/reach';
import { askStatuses } from '../../gateway/client/status-check';
import { reportOfStatus, withoutReport, withReport } from '../../gateway/delivery/reports';
import { showHint } from '../../n8n/engine';
import type { DoneItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { toItems } from '../run/output';
import type { Run } from '../run/run';
import { resumeAddress } from '../sleeping/address';
import { fallAsleep, packItems, willRunAgain } from '../sleeping/sleep';
import { OpenWait } from './open-wait';
import { readWaitLimit, wantsToWait } from './settings';
import { STATUS_BATCH, watches } from './watches';

/**
 * Waits for the outcomes of messages that were just sent, where their items ask for it. Asks the gateway about a few
 * messages at once, since their outcomes may be final already. Puts the execution to sleep if any outcome is open, and
 * watches it (see watch.ts).
 *
 * @returns the results; those of waiting items with what is known of their messages
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export async function waitForDelivery(run: Run, results: ItemResult[]): Promise<ItemResult[]> {
  const waiting = [...results.keys()].filter((item) => isWaiting(run, results[item], item));
  if (waiting.length === 0) return results;
  const { context, settings } = run;
  const limit = run.reading(waiting[0], () => readWaitLimit(readerOf(run, waiting[0])));

  const known = [...results];
  for (const item of waiting) {
    const json = jsonOf(known[item]);
    // What was sent before may have its outcome already.
    if (json.final !== true) known[item] = { jsons: [withoutReport(json)] };
  }
  if (willRunAgain(context, toItems(run, known))) return known;

  const { batchSize = STATUS_BATCH, timeout } = settings;
  // Don't ask about large runs here: their outcomes take time, for which the execution had better sleep.
  if (waiting.length <= STATUS_BATCH) {
    const ids = waiting.map((item) => jsonOf(known[item]).id as number | string);
    const answers = await askStatuses(await run.transport(), ids, batchSize);
    for (const [i, item] of waiting.entries()) {
      const answer = answers[i];
      if (answer.kind !== 'known') continue;
      known[item] = { jsons: [withReport(jsonOf(known[item]), reportOfStatus(answer.payload))] };
    }
    if (waiting.every((item) => jsonOf(known[item]).final === true)) return known;
  }

  const outputs = toItems(run, known);
  // n8n finds the input of an item for its error branch by an object alone.
  const items = run.node.onError === 'continueErrorOutput' ? outputs : packItems(outputs);
  const note = await fallAsleep(context, items, limit, { batchSize, timeout });
  await watches.start(context, note, new OpenWait(items.map(({ json }) => json)));
  warnOfUnreachableAddress(context);
  return known.map((result, item) => whileAsleep(result, items[item]));
}

const readerOf = (run: Run, item: number) => (name: string, fallback: unknown) =>
  run.read(name, item, fallback);

const isWaiting = (run: Run, result: ItemResult, item: number): boolean =>
  !isFailed(result) && !result.checked && wantsToWait(readerOf(run, item));

/** The output of a message, which is one object. */
const jsonOf = (result: ItemResult) => (result as DoneItem).jsons[0];

/** Adds a hint to the node while the execution sleeps: without callbacks it depends on `status`, which is slower. */
function warnOfUnreachableAddress(context: IExecuteFunctions): void {
  const reach = describeReach(resumeAddress(context));
  if (reach.reachable) return;
  const message = `${reach.reason}. Until that changes, the node asks the gateway for outcomes at growing intervals. ${reach.advice}`;
  showHint(context, { message, type: 'warning', location: 'outputPane' });
}

/** The output that n8n shows while the execution sleeps: an `error` of a delivery would make n8n rerun the node. */
function whileAsleep(result: ItemResult, saved: INodeExecutionData): ItemResult {
  if (isFailed(result)) return result;
  const [{ error, ...json }] = result.jsons;
  const isUnchanged = json.final === undefined || error === undefined;
  return isUnchanged ? { ...result, saved: [saved] } : { jsons: [json] };
}
