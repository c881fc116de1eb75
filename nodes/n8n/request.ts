import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { NoAnswer } from '../gateway/client/transport';
import type { ConnectorRequest, HttpReply } from '../gateway/connector/client';
import { classifyTransportError, mayHaveArrived, retryAfterSeconds } from '../gateway/errors/classify';
import type { Problem } from '../gateway/errors/problem';
import { decoderOf } from '../gateway/text/characters';

/** A request helper of n8n, which adds the API key and follows no redirect (authenticate.ts). */
export interface Http {
  /**
   * Makes the request, which the signal in its options ends; resolves to the full response, with the body as a stream.
   * Rejects with whatever n8n throws.
   */
  request(options: IHttpRequestOptions): Promise<unknown>;

  /** Masks the API key in a text of a server, which may repeat the request and the key in it. */
  redact(text: string): string;

  /** Aborts when the execution is stopped. */
  cancelled?: AbortSignal;
}

interface HttpRequest extends Pick<ConnectorRequest, 'method' | 'headers'> {
  url: string;

  /** Sent as JSON. */
  body?: object;

  /** Characters that an answer may have; a longer one counts as no answer. */
  maxCharacters: number;

  /** Milliseconds for the whole exchange, from the request to the end of the answer. */
  timeoutMs: number;
}

/**
 * Makes one HTTP request. Returns its answer, with any status and without the API key, or why there is none. Never throws,
 * follows no redirect, and ends at once when the execution is stopped.
 */
export async function sendRequest(
  http: Http,
  { timeoutMs, maxCharacters, body, ...rest }: HttpRequest,
): Promise<HttpReply | NoAnswer> {
  const { cancelled, redact } = http;
  if (cancelled?.aborted) return failureOf({ kind: 'cancelled' });
  const ending = new AbortController();
  const { signal } = ending;
  for (const cause of [AbortSignal.timeout(Math.ceil(timeoutMs)), cancelled]) {
    cause?.addEventListener('abort', () => ending.abort(cause.reason), { signal });
  }
  let hasBegun = false;
  const exchange = async (): Promise<HttpReply | NoAnswer> => {
    const answer = (await http.request({
      ...rest,
      ...(body && { body: body as IDataObject }),
      // Otherwise n8n would read an answer of any length into memory.
      encoding: 'stream',
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      // n8n's own time limit counts the silence before an answer only; the signal counts the whole exchange.
      timeout: timeoutMs,
      abortSignal: signal,
    })) as IN8nHttpFullResponse;
    hasBegun = true;
    const { statusCode: status, headers } = answer;
    const contentType = redact(String(headers['content-type'] ?? ''));
    const text = await readText(answer.body as AsyncIterable<Buffer>, contentType, maxCharacters, signal);
    if (text === undefined) return failureOf({ kind: 'notGateway', contentType, status, isTooLong: true });
    return {
      kind: 'answer',
      status,
      contentType,
      // Not redacted: the id of the session goes back to its server and nowhere else.
      sessionId: headers['mcp-session-id'] as string | undefined,
      retryAfter: retryAfterSeconds(headers['retry-after'], Date.now()),
      body: redact(text),
    };
  };
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([exchange(), ended]);
  } catch (error) {
    const problem = whyFailed(error, signal);
    if (!hasBegun || mayHaveArrived(problem)) return failureOf(problem);
    const { code } = problem as { code?: string };
    // The request arrived, since an answer had begun, whatever the error says.
    return failureOf({ kind: 'connectionLost', code });
  } finally {
    // Ends the connection too, on which the rest of an answer may still come.
    ending.abort();
  }
}

/**
 * Returns the text of an answer, in the encoding that its content type names, without a byte order mark; undefined where it
 * has more characters than `max`. Nothing more is read of such an answer, nor of one whose signal has aborted.
 */
async function readText(
  parts: AsyncIterable<Buffer>,
  contentType: string,
  max: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, encoding] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  const decoder = decoderOf(encoding);
  let text = '';
  for await (const part of parts) {
    text += decoder.decode(part, { stream: true });
    if (text.length > max || signal.aborted) return undefined;
  }
  return text + decoder.decode();
}

/** Returns why an exchange failed, by its error and the signal that may have ended it. */
function whyFailed(error: unknown, { aborted, reason }: AbortSignal): Problem {
  if (!aborted) return classifyTransportError(error);
  // The gateway may have a request that was stopped.
  return (reason as Error).name === 'TimeoutError'
    ? { kind: 'timeout' }
    : { kind: 'connectionLost', code: 'ERR_CANCELED' };
}

const failureOf = (problem: Problem): NoAnswer => ({ kind: 'failure', problem });
