import type { WireType } from '../contract/operations';
import { isFallbackType } from '../contract/operations';

/**
 * The key under which a trigger keeps its production URL in the static data of its workflow, so that the send nodes
 * of the workflow can use it as callback address and nobody has to copy it.
 */
const KEY = 'messagingGatewayCallbackUrl';

/** The same URLs by workflow: n8n passes no static data to a run that is started in the editor. */
const inThisProcess = new Map<string, string>();

/** The static data of a workflow, which n8n saves, and the id of the workflow. */
export interface WorkflowMemory {
  staticData: Record<string, unknown>;
  workflowId: string | undefined;
}

/** Keeps the production URL of a workflow's trigger. */
export function keepCallbackUrl({ staticData, workflowId }: WorkflowMemory, url: string | undefined): void {
  staticData[KEY] = url;
  if (workflowId !== undefined && url !== undefined) inThisProcess.set(workflowId, url);
}

/** Whether this URL is already kept; if so, a process that was started later learns it here. */
export function keepsCallbackUrl(memory: WorkflowMemory, url: string | undefined): boolean {
  if (memory.staticData[KEY] !== url) return false;
  keepCallbackUrl(memory, url);
  return true;
}

/** Forgets the production URL of a workflow's trigger. */
export function dropCallbackUrl({ staticData, workflowId }: WorkflowMemory): void {
  delete staticData[KEY];
  if (workflowId !== undefined) inThisProcess.delete(workflowId);
}

/** The production URL of the workflow's own trigger; undefined where none is known. */
export function findCallbackUrl({ staticData, workflowId }: WorkflowMemory): string | undefined {
  const url = staticData[KEY] ?? inThisProcess.get(workflowId ?? '');
  return typeof url === 'string' && url !== '' ? url : undefined;
}

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
