import type { Transport } from '../gateway/client/transport';
import { bodyFinder } from '../gateway/connector/answer';
import type { ConnectorTransport } from '../gateway/connector/transport';
import type { Connection } from './connection';
import { sendRequest } from './request';

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** Characters of one answer of the JSON API that are read: far more than any batch has results for. */
export const ANSWER_LIMIT = 64 * 1024 * 1024;

/**
 * The way to the JSON API. Takes the connection, whose addresses must be valid for the endpoints in use, and the time
 * limit for one request in milliseconds. An answer beyond `ANSWER_LIMIT` is cut off: it isn't the gateway's
 * (`notGateway`), and whether the request was carried out is unknown.
 */
export function jsonTransport(connection: Connection, timeout: number): Transport {
  return async (endpoint, data) => {
    const reply = await sendRequest(connection, {
      method: 'POST',
      url: urlOf(connection, endpoint),
      headers: JSON_HEADERS,
      body: { data },
      timeout,
      finderFor: () => bodyFinder(ANSWER_LIMIT),
    });
    if (reply.kind === 'failure') return reply;
    const { status, contentType, retryAfter, found } = reply;
    if (found === undefined) {
      const problem = { kind: 'notGateway', contentType, status } as const;
      return { kind: 'failure', problem, mayHaveArrived: true };
    }
    const body = connection.redact(found.replace(/^\uFEFF/, ''));
    return { kind: 'answer', status, contentType, ...(retryAfter !== undefined && { retryAfter }), body };
  };
}

/** The way to the assistant connector, whose address must be valid; the time limit is for one request. */
export function connectorTransport(connection: Connection, timeout: number): ConnectorTransport {
  return {
    redact: connection.redact,
    send: async ({ endpoint, ...request }) =>
      await sendRequest(connection, { ...request, url: urlOf(connection, endpoint), timeout }),
  };
}

function urlOf({ addresses }: Connection, endpoint: keyof Connection['addresses']): string {
  const address = addresses[endpoint];
  if (!address.ok) throw new TypeError(address.message);
  return address.url;
}
