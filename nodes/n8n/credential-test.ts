import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  ICredentialDataDecryptedObject,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import type { EndpointName } from '../gateway/client/addresses';
import { endpointUrl } from '../gateway/client/addresses';
import { authenticateRequest } from './authenticate';
import { judge } from '../gateway/client/read-answer';
import type { WireOperation } from '../gateway/contract/operations';
import { explain } from '../gateway/errors/catalogue';
import { classifyTransportError } from '../gateway/errors/classify';
import type { Problem } from '../gateway/errors/problem';
import { keyRedactor } from '../gateway/errors/redact';
import { PLAIN_WORDS } from '../gateway/errors/words';

const TIMEOUT = 15_000;
const QUESTION: WireOperation = { type: 'balance' };

/**
 * Tests a credential by asking for the balance; returns the gateway's words and what to check. A refused key comes with
 * HTTP status 200 (gateway-api.md, "Errors"), so the body decides.
 */
export async function testCredential(
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const data = credential.data ?? {};
  const addressProblem = checkAddresses(data);
  if (addressProblem !== undefined) return { status: 'Error', message: addressProblem };
  const problem = await askBalance(this, data);
  if (problem === undefined) return { status: 'OK', message: 'The gateway accepted the key' };
  const { message, description } = explain(problem, { ...PLAIN_WORDS, addresses: ['baseUrl'] });
  return { status: 'Error', message: keyRedactor(String(data.apiKey ?? ''))(`${message}. ${description}`) };
}

/** The base address is required; the other two only have to be addresses if they are filled in. */
function checkAddresses(data: ICredentialDataDecryptedObject): string | undefined {
  const filled = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  const toCheck: EndpointName[] = [
    'sync',
    ...(filled(data.asyncUrl) ? (['async'] as const) : []),
    ...(filled(data.mcpUrl) ? (['connector'] as const) : []),
  ];
  for (const endpoint of toCheck) {
    const address = endpointUrl(data, endpoint);
    if (!address.ok) return `${address.message}. ${address.description}`;
  }
  return undefined;
}

async function askBalance(
  { helpers }: ICredentialTestFunctions,
  data: ICredentialDataDecryptedObject,
): Promise<Problem | undefined> {
  const address = endpointUrl(data, 'sync');
  if (!address.ok) return { kind: 'unreachable', code: 'ERR_INVALID_URL' };
  const { body } = authenticateRequest(data, { url: address.url, body: { data: [QUESTION] } });
  try {
    const response = (await helpers.request({
      method: 'POST',
      uri: address.url,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
      resolveWithFullResponse: true,
      simple: false,
      followRedirect: false,
      timeout: TIMEOUT,
    })) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
    return readProblem(response);
  } catch (error) {
    return classifyTransportError(error);
  }
}

function readProblem(response: {
  statusCode: number;
  headers: Record<string, unknown>;
  body: unknown;
}): Problem | undefined {
  const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body ?? '');
  const verdict = judge(
    'sync',
    {
      kind: 'answer',
      status: response.statusCode,
      contentType: String(response.headers['content-type'] ?? ''),
      body: text,
    },
    [QUESTION],
  );
  if (verdict.kind !== 'results') return verdict.problem;
  const [item] = verdict.items;
  return item.kind === 'accepted' ? undefined : item.problem;
}
