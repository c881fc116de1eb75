import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { NoAnswer } from '../gateway/client/transport';
import type { HttpReply } from '../gateway/connector/transport';
import { classifyTransportError, mayHaveArrived, retryAfterSeconds } from '../gateway/errors/classify';
import type { Problem } from '../gateway/errors/problem';

/** One of n8n's request helpers, which adds the API key. */
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

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  /** Milliseconds for the whole exchange, from the request to the end of what is read of the answer. */
  timeout: number;
}

/** The request of an exchange that was ended before its time may have arrived. */
const STOPPED: Problem = { kind: 'connectionLost', code: 'ERR_CANCELED' };

/**
 * Makes one HTTP request. Returns the answer with any status, its body to be read in parts, or why none began. Never
 * throws, follows no redirect, and ends at once when the execution is stopped. The reader of the body takes the key
 * out of it, since parts may cut it in two.
 */
export async function sendRequest(
  http: Http,
  { timeout, body, ...rest }: HttpRequest,
): Promise<HttpReply | NoAnswer> {
  const { cancelled, redact } = http;
  if (cancelled?.aborted) return failureOf({ kind: 'cancelled' });
  const closing = timedController(timeout);
  const signal = AbortSignal.any([closing.signal, ...(cancelled ? [cancelled] : [])]);
  const answer = http.request({
    ...rest,
    ...(body && { body: body as IDataObject }),
    // An answer may be endless, or stay open after what matters, so it is read as it comes.
    encoding: 'stream',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirect would carry the API key to an address that the user did not enter.
    disableFollowRedirect: true,
    // n8n counts silence until the answer begins; the signal counts everything.
    timeout,
    abortSignal: signal,
  }) as Promise<FullResponse>;
  try {
    return replyOf(await untilAborted(signal, answer), { signal, closing, redact });
  } catch (error) {
    // An answer that begins after all has nobody left to read it.
    void answer.then((late) => discard(late.body)).catch(() => undefined);
    return failureOf(problemOf(error, signal));
  }
}

/** Returns a controller that aborts by itself, with a TimeoutError, after these milliseconds. */
export function timedController(milliseconds: number): AbortController {
  const controller = new AbortController();
  const limit = AbortSignal.timeout(Math.ceil(milliseconds));
  // Node 20 forgets a time limit to which nothing but AbortSignal.any() listens.
  limit.addEventListener('abort', () => controller.abort(limit.reason), { once: true });
  return controller;
}

/** Resolves or rejects as the work does; rejects with the signal's reason as soon as that aborts. */
export const untilAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
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
  return (reason as Error).name === 'TimeoutError' ? { kind: 'timeout' } : STOPPED;
}

const failureOf = (problem: Problem): NoAnswer => ({
  kind: 'failure',
  problem,
  mayHaveArrived: mayHaveArrived(problem),
});

interface FullResponse {
  statusCode: number;
  headers: Record<string, unknown>;
  body: unknown;
}

interface UnderWay extends Pick<Http, 'redact'> {
  /** Aborts when the exchange is over before its answer is. */
  signal: AbortSignal;
  closing: AbortController;
}

function replyOf(
  { statusCode, headers, body }: FullResponse,
  { signal, closing, redact }: UnderWay,
): HttpReply {
  const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
  const sessionId = headers['mcp-session-id'];
  const parts = partsOf(body);
  let isRead = false;
  const close = () => {
    if (isRead) return;
    // Destroying the stream isn't enough: n8n's may keep its connection until the server sends something.
    closing.abort();
    discard(body);
  };
  return {
    kind: 'reply',
    status: statusCode,
    contentType: redact(String(headers['content-type'] ?? '')),
    // Goes back to its server and nowhere else, so it stays as it is.
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(retryAfter !== undefined && { retryAfter }),
    async read() {
      try {
        const { done, value } = await untilAborted(signal, parts.next());
        if (done !== true) return { kind: 'text', text: String(value) };
        isRead = true;
        return { kind: 'end' };
      } catch (error) {
        const problem = problemOf(error, signal);
        close();
        return { kind: 'failure', problem: brokenOff(problem) };
      }
    },
    close,
  };
}

/** A stream of Node, as n8n's helpers return it. */
interface Stream extends AsyncIterable<unknown> {
  setEncoding?(encoding: 'utf8'): unknown;
  on?(event: 'error', listener: () => void): unknown;
  destroy?(): unknown;
}

const isStream = (body: unknown): body is Stream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

function partsOf(body: unknown): AsyncIterator<unknown> {
  if (!isStream(body)) return whole(body);
  body.setEncoding?.('utf8');
  ignoreErrors(body);
  return body[Symbol.asyncIterator]();
}

/** A body that came as a whole. */
async function* whole(body: unknown): AsyncGenerator<string> {
  yield await Promise.resolve(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
}

function discard(body: unknown): void {
  if (!isStream(body)) return;
  ignoreErrors(body);
  body.destroy?.();
}

/** The reader reports what breaks off; for a stream that nobody reads any more, an error has no meaning. */
const ignoreErrors = (stream: Stream): unknown => stream.on?.('error', () => undefined);

/** An answer had begun, so the request arrived, whatever the error looks like. */
function brokenOff(problem: Problem): Problem {
  if (mayHaveArrived(problem)) return problem;
  return { kind: 'connectionLost', code: 'code' in problem ? problem.code : 'unknown' };
}
