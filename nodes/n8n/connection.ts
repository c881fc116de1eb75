import { createHash } from 'crypto';
import type {
  ICredentialDataDecryptedObject,
  ICredentialTestFunctions,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INode,
  IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { AddressResult, EndpointName } from '../gateway/client/addresses';
import { endpointUrl } from '../gateway/client/addresses';
import { DepartedMessages } from '../gateway/client/departed';
import { KnownMessages } from '../gateway/client/status';
import type { Transport } from '../gateway/client/transport';
import type { ConnectorTransport } from '../gateway/connector/client';
import type { KeyFault } from '../gateway/contract/credential';
import { apiKeyIn, keyFaultOf } from '../gateway/contract/credential';
import type { AllowedPrefixes } from '../gateway/numbers/allowed-prefixes';
import { parsePrefixes } from '../gateway/numbers/allowed-prefixes';
import { LONGEST_ANSWER_OF } from '../gateway/text/gate';
import { keyRedactor } from '../gateway/text/secrets';
import { authenticateRequest } from './authenticate';
import { cancelSignal, withSignal } from './engine';
import type { Http } from './request';
import { sendRequest } from './request';

export const CREDENTIAL = 'messagingGatewayApi';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IWebhookFunctions;

/** The way to a gateway and an account, by a credential that is read once for each run of a node. */
export interface Connection extends Http {
  addressOf(endpoint: EndpointName): AddressResult;

  /** The fault that an API key shows by itself, such as an expression without a value. */
  keyFault?: KeyFault;

  /** A digest of the account's address and key. */
  account: string;

  /** Messages that the account certainly took, as far as this process knows. */
  knownMessages: KnownMessages;

  /** Messages that left for the account, as far as this process knows. */
  departed: DepartedMessages;

  /** The numbers that may be sent to and looked up. */
  allowedPrefixes: AllowedPrefixes;

  /** Returns the keys that a function derives from the API key; undefined where there is none: anybody could derive such keys. */
  derive<Keys>(from: (apiKey: string) => Keys): Keys | undefined;
}

/**
 * Reads the credential of a node. The addresses may be missing or not valid: see each `AddressResult`. n8n's request helper gets the
 * credential as it was read here: n8n would take a V8 isolate to evaluate its expressions at each request, and fail after the end of a
 * run. A change of the credential shows when it is read again.
 */
export async function readConnection(context: RequestContext): Promise<Connection> {
  const data = await context.getCredentials(CREDENTIAL);
  const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
  return {
    ...connectionOf(data),
    request: async (options) =>
      (await context.helpers.httpRequestWithAuthentication.call(
        withSignal(context, options.abortSignal),
        CREDENTIAL,
        options,
        { credentialsDecrypted },
      )) as unknown,
    // Only an execution can be stopped.
    cancelled: cancelSignal(context),
  };
}

/**
 * Reads the credential of a node for requests to one endpoint.
 * @throws NodeOperationError when the address of that endpoint is missing in the credential or isn't valid
 */
export async function readConnectionTo(context: RequestContext, endpoint: EndpointName): Promise<Connection> {
  const connection = await readConnection(context);
  requireAddress(context.getNode(), connection, endpoint);
  return connection;
}

/**
 * @throws NodeOperationError when the address of an endpoint is missing in the credential or isn't valid, or the API key is
 * missing or wrong by itself where the endpoint takes it
 */
export function requireAddress(
  node: INode,
  { addressOf, keyFault }: Connection,
  endpoint: EndpointName,
): void {
  const address = addressOf(endpoint);
  if (!address.ok) throw new NodeOperationError(node, address.message, { description: address.description });
  if (keyFault && endpoint !== 'health') throw keyError(node, keyFault, 'No request was made');
}

/** Returns the error of an API key; `nothingDone` is the sentence for the work without it, such as "Nothing was sent". */
const keyError = (node: INode, { message, advice }: KeyFault, nothingDone: string): NodeOperationError =>
  new NodeOperationError(node, message, { description: `${nothingDone}. Open the credential. ${advice}` });

/**
 * Returns the keys that `from` derives from the API key; `nothingDone` is the sentence for the work without
 * them, such as "Nothing was sent".
 * @throws NodeOperationError where the API key is missing or wrong by itself
 */
export function requireKeys<Keys>(
  node: INode,
  { keyFault, derive }: Connection,
  from: (apiKey: string) => Keys,
  nothingDone: string,
): Keys {
  if (keyFault) throw keyError(node, keyFault, nothingDone);
  // A key without a fault derives keys.
  return derive(from) as Keys;
}

/** Returns the address of the gateway; undefined where the credential has no valid one. */
export function baseAddress({ addressOf }: Connection): string | undefined {
  const address = addressOf('sync');
  return address.ok ? address.url : undefined;
}

/** Returns the connection of a credential under test, for which n8n has a deprecated helper alone (docs/internals/verification.md). */
export function testConnection(
  context: ICredentialTestFunctions,
  credential: ICredentialDataDecryptedObject,
): Connection {
  return {
    ...connectionOf(credential),
    request: async (options) => {
      const { method, url, headers, body, timeout } = authenticateRequest(credential, options);
      return (await context.helpers.request({
        method,
        uri: url,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeout,
        useStream: true,
        resolveWithFullResponse: true,
        simple: false,
        followRedirect: false,
      })) as unknown;
    },
  };
}

function connectionOf(credential: ICredentialDataDecryptedObject): Omit<Connection, 'request' | 'cancelled'> {
  const apiKey = apiKeyIn(credential);
  const keyFault = keyFaultOf(apiKey);
  const account = createHash('sha256')
    .update(JSON.stringify([credential.baseUrl, apiKey]))
    .digest('base64');
  return {
    keyFault,
    account,
    addressOf: (endpoint) => endpointUrl(credential, endpoint),
    redact: keyRedactor(apiKey),
    ...memoryOf(account),
    // A credential without the field allows every number; a field whose expression has no value is no list.
    allowedPrefixes: parsePrefixes('allowedPrefixes' in credential ? credential.allowedPrefixes : ''),
    derive: (from) => (keyFault ? undefined : from(apiKey)),
  };
}

/** What this process remembers of accounts, with the account that was used last at the end. */
const accounts = new Map<string, Pick<Connection, 'knownMessages' | 'departed'>>();
const MAX_ACCOUNTS = 1000;

function memoryOf(account: string): Pick<Connection, 'knownMessages' | 'departed'> {
  const memory = accounts.get(account) ?? {
    knownMessages: new KnownMessages(),
    departed: new DepartedMessages(),
  };
  accounts.delete(account);
  accounts.set(account, memory);
  const [eldest] = accounts.keys();
  if (accounts.size > MAX_ACCOUNTS) accounts.delete(eldest);
  return memory;
}

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

/**
 * Returns the function that makes requests to the JSON API. The addresses of the endpoints in use must be valid; the time limit is for
 * one request.
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
      maxCharacters: LONGEST_ANSWER_OF.gateway,
    });

/** Returns the function that makes requests to the assistant connector, whose address must be valid; the time limit is for one request. */
export const connectorTransport =
  (connection: Connection, timeoutMs: number): ConnectorTransport =>
  async ({ endpoint, ...request }) =>
    await sendRequest(connection, {
      ...request,
      url: urlOf(connection, endpoint),
      timeoutMs,
      maxCharacters: LONGEST_ANSWER_OF[endpoint],
    });

function urlOf(connection: Connection, endpoint: EndpointName): string {
  const address = connection.addressOf(endpoint);
  if (!address.ok) throw new TypeError(address.message);
  return address.url;
}
