import { randomUUID } from 'crypto';
import type {
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';

/** What a sleeping execution keeps about its sleep, in n8n's database; an operation may add fields of its own. */
export interface SleepNote extends IDataObject {
  /** Identifies this sleep; a node in a loop sleeps several times in one execution. */
  key: string;
  /** When it ends at the latest, in milliseconds since 1970. */
  limitAt: number;
}

/**
 * Milliseconds after the limit at which n8n itself goes on, where our own call at the limit did not come: after a
 * restart of the process, or where n8n can't reach its own address.
 */
const GRACE = 30_000;

const NOTE_KEY = 'messagingGatewaySleep';

/**
 * Puts the execution to sleep until it is woken (`wake`) or `limit` milliseconds are over. The items are its data
 * meanwhile: `sleepingItems` returns them, and they go on as they are if the limit comes first. `fields` of the note
 * have to be JSON.
 */
export async function fallAsleep(
  context: IExecuteFunctions,
  items: INodeExecutionData[],
  limit: number,
  fields: IDataObject = {},
): Promise<SleepNote> {
  const note: SleepNote = { ...fields, key: randomUUID(), limitAt: Date.now() + limit };
  context.getContext('node')[NOTE_KEY] = note;
  await context.putExecutionToWait(new Date(note.limitAt + GRACE));
  // n8n hands these to webhook() and passes them on at its own limit, in place of the node's input.
  context.getExecuteData().data = { main: [items] };
  return note;
}

/** The note of the execution that a call is for; undefined where it does not sleep in this node. */
export function findNote(context: IWebhookFunctions): SleepNote | undefined {
  // In JSON text, with braces as escapes, no name can end the string or the expression.
  const name = JSON.stringify(context.getNode().name).replace(/[{}]/g, (brace) =>
    brace === '{' ? '\\u007b' : '\\u007d',
  );
  const note = context.evaluateExpression(`{{ $node[${name}].context.${NOTE_KEY} }}`, 0) as unknown;
  return isNote(note) ? note : undefined;
}

const isNote = (value: unknown): value is SleepNote =>
  typeof value === 'object' && value !== null && typeof (value as Partial<SleepNote>).key === 'string';

/** The items with which the execution fell asleep. */
export const sleepingItems = (context: IWebhookFunctions): INodeExecutionData[] =>
  context.evaluateExpression('{{ $input.all() }}', 0) as unknown as INodeExecutionData[];

/** Wakes the execution, which goes on with these items. `body` answers the caller. */
export const wake = (items: INodeExecutionData[], body: IDataObject): IWebhookResponseData => ({
  webhookResponse: body,
  workflowData: [items],
});

/** Answers the caller; the execution sleeps on. */
export const sleepOn = (body: IDataObject): IWebhookResponseData => ({ webhookResponse: body });

/** Refuses a call with an HTTP status and the reason; the execution sleeps on. */
export function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error });
  return { noWebhookResponse: true };
}

/** n8n runs a node with Retry On Fail between 2 and 5 times. */
const FEWEST_TRIES = 2;
const MOST_TRIES = 5;
const USUAL_TRIES = 3;
const TRIES_KEY = 'messagingGatewayTries';

/**
 * Whether n8n will run the node again after this try, since its first item carries an error: such a run must
 * find its own input, so it can't go to sleep. Counts the tries; call it once in each.
 */
export function willRunAgain(context: IExecuteFunctions, items: INodeExecutionData[]): boolean {
  const { retryOnFail, maxTries }: INode = context.getNode();
  if (retryOnFail !== true || !items[0]?.json.error) return false;
  const memory = context.getContext('node');
  const tries = Number(memory[TRIES_KEY] ?? 0) + 1;
  const most = Math.min(MOST_TRIES, Math.max(FEWEST_TRIES, maxTries || USUAL_TRIES));
  memory[TRIES_KEY] = tries < most ? tries : 0;
  return tries < most;
}
