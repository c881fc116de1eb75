import type { WireType } from '../contract/operations';
import { isFallbackType } from '../contract/operations';
import { isObject } from './open-body';

/**
 * The key under which triggers keep their production URLs in the static data of their workflow, by the id of the node,
 * so that the send nodes of the workflow can use them as callback addresses and nobody has to copy them.
 */
const KEY = 'messagingGatewayCallbackUrls';
/** The key of version 0.1.0, which held only the URL of the trigger that was published last. */
const OLD_KEY = 'messagingGatewayCallbackUrl';

/** The production URL of a published trigger, with its secret if it has one, and the name of the node. */
export interface TriggerAddress {
  /** Empty where version 0.1.0 stored the URL. */
  name: string;
  url: string;
}

/** What is known of a trigger; without a URL, it is no longer published. `at` is in milliseconds since 1970. */
interface StoredTrigger {
  name: string;
  url?: string;
  at: number;
}

/**
 * The same by workflow and node in this process: n8n passes no static data to a run that is started in the editor, and
 * an execution that saves the static data it began with may bring an old URL back. The newer entry counts.
 */
const inThisProcess = new Map<string, Map<string, StoredTrigger>>();

/** The static data of a workflow, which n8n saves, and the id of the workflow. */
export interface WorkflowMemory {
  staticData: Record<string, unknown>;
  workflowId: string | undefined;
}

/** The same, for the trigger with this node id. */
export interface TriggerMemory extends WorkflowMemory {
  nodeId: string;
}

/** Keeps the production URL of a trigger. Returns whether it is new; a process that was started later learns it here. */
export function keepCallbackUrl(memory: TriggerMemory, address: TriggerAddress): boolean {
  const kept = entriesIn(memory.staticData).get(memory.nodeId);
  const isNew = kept?.url !== address.url || kept.name !== address.name;
  const entry = isNew ? { ...address, at: Date.now() } : kept;
  if (isNew) write(memory, entry);
  learn(memory, entry);
  return isNew;
}

/**
 * Writes the production URL to static data that lack it, where this process knows nothing newer of the trigger. For
 * calls of the trigger: their static data may have been overwritten by an execution that began with older ones, or
 * their workflow may have been published anew since n8n loaded it. Returns false in the second case, in which the
 * static data must not be saved.
 */
export function restoreCallbackUrl(memory: TriggerMemory, address: TriggerAddress): boolean {
  const known = inThisProcess.get(memory.workflowId ?? '')?.get(memory.nodeId);
  if (known !== undefined && known.url !== address.url) return false;
  const entry = entriesIn(memory.staticData).get(memory.nodeId);
  if (entry?.url !== address.url) write(memory, { ...address, at: Date.now() });
  return true;
}

/** Forgets the production URL of a trigger, and no other. `url` is that URL, with or without its secret. */
export function dropCallbackUrl(memory: TriggerMemory, url: string | undefined): void {
  const { staticData, nodeId } = memory;
  const others = Array.from(entriesIn(staticData)).filter(([id]) => id !== nodeId);
  if (others.length > 0) staticData[KEY] = Object.fromEntries(others);
  else delete staticData[KEY];
  forgetOld(staticData, url);
  learn(memory, { name: '', at: Date.now() });
}

/** The production URLs of the workflow's own triggers that are published, sorted by the name of the node. */
export function findCallbackUrls({ staticData, workflowId }: WorkflowMemory): TriggerAddress[] {
  const entries = entriesIn(staticData);
  for (const [nodeId, entry] of inThisProcess.get(workflowId ?? '') ?? []) {
    if ((entries.get(nodeId)?.at ?? 0) <= entry.at) entries.set(nodeId, entry);
  }
  const { [OLD_KEY]: old } = staticData;
  const known = Array.from(entries.values());
  const addresses = known.flatMap(({ name, url }) => (url === undefined ? [] : [{ name, url }]));
  if (isUrl(old) && !addresses.some(({ url }) => isSamePlace(url, old)))
    addresses.push({ name: '', url: old });
  return addresses.sort((a, b) => a.name.localeCompare(b.name));
}

function write({ staticData, nodeId }: TriggerMemory, entry: StoredTrigger): void {
  // Always a new object: n8n notices changes of the first level only.
  staticData[KEY] = { ...Object.fromEntries(entriesIn(staticData)), [nodeId]: entry };
  forgetOld(staticData, entry.url);
}

function learn({ workflowId, nodeId }: TriggerMemory, entry: StoredTrigger): void {
  if (workflowId === undefined) return;
  const triggers = inThisProcess.get(workflowId) ?? new Map<string, StoredTrigger>();
  inThisProcess.set(workflowId, triggers.set(nodeId, entry));
}

/** Removes what version 0.1.0 stored for this trigger; it may also be the URL of another one. */
function forgetOld(staticData: Record<string, unknown>, url: string | undefined): void {
  const { [OLD_KEY]: old } = staticData;
  if (url !== undefined && typeof old === 'string' && isSamePlace(url, old)) delete staticData[OLD_KEY];
}

function entriesIn(staticData: Record<string, unknown>): Map<string, StoredTrigger> {
  const { [KEY]: saved } = staticData;
  const entries = isObject(saved) ? Object.entries(saved) : [];
  return new Map(entries.filter((pair): pair is [string, StoredTrigger] => isStoredTrigger(pair[1])));
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isStoredTrigger = (value: unknown): value is StoredTrigger =>
  isObject(value) && isUrl(value.url) && typeof value.name === 'string' && typeof value.at === 'number';

/** Whether two URLs differ only in their query, which holds the secret. */
const isSamePlace = (a: string, b: string): boolean => a.split('?', 1)[0] === b.split('?', 1)[0];

/** The query parameter of a callback address that holds the operation type of the send. */
export const SENT_TYPE_PARAMETER = 'sent_as';

/**
 * The callback address for a send of this operation type. A callback names only the channel that reports. Where the
 * failure of one channel is followed by a try on another, the address therefore carries the operation type, and the
 * trigger can tell whether the failure is final.
 */
export function withSentType(url: string, type: WireType): string {
  if (!isFallbackType(type)) return url;
  const complete = new URL(url);
  complete.searchParams.set(SENT_TYPE_PARAMETER, type);
  return complete.toString();
}

/** Name of the query parameter that carries the secret of a trigger. */
export const SECRET_PARAMETER = 'secret';

/** The text with asterisks in place of the secrets of the callback addresses in it. */
export const withoutSecret = (text: string): string => text.replace(/([?&]secret=)[^&#\s"]*/gi, '$1***');
