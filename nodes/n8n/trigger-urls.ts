import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { SECRET_PARAMETER } from '../gateway/callback/address';
import { isObject } from '../gateway/text/json';
import { webhookNodes } from './undocumented';

/** The production URL of a published trigger, with its secret if it has one, and the name of the node. */
export interface TriggerUrl {
  name: string;
  url: string;

  /** Set where the trigger has a secret that this process can't find out, so that `url` lacks it. */
  lacksSecret?: true;
}

/** The address of a trigger that lacks its secret, and whether there is one. */
interface ReadableUrl {
  name: string;
  url: string;
  hasSecret?: true;
}

/**
 * What static data keep of it: everybody who may see or export the workflow reads these, so the secret isn't among it. It is
 * read from the trigger's own parameter when it is needed.
 */
interface SavedUrl extends ReadableUrl {
  /**
   * The n8n that the address leads to. A workflow takes its static data along to another one, where nobody else would take
   * back the address of a trigger that has been removed before it was published there.
   */
  instanceId: string;
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

/** What triggers of this n8n left in the static data, by the id of their node. */
function savedIn(context: Context): Record<string, SavedUrl> {
  const { [KEY]: saved } = context.getWorkflowStaticData('global');
  if (!isObject(saved)) return {};
  const ofThisN8n = Object.entries(saved).filter(
    ([, url]) => isObject(url) && url.instanceId === context.getInstanceId(),
  );
  return Object.fromEntries(ofThisN8n) as unknown as Record<string, SavedUrl>;
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
  const known = inThisProcess.get(idOf(context)) ?? {};
  const kept = savedIn(context);
  const saved: Record<string, ReadableUrl> =
    Object.keys(kept).length > 0 ? kept : ofPublishedWorkflow(context);
  const others = Object.entries(saved).filter(([id]) => !Object.hasOwn(known, id));
  return [...Object.values(known), ...others.map(([, saved]) => withSecret(context, saved))]
    .filter((trigger) => trigger !== null)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The modes in which n8n runs the published workflow, whose triggers are published with it. Other runs may have a draft. */
const PUBLISHED = ['webhook', 'trigger'];

/** The triggers of the published workflow, for an execution that n8n gave no static data. */
function ofPublishedWorkflow(context: IExecuteFunctions): Record<string, ReadableUrl> {
  if (!PUBLISHED.includes(context.getMode())) return {};
  const type = context.getNode().type.replace(/\.\w+$/, '.messagingGatewayTrigger');
  return Object.fromEntries(
    webhookNodes(context, type, 'callback').map(({ id, name, url, parameters }) => {
      const hasSecret = isObject(parameters.options) && Boolean(parameters.options.secret);
      return [id, { name, url, ...(hasSecret && { hasSecret }) }];
    }),
  );
}

function withSecret(context: IExecuteFunctions, { name, url, hasSecret }: ReadableUrl): TriggerUrl {
  if (!hasSecret) return { name, url };
  const secret = secretOf(context, name);
  if (secret === undefined) return { name, url, lacksSecret: true };
  const complete = new URL(url);
  complete.searchParams.set(SECRET_PARAMETER, secret);
  return { name, url: complete.toString() };
}

/** Returns the secret in the parameters of a trigger, as n8n's `$('…').params` has them; undefined where there is none. */
function secretOf(context: IExecuteFunctions, name: string): string | undefined {
  try {
    const find = context.getWorkflowDataProxy(0).$ as (node: string) => { params?: { options?: unknown } };
    const options = find(name).params?.options;
    const raw = isObject(options) ? options.secret : undefined;
    const isExpression = typeof raw === 'string' && raw.startsWith('=');
    const secret = isExpression ? context.evaluateExpression(raw.slice(1), 0) : raw;
    return typeof secret === 'string' && secret !== '' ? secret : undefined;
  } catch (thrown) {
    // The node was renamed since, or its expression can't be evaluated here: whoever asks says that the secret is missing.
    context.logger.warn(`The secret of the trigger "${name}" can't be read: ${(thrown as Error).message}`);
    return undefined;
  }
}

/** Writes the URL of a trigger, without its secret, where it isn't there already. Returns whether it was not. */
function save(context: Context, trigger: TriggerUrl | null): boolean {
  const { id } = context.getNode();
  const { [id]: saved, ...others } = savedIn(context);
  const next = trigger && { ...withoutSecret(trigger), instanceId: context.getInstanceId() };
  const isSame =
    saved?.url === next?.url && saved?.name === next?.name && saved?.hasSecret === next?.hasSecret;
  if (isSame) return false;
  // Always a new object: n8n notices changes of the first level only.
  context.getWorkflowStaticData('global')[KEY] = next ? { ...others, [id]: next } : others;
  return true;
}

function withoutSecret({ name, url }: TriggerUrl): ReadableUrl {
  const bare = new URL(url);
  if (!bare.searchParams.has(SECRET_PARAMETER)) return { name, url };
  bare.searchParams.delete(SECRET_PARAMETER);
  return { name, url: bare.toString(), hasSecret: true };
}
