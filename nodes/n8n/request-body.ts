import type { IWebhookFunctions } from 'n8n-workflow';

/** The body of a call from outside, or why it is refused. */
export type RequestBody = { ok: true; body: unknown } | { ok: false; status: number; reason: string };

const TOO_LARGE = 413;

/**
 * Reads the body of a call as n8n has parsed it; as text where n8n could not read its content type, which callbacks
 * may lack. Refuses more than `mostBytes` before anything looks at it.
 */
export function readRequestBody(context: IWebhookFunctions, mostBytes: number): RequestBody {
  const { rawBody, headers } = context.getRequestObject() as {
    rawBody?: Buffer;
    headers?: Record<string, unknown>;
  };
  const bytes = rawBody?.length ?? Number(headers?.['content-length'] ?? 0);
  if (bytes > mostBytes) {
    return { ok: false, status: TOO_LARGE, reason: `The body is larger than ${mostBytes} bytes` };
  }
  const body: unknown = context.getBodyData();
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  const isUnread = isEmpty && typeof body !== 'string' && rawBody !== undefined && bytes > 0;
  return { ok: true, body: isUnread ? rawBody.toString() : body };
}
