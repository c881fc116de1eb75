import { randomUUID } from 'crypto';
import type {
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  IPairedItemData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';

import { savedItems, sleepAlone } from '../../n8n/undocumented';

/** A sleeping execution's record of its sleep, kept in n8n's database; an operation may add fields. */
export interface SleepNote extends IDataObject {
  /** Identifies this sleep; a node in a loop sleeps several times in one execution. */
  key: string;
  /** Latest end of the sleep, in milliseconds since 1970. */
  limitAt: number;
}

/**
 * Milliseconds after the limit until n8n itself resumes the execution, if our own call at the limit didn't come: after
 * a restart of the process, or where n8n can't reach its own address.
 */
const GRACE = 60_000;

const NOTE_KEY = 'messagingGatewaySleep';

/**
 * Puts the execution to sleep until `wake` or for `limit` milliseconds. The items are its data meanwhile:
 * `sleepingItems` returns them, and the node outputs them unchanged if the limit comes first. Returns the note, which
 * includes `fields`; these must be JSON.
 */
export async function fallAsleep(
  context: IExecuteFunctions,
  items: INodeExecutionData[],
  limit: number,
  fields: IDataObject = {},
): Promise<SleepNote> {
  const limitAt = Date.now() + limit;
  return await sleepUntil(context, limitAt + GRACE, items, { ...fields, limitAt });
}

/** Does the same where n8n itself resumes the execution, at `resumeAt` in milliseconds since 1970. */
export async function sleepUntil(
  context: IExecuteFunctions,
  resumeAt: number,
  items: INodeExecutionData[],
  fields: IDataObject & Pick<SleepNote, 'limitAt'>,
): Promise<SleepNote> {
  const note: SleepNote = { ...fields, key: randomUUID() };
  context.getContext('node')[NOTE_KEY] = note;
  await context.putExecutionToWait(new Date(resumeAt));
  sleepAlone(context, items);
  return note;
}

/**
 * Returns items of the node as they sleep: a pairing is a number instead of an object, which n8n takes as well and which
 * is less for it to save and to load.
 */
export const packItems = (items: INodeExecutionData[]): INodeExecutionData[] =>
  items.map(({ json, pairedItem }) => ({ json, pairedItem: (pairedItem as IPairedItemData).item }));

/** Returns the items with which the called execution fell asleep, as the node outputs them. */
export const sleepingItems = (context: IWebhookFunctions): INodeExecutionData[] =>
  savedItems(context).map((item) =>
    typeof item.pairedItem === 'number' ? { ...item, pairedItem: { item: item.pairedItem } } : item,
  );

/** Returns the note of the called execution; undefined if it doesn't sleep in this node. */
export function findNote(context: IWebhookFunctions): SleepNote | undefined {
  // As JSON with escaped braces, no name can end the string or the expression.
  const name = JSON.stringify(context.getNode().name).replace(/[{}]/g, (brace) =>
    brace === '{' ? '\\u007b' : '\\u007d',
  );
  const note = context.evaluateExpression(`{{ $node[${name}].context.${NOTE_KEY} }}`, 0) as unknown;
  return isNote(note) ? note : undefined;
}

const isNote = (value: unknown): value is SleepNote =>
  typeof value === 'object' && value !== null && typeof (value as Partial<SleepNote>).key === 'string';

/** Wakes the execution, which continues with these items; answers the caller with `body`. */
export const wake = (items: INodeExecutionData[], body: IDataObject): IWebhookResponseData => ({
  webhookResponse: body,
  workflowData: [items],
});

/** Answers the caller; the execution stays asleep. */
export const sleepOn = (body: IDataObject): IWebhookResponseData => ({ webhookResponse: body });

/** Refuses a call with an HTTP status and the reason; the execution stays asleep. */
export function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error });
  return { noWebhookResponse: true };
}

/** n8n runs a node with Retry On Fail 2 to 5 times. */
const FEWEST_TRIES = 2;
const MOST_TRIES = 5;
const USUAL_TRIES = 3;
const TRIES_KEY = 'messagingGatewayTries';

/**
 * Whether n8n will run the node again after this try because its first item carries an error. The node must not go to
 * sleep then, since that replaces its input. Counts the tries: call it once per try.
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
