import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { isInRange, parseIp, parseIpRange } from '../gateway/network/ip';
import type { TriggerOptions } from './options';

/** Name of the query parameter that carries the secret. */
export const SECRET_PARAMETER = 'secret';

/** Why a call is not allowed in, or undefined where it is. */
export function refusalOf(
  context: IWebhookFunctions,
  { secret, allowedIps }: TriggerOptions,
): string | undefined {
  if (allowedIps !== undefined && !addressAllowed(allowedIps, context.getRequestObject())) {
    return 'Calls from this address are not allowed';
  }
  if (secret !== undefined && !secretMatches(secret, context.getQueryData())) {
    return 'The secret is missing or wrong';
  }
  return undefined;
}

function secretMatches(secret: string, query: unknown): boolean {
  const given = (query as Record<string, unknown> | undefined)?.[SECRET_PARAMETER];
  // An empty secret would let everybody in, so it lets nobody in.
  return typeof given === 'string' && secret !== '' && timingSafeEqual(digest(given), digest(secret));
}

/** Digests have one length, so the comparison says nothing about the length of the secret either. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The list as its entries; spaces around them and empty ones do not count. */
export const entriesOf = (allowedIps: string): string[] =>
  allowedIps
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/**
 * Decides as n8n's own Webhook node does: an empty text allows everybody; otherwise the caller's address, or one of
 * those that trusted proxies name (N8N_PROXY_HOPS), must be listed. An entry that is no address allows nobody, and so
 * does a text without any, such as an expression that came out blank.
 */
export function addressAllowed(allowedIps: string, request: { ip?: string; ips?: string[] }): boolean {
  if (allowedIps === '') return true;
  const ranges = entriesOf(allowedIps).flatMap((entry) => parseIpRange(entry) ?? []);
  return [request.ip, ...(request.ips ?? [])].some((text) => {
    const address = text === undefined ? undefined : parseIp(text);
    return address !== undefined && ranges.some((range) => isInRange(address, range));
  });
}
