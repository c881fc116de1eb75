import type { IExecuteFunctions, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

/** n8n's request helper, in a form that may outlive the call or the run that it comes from. */
export type LastingRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/**
 * Returns n8n's request helper for use after the call of a webhook has been answered.
 *
 * The helper refers to the call's record of n8n's surroundings, and functions in that record refer to the execution that
 * was loaded for the call, which would stay in memory as long as the helper does. n8n needs none of them for a request, nor
 * for a call that leaves its execution asleep: only use this for such a call.
 */
export function lastingRequest(context: IWebhookFunctions): LastingRequest {
  const { httpRequest } = context.helpers;
  const { additionalData } = context as unknown as { additionalData?: Record<string, unknown> };
  for (const [name, value] of Object.entries(additionalData ?? {})) {
    if (typeof value === 'function') delete additionalData?.[name];
  }
  return async (options) => (await httpRequest(options)) as unknown;
}

/** The class of a running node's context, with what n8n from 1.123 on makes one of. */
type ContextClass = new (...parts: unknown[]) => { helpers?: { httpRequest?: LastingRequest } };

/** What n8n makes the context of a running node of, as far as requests need it. */
interface ContextParts {
  constructor: ContextClass;
  workflow?: unknown;
  node?: unknown;
  additionalData?: Record<string, unknown>;
  mode?: unknown;
}

/**
 * Returns n8n's request helper for use after a node has run: that of a context of the same node without any data. The
 * helpers of the running node refer to all data of its execution, which would stay in memory as long as they do.
 * Undefined where n8n makes contexts in another way.
 */
export function requestWithoutData(context: IExecuteFunctions): LastingRequest | undefined {
  const { constructor: Context, workflow, node, additionalData, mode } = context as unknown as ContextParts;
  if (workflow === undefined || node === undefined || additionalData === undefined) return undefined;
  const noItems = { main: [] };
  const noRun = { resultData: { runData: {} } };
  const noStep = { node, data: noItems, source: null };
  try {
    const { helpers } = new Context(
      workflow,
      node,
      withoutExecution(additionalData),
      mode,
      noRun,
      0,
      [],
      noItems,
      noStep,
      [],
    );
    return typeof helpers?.httpRequest === 'function' ? helpers.httpRequest : undefined;
  } catch {
    // The caller has another way.
    return undefined;
  }
}

/** Returns n8n's record of the surroundings without what refers to the execution: its functions, and its hooks. */
const withoutExecution = (additionalData: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(additionalData).filter(([name, value]) => typeof value !== 'function' && name !== 'hooks'),
  );

/**
 * Returns the address at which this very process was called: that of the socket, with the path as n8n sees it. It needs no
 * way through the proxies in front of n8n, and leads to no other process. Undefined where the socket doesn't tell.
 */
export function ownAddress(context: IWebhookFunctions): string | undefined {
  const { socket, originalUrl } = context.getRequestObject() as unknown as {
    socket?: { localAddress?: string; localPort?: number; encrypted?: boolean };
    originalUrl?: string;
  };
  const { localAddress, localPort, encrypted } = socket ?? {};
  if (!localAddress || !localPort || !originalUrl?.startsWith('/')) return undefined;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${encrypted ? 'https' : 'http'}://${host}:${localPort}${originalUrl}`;
}
