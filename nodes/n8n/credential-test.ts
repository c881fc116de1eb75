import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  ICredentialDataDecryptedObject,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import type { EndpointName } from '../gateway/client/addresses';
import { askOne } from '../gateway/client/ask-one';
import { explainConnector } from '../gateway/connector/explain';
import { askHealth } from '../gateway/connector/health';
import type { AddressField } from '../gateway/contract/credential';
import { credentialLabel } from '../gateway/contract/credential';
import { explain } from '../gateway/errors/catalogue';
import { PLAIN_WORDS } from '../gateway/errors/words';
import type { Connection } from './connection';
import { testConnection } from './connection';
import { connectorTransport, jsonTransport } from './transports';

/** Milliseconds for each request; all of them are under way at the same time. */
const TIMEOUT = 12_000;

/** What is wrong and how to get on; undefined where nothing is. */
type Finding = { message: string; description: string } | undefined;

/**
 * Tests a credential: asks for the balance, whose answer shows whether the key is accepted (gateway-api.md, "Errors":
 * a refused key comes with HTTP status 200), and whether a server listens at the other addresses that are filled in.
 * Returns within 15 seconds, with the first thing that is wrong.
 */
export async function testCredential(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const connection = testConnection(this, data);
  const endpoints = endpointsOf(data);
  const finding =
    checkAddresses(connection, endpoints) ??
    checkPrefixes(connection) ??
    (await askServers(connection, endpoints));
  if (finding === undefined) return { status: 'OK', message: 'The gateway accepted the API key' };
  const { message, description } = finding;
  return { status: 'Error', message: connection.redact(`${message}. ${description}`) };
}

/** The endpoints that the credential is for: the base address is needed, the other two only where they are filled in. */
function endpointsOf({ asyncUrl, mcpUrl }: ICredentialDataDecryptedObject): EndpointName[] {
  const filled = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  return [
    'sync',
    ...(filled(asyncUrl) ? ['async' as const] : []),
    ...(filled(mcpUrl) ? ['health' as const] : []),
  ];
}

function checkAddresses({ addresses }: Connection, endpoints: EndpointName[]): Finding {
  const [wrong] = endpoints.map((endpoint) => addresses[endpoint]).filter(({ ok }) => !ok);
  return wrong === undefined || wrong.ok ? undefined : wrong;
}

function checkPrefixes({ allowedPrefixes }: Connection): Finding {
  if (allowedPrefixes.ok) return undefined;
  return {
    message: `${credentialLabel('allowedPrefixes')} contains "${allowedPrefixes.wrong}", which isn't a number prefix`,
    description:
      'Enter the beginnings of phone numbers with their country code, separated by commas, such as 380, 48, 4477.',
  };
}

async function askServers(connection: Connection, endpoints: EndpointName[]): Promise<Finding> {
  const findings = await Promise.all([
    checkKey(connection),
    endpoints.includes('async') ? checkAsync(connection) : undefined,
    endpoints.includes('health') ? checkConnector(connection) : undefined,
  ]);
  return findings.find((finding) => finding !== undefined);
}

async function checkKey(connection: Connection): Promise<Finding> {
  const asked = await askOne(jsonTransport(connection, TIMEOUT), { type: 'balance' });
  return asked.ok ? undefined : explain(asked.problem, { ...PLAIN_WORDS, addresses: ['baseUrl'] });
}

const OF_ASYNC = { ...PLAIN_WORDS, addresses: ['asyncUrl'] as const };

/** Entries of the catalogue for a server that has no API at the address. */
const NO_API = ['wrong-address', 'redirected'];

/**
 * Asks for the balance there too: nothing is sent or charged by that. Any answer of an API will do, since the balance
 * itself doesn't come back from this endpoint (gateway-api.md, "Asynchronous response").
 */
async function checkAsync(connection: Connection): Promise<Finding> {
  const answer = await jsonTransport(connection, TIMEOUT)('async', [{ type: 'balance' }]);
  if (answer.kind === 'failure') return at('asyncUrl', explain(answer.problem, OF_ASYNC));
  const explanation = explain({ kind: 'http', status: answer.status }, OF_ASYNC);
  return NO_API.includes(explanation.code) ? at('asyncUrl', explanation) : undefined;
}

async function checkConnector(connection: Connection): Promise<Finding> {
  const health = await askHealth(connectorTransport(connection, TIMEOUT));
  return health.ok ? undefined : at('mcpUrl', explainConnector(health.problem));
}

const at = (field: AddressField, { message, description }: NonNullable<Finding>): Finding => ({
  message: `${credentialLabel(field)}: ${message}`,
  description,
});
