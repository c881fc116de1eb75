import type { AddressField } from '../contract/credential';
import { credentialLabel } from '../contract/credential';
import { ENDPOINT_PATHS } from '../contract/envelope';
import { toUrl } from '../text/hosts';

/** The addresses of the credential, as they were written. */
export type Addresses = Partial<Record<AddressField, unknown>>;

export type EndpointName = keyof typeof ENDPOINT_PATHS;

const FIELDS: Record<EndpointName, AddressField> = {
  sync: 'baseUrl',
  async: 'asyncUrl',
  connector: 'mcpUrl',
  health: 'mcpUrl',
};

export type AddressResult = { ok: true; url: string } | { ok: false; message: string; description: string };

/**
 * The address of an endpoint (gateway-api.md, "Addresses") from the addresses of the credential, which may be
 * written with or without a trailing slash, and with or without the endpoint's own path.
 */
export function endpointUrl(addresses: Addresses, endpoint: EndpointName): AddressResult {
  const field = FIELDS[endpoint];
  const label = credentialLabel(field);
  const written = addresses[field];
  const text = typeof written === 'string' ? written.trim() : '';
  const where = `No request was made. Open the credential and fill in ${label}`;
  if (text === '') {
    return { ok: false, message: `${label} of the credential is empty`, description: `${where}.` };
  }
  const url = toUrl(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return {
      ok: false,
      message: `${label} of the credential is not a web address`,
      description: `${where} with an address that starts with https:// or http://, for example https://api.example.com.`,
    };
  }
  const path = ENDPOINT_PATHS[endpoint];
  const base = url.pathname.replace(/\/+$/, '');
  // Somebody who copied the full address of one endpoint of a server means that server.
  const known = Object.values(ENDPOINT_PATHS).find((ending) => base.endsWith(ending));
  url.pathname = `${known === undefined ? base : base.slice(0, -known.length)}${path}`;
  url.hash = '';
  return { ok: true, url: url.toString() };
}
