import type { IExecuteFunctions } from 'n8n-workflow';

import { describeReach } from '../../gateway/callback/reach';
import { withoutReport, withReport } from '../../gateway/delivery/reports';
import { showHint } from '../../n8n/engine';
import type { DoneItem, ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { toItems } from '../run/output';
import type { Run } from '../run/run';
import { resumeAddress } from '../sleeping/address';
import { fallAsleep, willRunAgain } from '../sleeping/sleep';
import { startWatcher } from '../sleeping/watch';
import { askOutcomes, STATUS_BATCH } from './ask';
import { waits } from './memory';
import { OpenWait } from './open-wait';
import { readWaitLimit, wantsToWait } from './settings';

/**
 * Waits for the outcomes of messages that were just sent, where their items ask for it. Asks the gateway once, since
 * some outcomes may be final already, and callbacks that came before n8n put the execution to sleep are lost. Puts the
 * execution to sleep if any outcome is open.
 *
 * @returns the results; those of waiting items with `outcome` and `final`
 * @throws NodeOperationError or NodeApiError of the first failed item, where On Error is set to stop
 */
export async function waitForDelivery(run: Run, results: ItemResult[]): Promise<ItemResult[]> {
  const waiting = [...results.keys()].filter((item) => isWaiting(run, results[item], item));
  if (waiting.length === 0) return results;
  const { context, settings } = run;
  const limit = run.reading(waiting[0], () => readWaitLimit(readerOf(run, waiting[0])));

  const known = [...results];
  for (const item of waiting) known[item] = { jsons: [withoutReport(jsonOf(known[item]))] };
  if (willRunAgain(context, toItems(run, known))) return known;

  const questions = waiting.map((item) => ({ item, id: jsonOf(known[item]).id }));
  await askOutcomes(
    await run.transport(),
    questions,
    settings.batchSize ?? STATUS_BATCH,
    ({ item }, report) => {
      known[item] = { jsons: [withReport(jsonOf(known[item]), report)] };
    },
  );
  if (waiting.every((item) => jsonOf(known[item]).final === true)) return known;

  const items = toItems(run, known);
  const { batchSize = STATUS_BATCH, timeout } = settings;
  const note = await fallAsleep(context, items, limit, { batchSize, timeout });
  const wait = new OpenWait(items.map(({ json }) => json));
  wait.asked = true;
  waits.set(note.key, wait);
  startWatcher(context, note, { onEnd: () => waits.forget(note.key) });
  warnOfUnreachableAddress(context);
  return known.map(withoutDeliveryError);
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
function withoutDeliveryError(result: ItemResult): ItemResult {
  if (isFailed(result)) return result;
  const [{ error, ...json }] = result.jsons;
  return json.final === undefined || error === undefined ? result : { jsons: [json] };
}
