import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseCallback } from '../../gateway/callback/parse';
import { httpTransport, readConnection } from '../../n8n/json-transport';
import { askOutcomes } from './ask';
import { waits } from './memory';
import type { WaitNote } from '../sleeping/note';
import { findNote } from '../sleeping/note';
import { OpenWait } from './open-wait';
import type { Statement } from '../../gateway/delivery/reports';
import { withStatement } from '../../gateway/delivery/reports';
import type { Check } from '../sleeping/watch';
import { startWatcher } from '../sleeping/watch';

/** Milliseconds before the first check of a watcher that is not the first one of its wait. */
const SECOND_WATCHER_PAUSE = 30_000;
/** Milliseconds that a `status` question may keep the sender of a callback waiting. */
const LONGEST_QUESTION = 15_000;

/**
 * Takes a call to an execution that waits for delivery: a callback of the gateway, or a check of our own watcher
 * (see watch.ts). Resumes the execution once every message has its final outcome, or at the limit; acknowledges
 * everything else, and refuses what is no callback of this execution with a 4xx. Never throws: n8n would
 * go on with an empty item.
 */
export async function receiveWhileWaiting(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  try {
    return await receive(context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `Messaging Gateway: a callback to a waiting execution could not be handled: ${reason}`,
    );
    return refuse(context, 503, 'The callback could not be handled now');
  }
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const body = context.getBodyData();
  const check = asCheck(body);
  const parsed = check ? undefined : parseCallback(body);
  if (parsed?.ok === false) return refuse(context, 400, parsed.reason);
  const note = findNote(context);
  if (note === undefined || (check && check.check !== note.key)) {
    return refuse(context, 410, 'The execution does not wait for this');
  }

  const wait = waits.get(note.key) ?? reopen(context, note);
  if (parsed && parsed.events.filter((event) => wait.note(event)).length === 0) {
    return refuse(context, 404, 'The callback names no message of this execution');
  }
  const limit = check?.limit === true;
  if (!wait.complete && (check || wait.shouldAsk())) {
    await (wait.asking ??= ask(context, note, wait).finally(() => (wait.asking = undefined)));
  }
  if (wait.complete || limit) return resume(context, wait);
  return { webhookResponse: check ? { waiting: true } : { received: true } };
}

function asCheck(body: IDataObject): Check | undefined {
  const { check, limit } = body ?? {};
  return typeof check === 'string' ? { check, ...(limit === true && { limit }) } : undefined;
}

/** The wait as the execution left it, where this process knows nothing of it: it did not send, or was restarted. */
function reopen(context: IWebhookFunctions, note: WaitNote): OpenWait {
  const wait = new OpenWait(storedItems(context).map(({ json }) => json));
  waits.set(note.key, wait);
  startWatcher(context, note, SECOND_WATCHER_PAUSE);
  return wait;
}

/** The items that the node left behind when it went to sleep. */
const storedItems = (context: IWebhookFunctions): INodeExecutionData[] =>
  context.evaluateExpression('{{ $input.all() }}', 0) as unknown as INodeExecutionData[];

/** Asks the gateway for what is missing. What keeps it from being asked is logged: a later question may succeed. */
async function ask(context: IWebhookFunctions, note: WaitNote, wait: OpenWait): Promise<void> {
  wait.questionStarts();
  try {
    const transport = httpTransport(
      context,
      await readConnection(context),
      Math.min(note.timeout, LONGEST_QUESTION),
    );
    await askOutcomes(transport, wait.missing(), note.batchSize, (message, statement) =>
      wait.learn(message, statement),
    );
  } catch (error) {
    report(context, 'the status of messages could not be asked', error);
  }
}

function report(context: IWebhookFunctions, what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.logger.warn(`Messaging Gateway, execution ${context.getExecutionId()}: ${what}: ${reason}`);
}

function resume(context: IWebhookFunctions, wait: OpenWait): IWebhookResponseData {
  if (!wait.claimResumption(Date.now())) return { webhookResponse: { received: true } };
  const statements = wait.statements();
  const items = storedItems(context).map((item, position): INodeExecutionData => {
    const statement: Statement | undefined = statements.get(position);
    return statement === undefined ? item : { ...item, json: withStatement(item.json, statement) };
  });
  return { webhookResponse: { received: true }, workflowData: [items] };
}

function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error });
  return { noWebhookResponse: true };
}
