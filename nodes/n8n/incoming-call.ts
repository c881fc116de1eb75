import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseCallback } from '../gateway/callback/parse';
import { decoderOf } from '../gateway/text/characters';
import { fromForeignJson } from '../gateway/text/json';

/** The body of a call from outside, or why it is refused. */
type RequestBody = { ok: true; body: unknown } | { ok: false; status: number; reason: string };

/** Bytes of a body, far more than any callback has. */
const MOST_BYTES = 1_000_000;

/** Reasons in one line of the log. */
const SHOWN = 5;

/** Parts of an incoming request besides the body that n8n made of it. */
interface IncomingRequest {
  rawBody?: Buffer;
  contentType?: string;

  /** From the content type. */
  encoding?: string;
  readRawBody?(): Promise<void>;
  headers?: Record<string, unknown>;
}

/**
 * Has n8n read the body of a call where its content type says nothing that n8n knows: from version 1.1 of a trigger on, n8n
 * leaves such a body to the node. A body that is declared too long, and the parts of a form, stay as they are.
 * @throws what n8n throws where the caller has hung up
 */
export async function loadBody(context: IWebhookFunctions): Promise<void> {
  const request = context.getRequestObject() as IncomingRequest;
  const { rawBody, headers = {}, contentType = '' } = request;
  const isLeft = rawBody === undefined && !contentType.startsWith('multipart/');
  if (isLeft && Number(headers['content-length'] ?? 0) <= MOST_BYTES) await request.readRawBody?.();
}

/**
 * Reads the body of a call: as JSON where it is JSON, whatever its content type says, with whole numbers beyond 2^53 as
 * text; otherwise as n8n has parsed it. Refuses more than 1 MB before anything looks at it.
 */
export function readRequestBody(context: IWebhookFunctions): RequestBody {
  const { rawBody, headers, encoding } = context.getRequestObject() as IncomingRequest;
  const body: unknown = context.getBodyData();
  // n8n keeps no raw body of a multipart form, and its length may not be declared.
  const declared = () => Math.max(Number(headers?.['content-length'] ?? 0), lengthOf(body));
  if ((rawBody?.length ?? declared()) > MOST_BYTES)
    return { ok: false, status: 413, reason: 'The body is too large' };
  const text = rawBody ? decoderOf(encoding).decode(rawBody) : '';
  return { ok: true, body: (LOOKS_LIKE_JSON.test(text) ? fromForeignJson(text) : undefined) ?? body };
}

const LOOKS_LIKE_JSON = /^\s*[{["]/;

const lengthOf = (body: unknown): number => JSON.stringify(body ?? '').length;

/**
 * Reads a callback, as `parseCallback` does. Logs the entries that were refused while others beside them were taken, which the
 * answer doesn't tell.
 */
export function readCallback(context: IWebhookFunctions, body: unknown, sentType?: string) {
  const parsed = parseCallback(body, sentType);
  if (!parsed.ok || parsed.refused.length === 0) return parsed;
  const { refused } = parsed;
  const shown = refused.slice(0, SHOWN).join('; ');
  const more = refused.length > SHOWN ? `; and ${refused.length - SHOWN} more` : '';
  context.logger.warn(`"${context.getNode().name}": entries of a callback were refused: ${shown}${more}`);
  return parsed;
}

/** Refuses a call with an HTTP status and the reason; a sleeping execution stays asleep. */
export function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error });
  return { noWebhookResponse: true };
}
