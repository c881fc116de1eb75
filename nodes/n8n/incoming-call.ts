import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { decoderOf } from '../gateway/text/characters';
import { fromForeignJson } from '../gateway/text/json';

/** The body of a call from outside, or why it is refused. */
type RequestBody = { ok: true; body: unknown } | { ok: false; status: number; reason: string };

/** Bytes of a body, far more than any callback has. */
const MOST_BYTES = 1_000_000;
const TOO_LARGE = 413;

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
 * leaves such a body to the node. One that is declared too long, and the parts of a form, stay as they are.
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
 * text; otherwise as n8n has parsed it, or as text where n8n could not. Refuses more than 1 MB before anything looks at it.
 */
export function readRequestBody(context: IWebhookFunctions): RequestBody {
  const request = context.getRequestObject() as IncomingRequest;
  const { rawBody, headers } = request;
  // n8n keeps no raw body of a multipart form, and its length may not be declared.
  const declared = () => Math.max(Number(headers?.['content-length'] ?? 0), lengthOf(context.getBodyData()));
  if ((rawBody?.length ?? declared()) > MOST_BYTES) {
    return { ok: false, status: TOO_LARGE, reason: 'The body is too large' };
  }
  const text = rawBody?.length ? decoderOf(request.encoding).decode(rawBody) : undefined;
  const json = text !== undefined && LOOKS_LIKE_JSON.test(text) ? fromForeignJson(text) : undefined;
  if (json !== undefined) return { ok: true, body: json };
  const body: unknown = context.getBodyData();
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  return { ok: true, body: isEmpty && typeof body !== 'string' && text !== undefined ? text : body };
}

const LOOKS_LIKE_JSON = /^\s*[{["]/;

const lengthOf = (body: unknown): number => JSON.stringify(body ?? '').length;

/** Refuses a call with an HTTP status and the reason; a sleeping execution stays asleep. */
export function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error });
  return { noWebhookResponse: true };
}

/** Logs the entries of a callback that were refused while others beside them were taken, which the answer doesn't tell. */
export function warnOfRefused(context: IWebhookFunctions, reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  const shown = reasons.slice(0, SHOWN).join('; ');
  const more = reasons.length > SHOWN ? `; and ${reasons.length - SHOWN} more` : '';
  context.logger.warn(`"${context.getNode().name}": entries of a callback were refused: ${shown}${more}`);
}
