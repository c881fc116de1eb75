import { isFallbackType } from '../delivery/statuses';

/**
 * Where a trigger leaves its production URL: in the static data of its workflow, so that the send nodes of the
 * same workflow can use it as callback address without anybody copying it.
 */
const KEY = 'messagingGatewayCallbackUrl';

/** The same by workflow, as n8n gives no static data to a run that is started in the editor. */
const inThisProcess = new Map<string, string>();

/** Static data of a workflow, which n8n saves, and its id. */
export interface WorkflowMemory {
  staticData: Record<string, unknown>;
  workflowId: string | undefined;
}

export function keepCallbackUrl({ staticData, workflowId }: WorkflowMemory, url: string | undefined): void {
  staticData[KEY] = url;
  if (workflowId !== undefined && url !== undefined) inThisProcess.set(workflowId, url);
}

/** Whether this URL is kept already; a process that was started since then learns it here. */
export function keepsCallbackUrl(memory: WorkflowMemory, url: string | undefined): boolean {
  if (memory.staticData[KEY] !== url) return false;
  keepCallbackUrl(memory, url);
  return true;
}

export function dropCallbackUrl({ staticData, workflowId }: WorkflowMemory): void {
  delete staticData[KEY];
  if (workflowId !== undefined) inThisProcess.delete(workflowId);
}

/** The production URL of the workflow's own trigger, or undefined where none is known. */
export function findCallbackUrl({ staticData, workflowId }: WorkflowMemory): string | undefined {
  const url = staticData[KEY] ?? inThisProcess.get(workflowId ?? '');
  return typeof url === 'string' && url !== '' ? url : undefined;
}

/** Query parameter of a callback address that tells the trigger with which operation type a message was sent. */
export const SENT_TYPE_PARAMETER = 'sent_as';

/**
 * The callback address of a message of this operation type. A callback names the channel that reports only, so where
 * the failure of one channel is followed by another, the address carries the type and the trigger can tell.
 */
export function withSentType(url: string, type: string): string {
  if (!isFallbackType(type)) return url;
  const complete = new URL(url);
  complete.searchParams.set(SENT_TYPE_PARAMETER, type);
  return complete.toString();
}
