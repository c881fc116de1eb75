import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../gateway/contract/json';

/** The production URL of a published trigger, with its secret if it has one, and the name of the node. */
export interface TriggerUrl {
  name: string;
  url: string;
}

/** The key under which triggers keep their URLs in the static data of their workflow, by the id of the node. */
const KEY = 'messagingGatewayCallbackUrls';

/**
 * What this process knows of the triggers that it published, or has unpublished (`null`), by workflow and node. It counts
 * more than static data: n8n passes none to a run that is started in the editor, and an execution that saves the static data it
 * began with may bring an old URL back.
 */
const inThisProcess = new Map<string, Record<string, TriggerUrl | null>>();

type Context = IHookFunctions | IWebhookFunctions | IExecuteFunctions;

const idOf = (context: Context): string => String(context.getWorkflow().id);

function savedIn(context: Context): Record<string, TriggerUrl> {
  const { [KEY]: saved } = context.getWorkflowStaticData('global');
  return isObject(saved) ? (saved as Record<string, TriggerUrl>) : {};
}

/**
 * The gateway keeps no list of callback addresses, so there is nothing to register with it. A trigger that is published keeps
 * its URL for the send nodes of its workflow, so that nobody has to copy it; without `url`, it is forgotten, and no other.
 * Returns whether something has changed; a process that was started later learns it here.
 */
export function keepUrl(context: IHookFunctions, url: string | undefined): boolean {
  const { id, name } = context.getNode();
  const trigger = url === undefined ? null : { name, url };
  inThisProcess.set(idOf(context), { ...inThisProcess.get(idOf(context)), [id]: trigger });
  return save(context, trigger);
}

/**
 * Writes the URL of the called trigger to static data that lack it: an execution that began with older ones may have
 * overwritten them. Returns false where the call belongs to a workflow that has been published anew or unpublished since n8n
 * loaded it, so that its static data must not be saved.
 */
export function restoreUrl(context: IWebhookFunctions, url: string): boolean {
  const { id, name } = context.getNode();
  const known = inThisProcess.get(idOf(context))?.[id];
  if (known !== undefined && known?.url !== url) return false;
  save(context, { name, url });
  return true;
}

/** Returns the URLs of the workflow's triggers that are published, by the name of the node. */
export function findUrls(context: IExecuteFunctions): TriggerUrl[] {
  const triggers = Object.values({ ...savedIn(context), ...inThisProcess.get(idOf(context)) });
  return triggers.filter((trigger) => trigger !== null).sort((a, b) => a.name.localeCompare(b.name));
}

/** Writes the URL of a trigger where it isn't there already. Returns whether it was not. */
function save(context: Context, trigger: TriggerUrl | null): boolean {
  const { id } = context.getNode();
  const { [id]: saved, ...others } = savedIn(context);
  if (saved?.url === trigger?.url && saved?.name === trigger?.name) return false;
  // Always a new object: n8n notices changes of the first level only.
  context.getWorkflowStaticData('global')[KEY] = trigger ? { ...others, [id]: trigger } : others;
  return true;
}
