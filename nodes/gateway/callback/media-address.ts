import { addressOfHost, isLocalName } from '../network/public-address';

export type MediaAddress = { ok: true; url: URL } | { ok: false; reason: string };

const MAX_LENGTH = 2048;

/**
 * Checks an address that media are to be fetched from: https on port 443, a host name (not an IP address in any
 * spelling, public or not) and no user name. `base` is the address that a redirect came from. Returns the URL, or why
 * it is refused; what the host name resolves to has to be checked as well.
 */
export function checkMediaAddress(address: string, base?: URL): MediaAddress {
  if (address.length > MAX_LENGTH) return refuse('the address is too long');
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    // Not an address, which the result says.
    return refuse('the address is not a web address');
  }
  if (url.protocol !== 'https:') return refuse('only https addresses are fetched');
  if (url.username !== '' || url.password !== '') return refuse('the address contains a user name');
  if (url.port !== '') return refuse('only port 443 is allowed');
  if (addressOfHost(url.hostname) !== undefined) return refuse('the host is an IP address instead of a name');
  if (isLocalName(url.hostname)) return refuse('the host is a local name');
  return { ok: true, url };
}

const refuse = (reason: string): MediaAddress => ({ ok: false, reason });
