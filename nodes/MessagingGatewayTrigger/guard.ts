import { createHash, timingSafeEqual } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { SECRET_PARAMETER } from '../gateway/callback/callback-url';
import { isObject } from '../gateway/callback/open-body';
import type { IpRange } from '../gateway/network/ip';
import { isInRange, parseIp } from '../gateway/network/ip';
import type { TriggerSettings } from './options';

/** Bytes of a body, far more than any callback has. */
export const MAX_BODY = 1_000_000;

/** The part of a request that the guard looks at. */
interface Call {
  ip?: string;
  ips?: string[];
  rawBody?: Buffer;
  headers?: Record<string, unknown>;
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

/** Whether the body of a call is larger than `MAX_BODY`, which is decided without parsing it. */
export function isTooLarge(context: IWebhookFunctions): boolean {
  const { rawBody, headers } = context.getRequestObject() as Call;
  if (rawBody !== undefined) return rawBody.length > MAX_BODY;
  const declared = Number(headers?.['content-length'] ?? 0);
  return declared > MAX_BODY || fieldsExceed(context.getBodyData(), MAX_BODY);
}

/** Whether form fields exceed a size: n8n keeps no raw body of a multipart form, and its length may not be declared. */
function fieldsExceed(body: unknown, limit: number): boolean {
  const fields = isObject(body) && isObject(body.data) ? body.data : {};
  let size = 0;
  for (const [name, value] of Object.entries(fields)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const entry of values) size += name.length + (typeof entry === 'string' ? entry.length : 0);
    if (size > limit) return true;
  }
  return false;
}
