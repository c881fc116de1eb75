import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import { isNear } from '../gateway/callback/address';
import type { EndpointName } from '../gateway/client/addresses';
import { askOne } from '../gateway/client/ask';
import { judge } from '../gateway/client/response';
import { ConnectorClient } from '../gateway/connector/client';
import { explainConnector } from '../gateway/connector/explain';
import type { AddressField } from '../gateway/contract/credential';
import { credentialLabel } from '../gateway/contract/credential';
import type { WireOperation } from '../gateway/contract/operations';
import { explain } from '../gateway/errors/catalogue';
import { toUrl } from '../gateway/text/hosts';
import type { Connection } from './connection';
import { connectorTransport, jsonTransport, testConnection } from './connection';

/** Milliseconds for each request; all requests are under way at the same time. */
const TIMEOUT_MS = 12_000;

/** A fault of the credential and its cure; undefined where there is no fault. */
type Finding = { message: string; description: string } | undefined;

/**
 * Tests a credential: asks for the balance, whose answer shows whether the key is accepted (gateway-api.md, "API key":
 * a refused key comes with HTTP status 200), whether a server listens at the other addresses that are filled in, and
 * whether the key is encrypted on its way.
 * Returns within 15 seconds, with the first thing that is wrong.
 */
export async function testCredential(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const connection = testConnection(this, data);
  const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  const servers: Array<[EndpointName, (connection: Connection) => Promise<Finding>]> = [['sync', checkKey]];
  if (isFilled(data.asyncUrl)) servers.push(['async', checkAsync]);
  if (isFilled(data.mcpUrl)) servers.push(['health', checkConnector]);
  const finding =
    checkSpelling(connection) ??
    servers.map(([endpoint]) => connection.addressOf(endpoint)).find((address) => !address.ok) ??
    checkPrefixes(connection) ??
    (await Promise.all(servers.map(([, check]) => check(connection)))).find((found) => found !== undefined) ??
    checkEncryption(data);
  if (finding === undefined) return { status: 'OK', message: 'The gateway accepted the API key' };
  const { message, description } = finding;
  return { status: 'Error', message: connection.redact(`${message}. ${description}`) };
}

/** Finds a fault that the key shows without asking the gateway. */
const checkSpelling = ({ keyFault }: Connection): Finding =>
  keyFault && { message: keyFault.message, description: keyFault.advice };

function checkPrefixes({ allowedPrefixes }: Connection): Finding {
  if (allowedPrefixes.ok) return undefined;
  const { wrong } = allowedPrefixes;
  const label = credentialLabel('allowedPrefixes');
  return {
    message:
      typeof wrong === 'string'
        ? `${label} contains "${wrong}", which isn't a number prefix`
        : `${label} is an expression that returns no list`,
    description:
      'Enter the beginnings of phone numbers with their country code, separated by commas, such as 380, 48, 4477.',
  };
}

const ADDRESSES: AddressField[] = ['baseUrl', 'asyncUrl', 'mcpUrl'];

/** Finds an address at which others can read the API key. That is an error, since the editor shows no message of a passed test. */
function checkEncryption(data: ICredentialDataDecryptedObject): Finding {
  const open = ADDRESSES.find((field) => {
    const url = toUrl(String(data[field]).trim());
    return url?.protocol === 'http:' && !isNear(url.href);
  });
  return (
    open && {
      message: `The gateway accepted the API key, but ${credentialLabel(open)} begins with http://`,
      description: 'Anybody on the way can read the key there. Use an address that begins with https://.',
    }
  );
}

async function checkKey(connection: Connection): Promise<Finding> {
  const asked = await askOne(jsonTransport(connection, TIMEOUT_MS), { type: 'balance' });
  return asked.ok ? undefined : explain(asked.problem);
}

/**
 * Asks for the balance at the queue too, which sends and charges nothing. Any answer of an API will do: the balance itself doesn't come
 * back from this endpoint (gateway-api.md, "Asynchronous answers").
 */
async function checkAsync(connection: Connection): Promise<Finding> {
  const operations: WireOperation[] = [{ type: 'balance' }];
  const verdict = judge(
    'async',
    await jsonTransport(connection, TIMEOUT_MS)('async', operations),
    operations,
  );
  if (verdict.kind === 'results') return undefined;
  const { problem } = verdict;
  const explanation = explain(problem, { address: 'asyncUrl' });
  // Any server that refuses a request has an API, unless its code says that the address is wrong.
  const isWrong = problem.kind !== 'request' || explanation.failure?.cause === 'configuration-invalid';
  return isWrong ? inField('asyncUrl', explanation) : undefined;
}

async function checkConnector(connection: Connection): Promise<Finding> {
  const health = await new ConnectorClient(connectorTransport(connection, TIMEOUT_MS)).health();
  return health.ok ? undefined : inField('mcpUrl', explainConnector(health.problem));
}

/** Returns a finding with the label of its field in front. */
const inField = (field: AddressField, { message, description }: NonNullable<Finding>): Finding => ({
  message: `${credentialLabel(field)}: ${message}`,
  description,
});
