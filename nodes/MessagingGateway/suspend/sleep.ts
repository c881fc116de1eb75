import { randomUUID } from 'crypto';
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  IWebhookDescription,
  IWebhookFunctions,
} from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import { requireSignature } from '../../n8n/engine';
import { savedExecution, sleepAlone } from '../../n8n/undocumented';

const webhook = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
  name: 'default',
  httpMethod,
  responseMode: 'onReceived',
  // Empty, so that n8n answers with the result of webhook().
  responseData: '',
  path: '={{ $nodeId }}',
  restartWebhook: true,
  isFullPath: true,
});

/**
 * The webhooks of a sleeping execution, at n8n's resume address followed by the id of the node, so that several nodes
 * of a workflow can sleep one after the other. GET serves pages to people, POST takes callbacks and decisions.
 */
export const waitingWebhooks: IWebhookDescription[] = [webhook('GET'), webhook('POST')];

/** Returns the address of this execution's webhooks, with a token that n8n checks. */
export function resumeAddress(context: IExecuteFunctions | IWebhookFunctions): string {
  const url = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
  return `${url}/${encodeURIComponent(context.getNode().id)}`;
}

/**
 * Returns the address of this execution's webhooks for the operation `sendAndWait`, signed by n8n. The signature alone must
 * open nothing: a parameter that tells callers apart has to be a secret.
 */
export function signedAddress(context: IExecuteFunctions, parameters: Record<string, string>): string {
  requireSignature(context);
  return context.getSignedResumeUrl(parameters);
}

/** A sleeping execution's record of its sleep, kept in n8n's database; an operation may add fields. */
export interface SleepNote extends IDataObject {
  /** Identifies this sleep: random, since a node in a loop sleeps several times in one execution, and ids of executions come again. */
  key: string;

  /** Latest end of the sleep, in milliseconds since 1970. */
  limitAt: number;
}

/** Where the memory of the node has the note of a sleep, and the key of the sleep that is to begin. */
const NOTE_KEY = 'messagingGatewaySleep';
const NEXT_KEY = 'messagingGatewayNextSleep';

/**
 * Returns the key of the sleep that this run of the node is to begin, for what leaves before: the same in each try of the run until
 * then. A Retry gets a key of its own, though n8n copies the memory of the node; so does an execution whose id was given before, which
 * happens where n8n's database is restored from an older copy.
 */
export function keyOfNextSleep(context: IExecuteFunctions, runIndex: number): string {
  const memory = context.getContext('node');
  const owner = `${context.getExecutionId()} ${runIndex}`;
  const known = memory[NEXT_KEY] as { owner: string; key: string } | undefined;
  if (known?.owner === owner) return known.key;
  const key = randomUUID();
  memory[NEXT_KEY] = { owner, key };
  return key;
}

/**
 * Puts the execution to sleep until its webhook returns items, or until n8n itself resumes it, at `resumeAt` in milliseconds
 * since 1970. The items are the execution's data meanwhile: `savedItems` (undocumented.ts) returns them, and the node outputs them
 * unchanged if n8n comes first. Returns the note, which includes `fields`; these must be JSON, with the key of `keyOfNextSleep` where
 * something left under it.
 */
export async function sleepUntil(
  context: IExecuteFunctions,
  resumeAt: number,
  items: INodeExecutionData[],
  fields: IDataObject & Pick<SleepNote, 'limitAt'> & Partial<Pick<SleepNote, 'key'>>,
): Promise<SleepNote> {
  const note: SleepNote = { key: randomUUID(), ...fields };
  const memory = context.getContext('node');
  memory[NOTE_KEY] = note;
  // The next run takes another key, even where n8n gives it the index of this run.
  delete memory[NEXT_KEY];
  await context.putExecutionToWait(new Date(resumeAt));
  sleepAlone(context, items);
  return note;
}

/** Milliseconds after which an execution that n8n was to wake, and didn't, may be woken again. */
const WAKING_MS = 10_000;

/** When this process woke executions, by the keys of their sleeps, in milliseconds since 1970. */
const wokenAt = new Map<string, number>();

/**
 * Whether the caller may end the sleep with this key: true for the first of several that come at once. Between processes, n8n's
 * database decides.
 */
export function claimWaking(key: string): boolean {
  const now = Date.now();
  for (const [old, at] of wokenAt) if (now - at >= WAKING_MS) wokenAt.delete(old);
  if (wokenAt.has(key)) return false;
  wokenAt.set(key, now);
  return true;
}

/** Returns the note of the called execution; undefined where the execution doesn't sleep in this node. */
export function findNote(context: IWebhookFunctions): SleepNote | undefined {
  // The name of the node goes into an expression as JSON with escaped braces, so that no name ends the text or the expression.
  const quotedName = JSON.stringify(context.getNode().name);
  const name = quotedName.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
  const note = context.evaluateExpression(`{{ $node[${name}].context.${NOTE_KEY} }}`, 0) as unknown;
  return isObject(note) && typeof note.key === 'string' ? (note as SleepNote) : undefined;
}

/** Whether an execution still sleeps the sleep with this key, by n8n's database; true where the database doesn't tell. */
export async function sleepsOn(
  context: IExecuteFunctions | IWebhookFunctions,
  executionId: string,
  key: string,
): Promise<boolean> {
  try {
    const execution = await savedExecution(context, executionId);
    if (!execution?.waitTill || execution.resultData.error) return false;
    const memories = Object.values(execution.executionData?.contextData ?? {});
    return memories.some(({ [NOTE_KEY]: note }) => (note as SleepNote | undefined)?.key === key);
  } catch {
    return true;
  }
}
