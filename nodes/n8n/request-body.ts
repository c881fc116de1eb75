import type { IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../gateway/callback/open-body';

/** The body of a call from outside, or why it is refused. */
export type RequestBody = { ok: true; body: unknown } | { ok: false; status: number; reason: string };

/** Bytes of a body, far more than any callback has. */
const MOST_BYTES = 1_000_000;
const TOO_LARGE = 413;

/**
 * Reads the body of a call as n8n has parsed it; as text where n8n could not read its content type, which callbacks
 * may lack. Refuses more than 1 MB before anything looks at it.
 */
export function readRequestBody(context: IWebhookFunctions): RequestBody {
  const { rawBody, headers } = context.getRequestObject() as {
    rawBody?: Buffer;
    headers?: Record<string, unknown>;
  };
  const declared = Number(headers?.['content-length'] ?? 0);
  const bytes = rawBody?.length ?? Math.max(declared, sizeOfFields(context.getBodyData()));
  if (bytes > MOST_BYTES) {
    return { ok: false, status: TOO_LARGE, reason: 'The body is too large' };
  }
  const body: unknown = context.getBodyData();
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  const isUnread = isEmpty && typeof body !== 'string' && rawBody?.length;
  return { ok: true, body: isUnread ? rawBody.toString() : body };
}

/** Characters of form fields: n8n keeps no raw body of a multipart form, and its length may not be declared. */
function sizeOfFields(body: unknown): number {
  const fields = isObject(body) && isObject(body.data) ? body.data : {};
  let size = 0;
  for (const [name, value] of Object.entries(fields)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const entry of values) size += name.length + (typeof entry === 'string' ? entry.length : 0);
  }
  return size;
}
