import { ENDPOINT_PATHS } from '../contract/envelope';

/** The addresses of the credential. */
export interface Addresses {
  baseUrl?: unknown;
  asyncUrl?: unknown;
  mcpUrl?: unknown;
}

export type EndpointName = keyof typeof ENDPOINT_PATHS;

const FIELDS: Record<EndpointName, { field: keyof Addresses; displayName: string }> = {
  sync: { field: 'baseUrl', displayName: 'Base URL' },
  async: { field: 'asyncUrl', displayName: 'Async URL' },
  connector: { field: 'mcpUrl', displayName: 'Assistant Connector URL' },
  health: { field: 'mcpUrl', displayName: 'Assistant Connector URL' },
};

export type AddressResult = { ok: true; url: string } | { ok: false; message: string; description: string };

/**
 * The address of an endpoint (gateway-api.md, "Endpoints") from the addresses of the credential, which may be
 * written with or without a trailing slash, and with or without the endpoint's own path.
 */
export function endpointUrl(addresses: Addresses, endpoint: EndpointName): AddressResult {
  const { field, displayName } = FIELDS[endpoint];
  const written = addresses[field];
  const text = typeof written === 'string' ? written.trim() : '';
  const where = `Open the credential and fill in '${displayName}'`;
  if (text === '') {
    return { ok: false, message: `'${displayName}' of the credential is empty`, description: `${where}.` };
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // Said in the result: an address without a scheme or with a typing error.
    return wrong(displayName, where);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return wrong(displayName, where);
  const path = ENDPOINT_PATHS[endpoint];
  const base = url.pathname.replace(/\/+$/, '');
  // Somebody who copied the full address of one endpoint of a server means that server.
  const known = Object.values(ENDPOINT_PATHS).find((ending) => base.endsWith(ending));
  url.pathname = `${known === undefined ? base : base.slice(0, -known.length)}${path}`;
  url.hash = '';
  return { ok: true, url: url.toString() };
}

const wrong = (displayName: string, where: string): AddressResult => ({
  ok: false,
  message: `'${displayName}' of the credential is not a web address`,
  description: `${where} with an address that starts with https:// or http://, for example https://api.example.com.`,
});
