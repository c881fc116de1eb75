import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { NoAnswer } from '../gateway/client/transport';
import type { Part, HttpReply } from '../gateway/connector/transport';
import { classifyTransportError, mayHaveArrived } from '../gateway/errors/classify';
import type { Problem } from '../gateway/errors/problem';
import { retryAfterSeconds } from '../gateway/errors/retry-after';
import type { Deadline } from './deadline';
import { startDeadline } from './deadline';

/** One of n8n's request helpers, which adds the API key. */
export interface Http {
  /** Makes the request; resolves to the full response, with the body as a stream. Rejects with whatever n8n throws. */
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

/**
 * Makes one HTTP request. Returns the answer with any status, its body to be read in parts, or why none began. Never
 * throws, follows no redirect, and ends at once when the execution is stopped. The reader of the body takes the key
 * out of it, since parts may cut it in two.
 */
export async function sendRequest(http: Http, { timeout, body, ...rest }: HttpRequest): Promise<HttpReply | NoAnswer> {
  if (http.cancelled?.aborted) return failureOf({ kind: 'cancelled' });
  const deadline = startDeadline(timeout, http.cancelled);
  const options: IHttpRequestOptions = {
    ...rest,
    ...(body && { body: body as IDataObject }),
    // An answer may be endless, or stay open after what matters, so it is read as it comes.
    encoding: 'stream',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirect would carry the API key to an address that the user did not enter.
    disableFollowRedirect: true,
    // n8n counts silence until the answer begins; the deadline counts everything.
    timeout,
    // In an execution, n8n puts the signal of that in its place: an answer given up halfway then keeps its connection until
    // the server sends more.
    abortSignal: deadline.signal as IHttpRequestOptions['abortSignal'],
  };
  const answer = begin(http, options);
  const begun = await deadline.race(answer);
  if (begun.kind === 'response') return replyOf(begun, deadline, http);
  deadline.lift();
  if (begun.kind === 'cut') {
    // Discard a response that arrives after the deadline.
    void answer.then((late) => late.kind === 'response' && discard(late.body));
  }
  return failureOf(begun.problem);
}

const failureOf = (problem: Problem): NoAnswer => ({
  kind: 'failure',
  problem,
  mayHaveArrived: mayHaveArrived(problem),
});

interface FullResponse {
  kind: 'response';
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

async function begin(
  http: Http,
  options: IHttpRequestOptions,
): Promise<FullResponse | { kind: 'refused'; problem: Problem }> {
  try {
    const { statusCode, headers, body } = (await http.request(options)) as {
      statusCode: number;
      headers: Record<string, unknown>;
      body: unknown;
    };
    return { kind: 'response', status: statusCode, headers, body };
  } catch (error) {
    return { kind: 'refused', problem: classifyTransportError(error) };
  }
}

function replyOf({ status, headers, body }: FullResponse, deadline: Deadline, { redact }: Http): HttpReply {
  const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
  const sessionId = headers['mcp-session-id'];
  const parts = partsOf(body);
  const close = () => {
    deadline.abandon();
    discard(body);
  };
  return {
    kind: 'reply',
    status,
    contentType: redact(String(headers['content-type'] ?? '')),
    // Goes back to its server and nowhere else, so it stays as it is.
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(retryAfter !== undefined && { retryAfter }),
    async read() {
      const part = await deadline.race(nextPart(parts));
      if (part.kind === 'text') return part;
      if (part.kind === 'end') deadline.lift();
      else close();
      return part.kind === 'cut' ? { kind: 'failure', problem: part.problem } : part;
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

async function nextPart(parts: AsyncIterator<unknown>): Promise<Part> {
  try {
    const { done, value } = await parts.next();
    return done === true ? { kind: 'end' } : { kind: 'text', text: String(value) };
  } catch (error) {
    return { kind: 'failure', problem: brokenOff(classifyTransportError(error)) };
  }
}

/** An answer had begun, so the request arrived, whatever the error looks like. */
function brokenOff(problem: Problem): Problem {
  if (mayHaveArrived(problem)) return problem;
  return { kind: 'connectionLost', code: 'code' in problem ? problem.code : 'unknown' };
}
