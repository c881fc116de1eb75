import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

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
  // n8n keeps no raw body of a multipart form, and its length may not be declared.
  const declared = () => Math.max(Number(headers?.['content-length'] ?? 0), lengthOf(context.getBodyData()));
  if ((rawBody?.length ?? declared()) > MOST_BYTES) {
    return { ok: false, status: TOO_LARGE, reason: 'The body is too large' };
  }
  const body: unknown = context.getBodyData();
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  const isUnread = isEmpty && typeof body !== 'string' && rawBody?.length;
  return { ok: true, body: isUnread ? rawBody.toString() : body };
}

const lengthOf = (body: unknown): number => JSON.stringify(body ?? '').length;

/** Refuses a call with an HTTP status and the reason; a sleeping execution stays asleep. */
export function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error });
  return { noWebhookResponse: true };
}
