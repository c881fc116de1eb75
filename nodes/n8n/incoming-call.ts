import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseCallback } from '../gateway/callback/parse';
import { RefusedCall } from '../gateway/callback/refused-call';
import type { CallbackBody } from '../gateway/contract/callback';
import { decoderOf } from '../gateway/text/characters';
import { LARGEST_BODY } from '../gateway/text/gate';
import { fromForeignJson, isObject } from '../gateway/text/json';

/**
 * Answers a call from outside as `handle` says, or with the HTTP status and the reason of the `RefusedCall` that `handle` throws. Any
 * other error goes to the log, and the answer is 503, so that the gateway calls again. Never throws: for a thrown error, n8n would
 * start an execution that fails, whoever calls, or wake a sleeping execution with an empty item.
 */
export async function answerCall(
  context: IWebhookFunctions,
  handle: (context: IWebhookFunctions) => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
  try {
    return await handle(context);
  } catch (thrown) {
    if (thrown instanceof RefusedCall) return refuse(context, thrown);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    context.logger.error(`"${context.getNode().name}": a call could not be handled: ${why}`);
    return refuse(context, new RefusedCall(503, 'The call could not be handled now'));
  }
}

function refuse(context: IWebhookFunctions, { status, message }: RefusedCall): IWebhookResponseData {
  context.getResponseObject().status(status).json({ error: message });
  return { noWebhookResponse: true };
}

/** The parts of a call that n8n's context has no function for. */
interface IncomingRequest {
  rawBody?: Buffer;
  contentType?: string;

  /** The encoding that the content type names. */
  encoding?: string;
  readRawBody?(): Promise<void>;
  headers?: Record<string, unknown>;
}

/**
 * Reads the body of a call: as JSON where the body begins like JSON, whatever its content type says, with whole numbers beyond
 * 2^53 as text, and undefined for broken JSON; the fields of a form in either encoding; otherwise as n8n has parsed the body.
 * @throws RefusedCall for more than 1 MB, before anything looks at the body; what n8n throws where the caller has hung up
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
  const request = context.getRequestObject() as IncomingRequest;
  refuseLarger(Number(request.headers?.['content-length'] ?? 0));
  // From version 1.1 of a trigger on, n8n leaves a body of an unknown content type to the node.
  const isForm = request.contentType?.startsWith('multipart/') === true;
  if (request.rawBody === undefined && !isForm) await request.readRawBody?.();
  const { rawBody, encoding } = request;
  const body: unknown = context.getBodyData();
  // Of a multipart form, n8n keeps no raw body.
  refuseLarger(rawBody?.length ?? JSON.stringify(body ?? '').length);
  // Of a multipart form, n8n has the fields in `data`, beside the files.
  if (isForm) return isObject(body) ? body.data : undefined;
  const text = rawBody ? decoderOf(encoding).decode(rawBody) : '';
  return LOOKS_LIKE_JSON.test(text) ? fromForeignJson(text) : body;
}

function refuseLarger(bytes: number): void {
  if (bytes > LARGEST_BODY) throw new RefusedCall(413, 'The body is too large');
}

const LOOKS_LIKE_JSON = /^\s*[{["]/;

/**
 * Returns the callbacks in a body, as `parseCallback` reads them. Logs why other entries were refused, which the answer doesn't say.
 * @throws RefusedCall for a body without any callback, or with too many
 */
export function readCallbacks(context: IWebhookFunctions, body: unknown): CallbackBody[] {
  const { callbacks, refused } = parseCallback(body);
  if (refused.length > 0) {
    const entries = `${refused.length} of ${refused.length + callbacks.length} entries of a callback`;
    context.logger.warn(`"${context.getNode().name}": ${entries} were refused. The first: ${refused[0]}`);
  }
  return callbacks;
}
