import type { EndpointName } from '../gateway/client/addresses';
import type { Transport } from '../gateway/client/transport';
import type { ConnectorTransport } from '../gateway/connector/client';
import type { Connection } from './connection';
import { sendRequest } from './request';

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** Characters of one answer of the gateway: far more than any batch has results for. */
const GATEWAY_CHARACTERS = 64 * 1024 * 1024;

/** Characters of one answer of the connector: a page of its tools, or the result of one tool. */
const CONNECTOR_CHARACTERS = 2_000_000;

/**
 * The way to the JSON API. Takes the connection, whose addresses must be valid for the endpoints in use, and the time
 * limit for one request in milliseconds.
 */
export const jsonTransport =
  (connection: Connection, timeoutMs: number): Transport =>
  async (endpoint, data) =>
    await sendRequest(connection, {
      method: 'POST',
      url: urlOf(connection, endpoint),
      headers: JSON_HEADERS,
      body: { data },
      timeoutMs,
      mostCharacters: GATEWAY_CHARACTERS,
    });

/** The way to the assistant connector, whose address must be valid; the time limit is for one request. */
export const connectorTransport =
  (connection: Connection, timeoutMs: number): ConnectorTransport =>
  async ({ endpoint, ...request }) =>
    await sendRequest(connection, {
      ...request,
      url: urlOf(connection, endpoint),
      timeoutMs,
      mostCharacters: CONNECTOR_CHARACTERS,
    });

function urlOf(connection: Connection, endpoint: EndpointName): string {
  const address = connection.addressOf(endpoint);
  if (!address.ok) throw new TypeError(address.message);
  return address.url;
}
