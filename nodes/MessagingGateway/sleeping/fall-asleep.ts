import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeReach } from '../../gateway/callback/reach';
import type { Transport } from '../../gateway/client/transport';
import { resumeAddress } from './address';
import { askOutcomes } from '../waiting/ask';
import { waits } from '../waiting/memory';
import type { WaitNote } from './note';
import { keepNote } from './note';
import { OpenWait } from '../waiting/open-wait';
import { withoutStatement, withStatement } from '../../gateway/delivery/reports';
import { startWatcher } from './watch';

/** How a run of the node waits. */
export interface WaitPlan {
  /** Milliseconds. */
  limit: number;
  batchSize: number;
  timeout: number;
  transport: Transport;
}

/**
 * Milliseconds after the limit at which n8n itself goes on, where our own check at the limit did not come:
 * after a restart of the process, or where n8n can't reach its own address.
 */
const GRACE = 30_000;

/** n8n runs a node with Retry On Fail between 2 and 5 times. */
const FEWEST_TRIES = 2;
const MOST_TRIES = 5;
const USUAL_TRIES = 3;
const TRIES_KEY = 'messagingGatewayTries';

/**
 * Waits for the outcomes of messages that were just sent. Asks the gateway once: what is final already needs no
 * waiting, and callbacks that came before n8n put the execution to sleep are lost. If anything is open, the
 * execution goes to sleep.
 *
 * Takes the output items and the positions of those that wait; gives the items with `outcome` and `final`. While the
 * execution sleeps they are its data: they go on as they are if n8n's own limit comes first.
 */
export async function waitForOutcomes(
  context: IExecuteFunctions,
  output: INodeExecutionData[],
  waiting: number[],
  { limit, batchSize, timeout, transport }: WaitPlan,
): Promise<INodeExecutionData[]> {
  const items = [...output];
  const set = (position: number, json: INodeExecutionData['json']) => {
    items[position] = { ...items[position], json };
  };
  for (const position of waiting) set(position, withoutStatement(items[position].json));
  if (runsAgain(context, output)) return items;

  const questions = waiting.map((position) => ({ position, id: items[position].json.id }));
  await askOutcomes(transport, questions, batchSize, ({ position }, statement) =>
    set(position, withStatement(items[position].json, statement)),
  );
  if (waiting.every((position) => items[position].json.final === true)) return items;

  const note: WaitNote = { key: randomUUID(), limitAt: Date.now() + limit, batchSize, timeout };
  keepNote(context, note);
  const wait = new OpenWait(items.map(({ json }) => json));
  wait.asked = true;
  waits.set(note.key, wait);
  await context.putExecutionToWait(new Date(note.limitAt + GRACE));
  // n8n hands these to webhook() and passes them on at its own limit, in place of the node's input.
  context.getExecuteData().data = { main: [items] };
  startWatcher(context, note);
  hintWhereCallbacksCannotCome(context);
  // A list of its own: n8n empties the returned one when it sorts out items that carry errors.
  return items.map(withoutDeliveryError);
}

/** Shown at the node while the execution sleeps. Without callbacks it wakes by asking `status`, which is slower. */
function hintWhereCallbacksCannotCome(context: IExecuteFunctions): void {
  const reach = describeReach(resumeAddress(context));
  if (reach.reachable) return;
  const message = `${reach.reason}. Until that changes, outcomes come by asking the gateway at growing intervals. ${reach.advice}`;
  context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/**
 * Whether n8n will run the node again after this try, since its first item carries an error: such a run must
 * find its own input, so it can't go to sleep.
 */
function runsAgain(context: IExecuteFunctions, output: INodeExecutionData[]): boolean {
  const { retryOnFail, maxTries } = context.getNode();
  if (retryOnFail !== true || !output[0]?.json.error) return false;
  const memory = context.getContext('node');
  const tries = Number(memory[TRIES_KEY] ?? 0) + 1;
  const most = Math.min(MOST_TRIES, Math.max(FEWEST_TRIES, maxTries || USUAL_TRIES));
  memory[TRIES_KEY] = tries < most ? tries : 0;
  return tries < most;
}

/** What n8n shows while the execution sleeps: an `error` of a delivery would make it run the node again. */
function withoutDeliveryError(item: INodeExecutionData): INodeExecutionData {
  if (item.json.final === undefined || item.json.error === undefined) return item;
  const json = { ...item.json };
  delete json.error;
  return { ...item, json };
}
