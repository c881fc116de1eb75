import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { isInRange, parseIp, parseIpRange } from '../gateway/network/ip';
import type { TriggerOptions } from './options';

/** Name of the query parameter that carries the secret. */
export const SECRET_PARAMETER = 'secret';

/** Returns the reason for refusing a call; undefined where it is allowed. */
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
  // An empty secret would admit everyone, so it admits no one.
  return typeof given === 'string' && secret !== '' && timingSafeEqual(digest(given), digest(secret));
}

/** Digests have the same length, so the comparison doesn't reveal the length of the secret either. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Splits the list into trimmed, non-empty entries. */
export const entriesOf = (allowedIps: string): string[] =>
  allowedIps
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/**
 * Decides as n8n's Webhook node does: an empty string allows everyone; otherwise the list must contain the caller's
 * address or one that trusted proxies report (N8N_PROXY_HOPS). An entry that isn't an address allows no one; neither
 * does a string without entries, such as an expression that evaluates to blanks.
 */
export function addressAllowed(allowedIps: string, request: { ip?: string; ips?: string[] }): boolean {
  if (allowedIps === '') return true;
  const ranges = entriesOf(allowedIps).flatMap((entry) => parseIpRange(entry) ?? []);
  return [request.ip, ...(request.ips ?? [])].some((text) => {
    const address = text === undefined ? undefined : parseIp(text);
    return address !== undefined && ranges.some((range) => isInRange(address, range));
  });
}
