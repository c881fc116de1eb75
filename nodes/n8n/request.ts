import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { NoAnswer } from '../gateway/client/transport';
import type { ConnectorRequest, HttpReply } from '../gateway/connector/transport';
import { classifyTransportError, mayHaveArrived } from '../gateway/errors/classify';
import type { Problem } from '../gateway/errors/problem';
import { retryAfterSeconds } from '../gateway/errors/retry-after';
import { findIn } from '../gateway/net/read-body';

/** One of n8n's request helpers, which adds the API key and follows no redirect (authenticate.ts). */
export interface Http {
  /**
   * Makes the request, which the signal in its options ends; resolves to the full response, with the body as a stream.
   * Rejects with whatever n8n throws.
   */
  request(options: IHttpRequestOptions): Promise<unknown>;

  /** Takes the API key out of a text that a server sent: it may repeat the request, and the key is in that. */
  redact(text: string): string;

  /** Aborts when the execution is stopped. */
  cancelled?: AbortSignal;
}

interface HttpRequest<T> extends Pick<ConnectorRequest<T>, 'method' | 'headers' | 'find'> {
  url: string;

  /** Sent as JSON. */
  body?: object;

  /** Characters of the answer that are read at most; left out, as many as `findIn` reads. */
  mostCharacters?: number;

  /** Milliseconds for the whole exchange, from the request to the end of what is read of the answer. */
  timeoutMs: number;
}

/**
 * Makes one HTTP request, and reads its answer, with any status, as far as is needed. Returns the answer, or why there
 * is none. Never throws, follows no redirect, and ends at once when the execution is stopped. `find` sees no API key.
 */
export async function sendRequest<T>(
  http: Http,
  { timeoutMs, body, find, mostCharacters, ...rest }: HttpRequest<T>,
): Promise<HttpReply<T> | NoAnswer> {
  const { cancelled, redact } = http;
  if (cancelled?.aborted) return failureOf({ kind: 'cancelled' });
  const closing = timedController(timeoutMs);
  const signal = AbortSignal.any([closing.signal, ...(cancelled ? [cancelled] : [])]);
  const answer = http.request({
    ...rest,
    ...(body && { body: body as IDataObject }),
    // An answer may be endless, or stay open after what matters, so it is read as it comes.
    encoding: 'stream',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // n8n counts silence until the answer begins; the signal counts everything.
    timeout: timeoutMs,
    abortSignal: signal,
  }) as Promise<IN8nHttpFullResponse>;
  let hasBegun = false;
  try {
    const { statusCode, headers, body: received } = await untilAborted(signal, answer);
    hasBegun = true;
    const contentType = redact(String(headers['content-type'] ?? ''));
    // Goes back to its server and nowhere else, so it stays as it is.
    const sessionId = headers['mcp-session-id'] as string | undefined;
    const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
    const search = find && findIn(partsOf(received), contentType, (text) => find(redact(text)), mostCharacters);
    const found = search && (await untilAborted(signal, search));
    return { kind: 'reply', status: statusCode, contentType, sessionId, retryAfter, found };
  } catch (error) {
    const problem = problemOf(error, signal);
    if (!hasBegun || mayHaveArrived(problem)) return failureOf(problem);
    // An answer had begun, so the request arrived, whatever the error looks like.
    return failureOf({ kind: 'connectionLost', code: 'code' in problem ? problem.code : 'unknown' });
  } finally {
    // What is left of an answer, or begins after all, has nobody to read it.
    void answer.then((late) => close(late.body, closing)).catch(() => undefined);
  }
}

/** Returns a controller that aborts by itself, with a TimeoutError, after these milliseconds. */
function timedController(timeMs: number): AbortController {
  const controller = new AbortController();
  const limit = AbortSignal.timeout(Math.ceil(timeMs));
  // Node 20 forgets a time limit to which nothing but AbortSignal.any() listens.
  limit.addEventListener('abort', () => controller.abort(limit.reason), { once: true });
  return controller;
}

/** Resolves or rejects as the work does; rejects with the signal's reason as soon as that aborts. */
const untilAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // Not Promise.race: each part of a long answer would leave a reaction behind on the promise of the signal.
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });

/** Why an exchange failed. Takes what it was rejected with, and the signal that may have ended it. */
function problemOf(error: unknown, { aborted, reason }: AbortSignal): Problem {
  if (!aborted) return classifyTransportError(error);
  // A request that was ended before its time may have arrived.
  return (reason as Error).name === 'TimeoutError'
    ? { kind: 'timeout' }
    : { kind: 'connectionLost', code: 'ERR_CANCELED' };
}

const failureOf = (problem: Problem): NoAnswer => ({
  kind: 'failure',
  problem,
  mayHaveArrived: mayHaveArrived(problem),
});

type Parts = AsyncIterable<unknown>;

/** A stream of Node, as n8n's helpers return it; other streams have only their parts. */
type Stream = Parts & Partial<Extract<IN8nHttpFullResponse['body'], Parts>>;

const isStream = (body: unknown): body is Stream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

function partsOf(body: unknown): Iterable<unknown> | Parts {
  if (!isStream(body)) return [body ?? ''];
  body.setEncoding?.('utf8');
  return body;
}

/** Ends what is left of an answer. */
function close(body: unknown, closing: AbortController): void {
  if (!isStream(body) || body.readableEnded) return;
  // For a stream that nobody reads any more, an error has no meaning.
  body.on?.('error', () => undefined);
  // Destroying the stream isn't enough: n8n's may keep its connection until the server sends something.
  closing.abort();
  body.destroy?.();
}
