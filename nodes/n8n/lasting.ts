import type { IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

/**
 * Returns n8n's request helper for use after the call of a webhook has been answered.
 *
 * The helper refers to the call's record of n8n's surroundings, and functions in that record refer to the execution that
 * was loaded for the call, which would stay in memory as long as the helper does. n8n needs none of them for a request, nor
 * for a call that leaves its execution asleep: only use this for such a call.
 */
export function lastingRequest(
  context: IWebhookFunctions,
): (options: IHttpRequestOptions) => Promise<unknown> {
  const { httpRequest } = context.helpers;
  const { additionalData } = context as unknown as { additionalData?: Record<string, unknown> };
  for (const [name, value] of Object.entries(additionalData ?? {})) {
    if (typeof value === 'function') delete additionalData?.[name];
  }
  return async (options) => (await httpRequest(options)) as unknown;
}

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
