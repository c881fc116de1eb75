import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import type { EndpointName } from '../gateway/client/addresses';
import { endpointUrl } from '../gateway/client/addresses';
import { apiKeyIn } from '../gateway/contract/credential';

/**
 * Returns a request with the API key: as `auth` of the body for the JSON API, as a bearer token for the assistant connector, never
 * both (gateway-api.md, "API key"). The request follows no redirect, which would carry the key to an address that the user did not
 * enter.
 * @throws UserError when the request goes to an address that is not in the credential
 */
export function authenticateRequest(
  credentials: ICredentialDataDecryptedObject,
  request: IHttpRequestOptions,
): IHttpRequestOptions {
  // n8n's HTTP Request node names the address "uri".
  const { uri } = request as { uri?: string };
  const target = withoutQuery(`${request.baseURL ?? ''}${request.url ?? uri ?? ''}`);
  const goesTo = (endpoint: EndpointName) => {
    const address = endpointUrl(credentials, endpoint);
    return address.ok && withoutQuery(address.url) === target;
  };
  const key = apiKeyIn(credentials);
  // n8n's request helpers go by the first name, its HTTP Request node by the second.
  const direct = { ...request, disableFollowRedirect: true, maxRedirects: 0 };
  if (goesTo('sync') || goesTo('async')) return { ...direct, body: withKey(request.body, key) };
  if (goesTo('connector')) {
    return { ...direct, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
  }
  if (goesTo('health')) return direct;
  throw new UserError('The API key is only sent to the addresses of the credential', {
    description: 'Use the address of an endpoint of the gateway, or correct the addresses in the credential.',
  });
}

/** Returns the body with the key: JSON text stays text, an object stays an object. */
function withKey(body: unknown, key: string): IHttpRequestOptions['body'] {
  if (typeof body === 'string') return JSON.stringify(withKey(JSON.parse(body), key));
  const fields = typeof body === 'object' && body !== null ? body : {};
  return { ...fields, auth: key } as IHttpRequestOptions['body'];
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '');
