import { Duration } from 'luxon';
import type {
  IExecuteFunctions,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';

import type { CallbackBody } from '../../gateway/contract/callback';
import { RefusedCall } from '../../gateway/callback/refused-call';
import type { Report } from '../../gateway/delivery/reports';
import { withReport } from '../../gateway/delivery/reports';
import { isObject } from '../../gateway/text/json';
import { jsonTransport, readConnectionTo } from '../../n8n/connection';
import { readBody, readCallbacks } from '../../n8n/incoming-call';
import { savedItems } from '../../n8n/undocumented';
import { Item } from '../run/item';
import type { ItemResult } from '../run/item-result';
import { isFailed } from '../run/item-result';
import { readForRun, toItems } from '../run/output';
import type { Run } from '../run/run';
import { noteSaved, QUESTION_MS, startWatching, watches } from '../suspend/poller';
import { REACH_ADVICE } from '../suspend/self-call';
import type { SleepNote } from '../suspend/sleep';
import { claimWaking, findNote, resumeAddress, sleepUntil } from '../suspend/sleep';
import { OpenWait } from '../../gateway/client/open-wait';
import { readWaitLimit, wantsToWait } from './settings';

/** Milliseconds after the limit until n8n itself resumes, where our own call can't: after a restart, or unreachable. */
const GRACE_MS = 60_000;

/** The waits of a run, as its form has them. */
interface Waits {
  /** Whether each item asks to wait. */
  wants: boolean[];

  /** Milliseconds for which the run waits at most: the limit of the first item that waits. */
  limitMs: number;
}

/**
 * Reads which items wait, and for how long. A row that leaves is refused by its own step for what can't be read; a message that an
 * earlier try sent has no step any more.
 * @throws NodeOperationError for a switch or a limit of such a message that can't be read
 */
export function readWaits(run: Run): Waits {
  let limitMs: number | undefined;
  const wants = run.items.map((_, index) => {
    const isSent = run.journal.find(index)?.jsons !== undefined;
    const wantsIt = () => {
      const { read } = new Item(run, index);
      if (!wantsToWait(read)) return false;
      limitMs ??= readWaitLimit(read);
      return true;
    };
    if (isSent) return readForRun(run, index, wantsIt);
    try {
      return wantsIt();
    } catch {
      return false;
    }
  });
  return { wants, limitMs: limitMs ?? 0 };
}

/**
 * Waits for the outcomes of messages that were just sent, where their items ask for it: puts the execution to sleep if any outcome is
 * open, and watches the sleep (see `suspend/poller.ts`). The run itself asks nothing, since ten runs a second would ask ten times.
 * @returns the results, as n8n shows them of the sleep. Where a failed row is to stop the run, or no outcome is open, they are as
 *   they were
 */
export async function waitForDelivery(
  run: Run,
  results: ItemResult[],
  { wants, limitMs }: Waits,
): Promise<ItemResult[]> {
  const waits = results.map((result, item) => wants[item] && canWait(result));
  if (!waits.includes(true) || (run.stopsAtErrors && results.some(isFailed))) return results;
  const limitAt = Date.now() + limitMs;

  const sent = toItems(run, results, true).map((item, i) => (waits[i] ? unreported(item) : item));
  const wait = new OpenWait(sent.map(({ json }) => json));
  const { context } = run;
  const address = resumeAddress(context);
  const asleep = wait.asLeft(sent, unknownReason(address));
  const note = await sleepUntil(context, limitAt + GRACE_MS, asleep, { limitAt, limitMs });
  await watchDelivery(context, note, wait);
  return results.map((result, i) => whileAsleep(run, result, asleep[i]));
}

/** Has the poller of the account watch a wait, and wake its execution once all outcomes are known, or at the limit. */
export const watchDelivery = async (
  context: IExecuteFunctions | IWebhookFunctions,
  { key, limitAt }: SleepNote,
  messages: OpenWait,
): Promise<void> =>
  await startWatching(context, {
    key,
    messages,
    limitAt,
    call: { address: resumeAddress(context), key },
    todo: (now) => (now >= limitAt || messages.openCount === 0 ? 'wake' : 'ask'),
  });

/** Whether a message left, and its outcome isn't final: a message of an earlier run may have a final one. */
const canWait = (result: ItemResult): boolean =>
  !isFailed(result) && !result.checked && !result.skipped && result.jsons[0].final !== true;

/** Adds an unknown outcome to the item of a message of which `status` has told nothing yet. */
const unreported = (item: INodeExecutionData): INodeExecutionData =>
  item.json.final === undefined ? { ...item, json: withReport(item.json, {}) } : item;

/** Returns why an outcome is unknown where n8n passes the items on by itself. Takes the address at which the node calls n8n. */
const unknownReason = (address: string): string =>
  `n8n went on before the outcome was known; Get Status tells it now. Either this is a Retry of a wait that was stopped; or the limit was reached, and n8n was restarted or doesn't reach its own address ${new URL(address).origin}. ${REACH_ADVICE}`;

/** Returns the result that n8n shows of an item while the execution sleeps. */
function whileAsleep({ node }: Run, result: ItemResult, asleep: INodeExecutionData): ItemResult {
  const { error, ...json } = asleep.json;
  // With Retry On Fail, n8n would run the node again for an error of its first item, and the input is gone by now: no row shows its error until then.
  if (error !== undefined && node.retryOnFail) return { jsons: [json] };
  return isFailed(result) ? result : { ...result, jsons: [asleep.json], saved: [asleep] };
}

/**
 * Handles a call to an execution that waits for delivery: of the node itself, which names the sleep that it is to end, or of the gateway,
 * whose last outcome wakes the execution.
 * @throws RefusedCall with a 4xx for any other call, by the cheapest check that shows it
 */
export async function receiveCallback(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  if (context.getRequestObject().method !== 'POST') throw new RefusedCall(405, 'Callbacks must use POST');
  const body = await readBody(context);
  const { wake, reports } = (body ?? {}) as { wake?: unknown; reports?: unknown };
  return typeof wake === 'string'
    ? await receiveOwnCall(context, wake, Array.isArray(reports) ? reports.filter(isObject) : [])
    : await receiveReports(context, readCallbacks(context, body));
}

/**
 * Ends the sleep with this key, where all outcomes are known or its limit is over. Another process of n8n may take the call than the one
 * that makes it, which says what it knows: otherwise each such wait would take a question more.
 */
async function receiveOwnCall(
  context: IWebhookFunctions,
  key: string,
  reports: Report[],
): Promise<IWebhookResponseData> {
  const note = findNote(context);
  if (note?.key !== key) throw new RefusedCall(410, NO_WAIT);
  const known = watches.get(key)?.messages;
  const wait = known ?? savedWait(context);
  noteSaved(key);
  const isLimit = Date.now() >= note.limitAt;
  if (known === undefined) {
    wait.takeAll(reports);
    await askNow(context, wait, note);
  }
  if (!(isLimit || wait.openCount === 0) || !claimWaking(key)) return { webhookResponse: { sleeping: true } };
  const items = wait.withReports(savedItems(context));
  const woken = isLimit ? atLimit(items, note.limitMs) : items;
  return { workflowData: [woken], webhookResponse: { sleeping: false } };
}

/** Learns what the gateway reports, and ends the sleep where that was the last outcome. */
async function receiveReports(
  context: IWebhookFunctions,
  callbacks: CallbackBody[],
): Promise<IWebhookResponseData> {
  const note = findNote(context);
  if (note === undefined) throw new RefusedCall(410, NO_WAIT);
  const known = watches.get(note.key)?.messages;
  const wait = known ?? savedWait(context);
  if (!wait.takeAll(callbacks))
    throw new RefusedCall(404, 'The callback does not match any message of this execution');
  const isNew = known === undefined && wait.openCount > 0;
  if (isNew) await watchDelivery(context, note, wait);
  // n8n passes a call on only to an execution that n8n has saved.
  noteSaved(note.key);
  if (isNew && wait.isSmall) await askNow(context, wait, note);
  const webhookResponse = { received: true };
  if (wait.openCount > 0 || !claimWaking(note.key)) return { webhookResponse };
  return { workflowData: [wait.withReports(savedItems(context))], webhookResponse };
}

const NO_WAIT = 'The execution does not wait for this';

/** Returns the wait of the called execution as n8n saved it. Callbacks to another process, or before a restart, are missing. */
const savedWait = (context: IWebhookFunctions): OpenWait =>
  new OpenWait(savedItems(context).map(({ json }) => json));

/** Milliseconds after the limit in which a question may begin: n8n goes on a minute after the limit. */
const LAST_QUESTION_MS = 10_000;

/** Asks about the open messages of a called execution once, where its credential can be read. */
async function askNow(context: IWebhookFunctions, wait: OpenWait, { limitAt }: SleepNote): Promise<void> {
  if (wait.openCount === 0) return;
  const until = Math.max(limitAt, Date.now()) + LAST_QUESTION_MS;
  const connection = await readConnectionTo(context, 'sync').catch(() => undefined);
  if (connection) await wait.ask(jsonTransport(connection, QUESTION_MS), until);
}

/** Says in each row without a final outcome that the limit was reached. Takes the limit in milliseconds. */
function atLimit(items: INodeExecutionData[], limitMs: unknown): INodeExecutionData[] {
  const { length: waited } = items.filter(({ json }) => json.final !== undefined);
  const { length: open } = items.filter(({ json }) => json.final === false);
  const limit = Duration.fromMillis(Number(limitMs), { locale: 'en' }).rescale().toHuman();
  const count = waited === 1 ? 'the message has' : `${open} of ${waited} ${open === 1 ? 'has' : 'have'}`;
  const reason = `The limit of ${limit} was reached: ${count} no outcome yet. Get Status asks for it later.`;
  return items.map((item) =>
    item.json.final === false ? { ...item, json: { ...item.json, reason } } : item,
  );
}
