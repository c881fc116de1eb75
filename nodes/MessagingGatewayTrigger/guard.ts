import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { SECRET_PARAMETER } from '../gateway/callback/callback-url';
import type { IpRange } from '../gateway/network/ip';
import { isInRange, parseIp } from '../gateway/network/ip';
import type { TriggerSettings } from './options';

/** The part of a request that the guard looks at. */
interface Call {
  ip?: string;
  ips?: string[];
}

/** Returns the reason for refusing a call; undefined where it is allowed. */
export function refusalOf(
  context: IWebhookFunctions,
  { secret, allowedRanges }: Pick<TriggerSettings, 'secret' | 'allowedRanges'>,
): string | undefined {
  if (allowedRanges !== undefined && !addressAllowed(allowedRanges, context.getRequestObject())) {
    return 'Calls from this address are not allowed';
  }
  if (secret !== undefined && !secretMatches(secret, context.getQueryData())) {
    return 'The secret is missing or wrong';
  }
  return undefined;
}

function secretMatches(secret: string, query: unknown): boolean {
  const given = (query as Record<string, unknown> | undefined)?.[SECRET_PARAMETER];
  return typeof given === 'string' && secret !== '' && timingSafeEqual(digest(given), digest(secret));
}

/** Digests have the same length, so the comparison doesn't reveal the length of the secret either. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Decides as n8n's Webhook node does: the ranges must contain the caller's address or one that trusted proxies report
 * (N8N_PROXY_HOPS).
 */
export const addressAllowed = (ranges: IpRange[], { ip, ips = [] }: Call): boolean =>
  [ip, ...ips].some((text) => {
    const address = text === undefined ? undefined : parseIp(text);
    return address !== undefined && ranges.some((range) => isInRange(address, range));
  });
