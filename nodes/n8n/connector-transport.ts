import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { endpointUrl } from '../gateway/client/addresses';
import type {
  ConnectorRequest,
  ConnectorTransport,
  NoReply,
  Part,
  Reply,
} from '../gateway/connector/transport';
import { classifyTransportError, mayHaveArrived } from '../gateway/errors/classify';
import type { Problem } from '../gateway/errors/problem';
import { keyRedactor } from '../gateway/errors/redact';
import type { RequestContext } from './json-transport';
import { CREDENTIAL } from './json-transport';

/** What the transport takes from the credential. */
interface ConnectorAddress {
  urls: Record<ConnectorRequest['endpoint'], string>;
  redact(text: string): string;
}

/**
 * Opens the way to the assistant connector: its addresses and the key from the credential, and the time limit in
 * milliseconds for one request, from its start to the end of what is read of the answer.
 * @throws NodeOperationError when the address of the connector is missing in the credential or is no address
 */
export async function connectorTransport(
  context: RequestContext,
  timeout: number,
): Promise<ConnectorTransport> {
  const { urls, redact } = await readAddress(context);
  return {
    redact,
    send: async (request) => await send(context, urls[request.endpoint], request, timeout),
  };
}

async function readAddress(context: RequestContext): Promise<ConnectorAddress> {
  const credentials = await context.getCredentials(CREDENTIAL);
  const connector = endpointUrl(credentials, 'connector');
  const health = endpointUrl(credentials, 'health');
  for (const address of [connector, health]) {
    if (address.ok) continue;
    throw new NodeOperationError(context.getNode(), address.message, { description: address.description });
  }
  const urlOf = (address: typeof connector) => (address.ok ? address.url : '');
  return {
    urls: { connector: urlOf(connector), health: urlOf(health) },
    redact: keyRedactor(String(credentials.apiKey ?? '')),
  };
}

/** The body of an answer as n8n's helper gives it with `encoding: 'stream'`: a stream of Node. */
interface Stream extends AsyncIterable<unknown> {
  setEncoding?(encoding: 'utf8'): unknown;
  on?(event: 'error', listener: () => void): unknown;
  destroy?(): unknown;
}

interface FullResponse {
  statusCode: number;
  headers: Record<string, unknown>;
  body: unknown;
}

const LATE = Symbol('late');

async function send(
  context: RequestContext,
  url: string,
  { method, headers, body }: ConnectorRequest,
  timeout: number,
): Promise<Reply | NoReply> {
  const options: IHttpRequestOptions = {
    method,
    url,
    headers,
    ...(body && { body: body as IDataObject }),
    // An event stream may stay open after the answer, so it is read as it comes.
    encoding: 'stream',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirect would carry the API key to an address that the user did not enter.
    disableFollowRedirect: true,
    timeout,
  };
  const limit = new AbortController();
  const late = sleep(timeout, limit.signal).then(
    () => LATE,
    // Ended in time: nobody waits any more.
    () => LATE,
  );
  const answer = request(context, options);
  const response = await Promise.race([answer, late]);
  if (typeof response === 'symbol') {
    // An answer that begins after all has nobody left to read it.
    void answer.then((begun) => 'body' in begun && isStream(begun.body) && begun.body.destroy?.());
    return failure({ kind: 'timeout' });
  }
  if ('problem' in response) {
    limit.abort();
    return failure(response.problem);
  }
  return replyOf(response, late, () => limit.abort());
}

const failure = (problem: Problem): NoReply => ({
  kind: 'failure',
  problem,
  mayHaveArrived: mayHaveArrived(problem),
});

async function request(
  context: RequestContext,
  options: IHttpRequestOptions,
): Promise<FullResponse | { problem: Problem }> {
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(
      context,
      CREDENTIAL,
      options,
    )) as FullResponse;
  } catch (error) {
    return { problem: classifyTransportError(error) };
  }
}

function replyOf(response: FullResponse, late: Promise<symbol>, stopClock: () => void): Reply {
  const { statusCode, headers, body } = response;
  const retryAfter = Number(headers['retry-after']);
  const sessionId = headers['mcp-session-id'];
  const stream = isStream(body) ? body : undefined;
  stream?.setEncoding?.('utf8');
  // What breaks off is seen by whoever reads; a stream that was closed half read has nobody left to tell.
  stream?.on?.('error', () => undefined);
  const parts = stream ? stream[Symbol.asyncIterator]() : whole(body);
  return {
    kind: 'reply',
    status: statusCode,
    contentType: String(headers['content-type'] ?? ''),
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(Number.isFinite(retryAfter) && { retryAfter }),
    async read() {
      const part = await Promise.race([nextPart(parts), late]);
      return typeof part === 'symbol' ? { kind: 'failure', problem: { kind: 'timeout' } } : part;
    },
    close() {
      stopClock();
      stream?.destroy?.();
    },
  };
}

async function nextPart(parts: AsyncIterator<unknown>): Promise<Part> {
  try {
    const { done, value } = await parts.next();
    return done === true ? { kind: 'end' } : { kind: 'text', text: String(value) };
  } catch (error) {
    return { kind: 'failure', problem: classifyTransportError(error) };
  }
}

/** A body that n8n gave as a whole. */
async function* whole(body: unknown): AsyncGenerator<string> {
  yield await Promise.resolve(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
}

const isStream = (body: unknown): body is Stream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
