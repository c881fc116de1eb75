import type {
  IExecuteFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IWebhookFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { AddressResult } from '../gateway/client/addresses';
import { endpointUrl } from '../gateway/client/addresses';
import type { Answer, Endpoint, NoAnswer, Transport } from '../gateway/client/transport';
import type { WireOperation } from '../gateway/contract/operations';
import { classifyTransportError, mayHaveArrived } from '../gateway/errors/classify';
import { keyRedactor } from '../gateway/errors/redact';

export const CREDENTIAL = 'messagingGatewayApi';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IWebhookFunctions;

/** What the transport takes from the credential, read once for each run of the node. */
export interface Connection {
  addresses: Record<Endpoint, AddressResult>;
  /** Takes the API key out of a text that a server sent. */
  redact(text: string): string;
}

export async function readConnection(context: RequestContext): Promise<Connection> {
  const credentials = await context.getCredentials(CREDENTIAL);
  return {
    addresses: { sync: endpointUrl(credentials, 'sync'), async: endpointUrl(credentials, 'async') },
    redact: keyRedactor(String(credentials.apiKey ?? '')),
  };
}

/** A server, or a proxy on the way, may repeat the request in its answer, and the key is in the request. */
const redacted = (answer: Answer | NoAnswer, redact: Connection['redact']): Answer | NoAnswer =>
  answer.kind === 'answer' ? { ...answer, body: redact(answer.body) } : answer;

interface FullResponse {
  statusCode: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Milliseconds that a slow answer gets beyond the time-out of the request, which counts silence only. */
const OVERTIME = 1000;

/**
 * The transport over n8n's own request helper, which adds the API key through the credential.
 * Takes the connection (its addresses must be valid for the endpoints in use) and the time-out in milliseconds.
 */
export function httpTransport(
  context: RequestContext,
  { addresses, redact }: Connection,
  timeout: number,
): Transport {
  return async (endpoint, data) => {
    const address = addresses[endpoint];
    if (!address.ok) throw new TypeError(address.message);
    const overtime = new AbortController();
    try {
      return await Promise.race([
        request(context, address.url, data, timeout).then((answer) => redacted(answer, redact)),
        tooLong(timeout + OVERTIME, overtime.signal),
      ]);
    } finally {
      overtime.abort();
    }
  };
}

async function request(
  context: RequestContext,
  url: string,
  data: WireOperation[],
  timeout: number,
): Promise<Answer | NoAnswer> {
  const options: IHttpRequestOptions = {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: { data },
    // The answer is read as text, so that a broken one can be told from one that refuses.
    encoding: 'text',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirect would carry the API key to an address that the user did not enter.
    disableFollowRedirect: true,
    timeout,
  };
  try {
    const response = (await context.helpers.httpRequestWithAuthentication.call(
      context,
      CREDENTIAL,
      options,
    )) as FullResponse;
    return answerOf(response);
  } catch (error) {
    const problem = classifyTransportError(error);
    return { kind: 'failure', problem, mayHaveArrived: mayHaveArrived(problem) };
  }
}

function answerOf({ statusCode, headers, body }: FullResponse): Answer {
  const retryAfter = secondsOf(headers['retry-after']);
  return {
    kind: 'answer',
    status: statusCode,
    contentType: String(headers['content-type'] ?? ''),
    ...(retryAfter !== undefined && { retryAfter }),
    body: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
  };
}

/** Seconds of a `Retry-After` header, which is a number of seconds or a date. */
function secondsOf(header: unknown): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** The time-out of an HTTP request counts silence; an answer that trickles in for ever is cut off here. */
async function tooLong(milliseconds: number, signal: AbortSignal): Promise<NoAnswer> {
  await sleep(milliseconds, signal).catch(() => undefined);
  return { kind: 'failure', problem: { kind: 'timeout' }, mayHaveArrived: true };
}
