import { toUrl } from '../text/url';
import { addressOfHost, isLocalName } from './hosts';

/**
 * Checks an address that media are to be fetched from: https on port 443, a host name (not an IP address in any
 * spelling, public or not) and no user name. `base` is the address that a redirect came from. Returns the URL, or why
 * it is refused; what the host name resolves to has to be checked as well.
 */
export function mediaUrl(address: string, base?: URL): URL | string {
  if (address.length > 2048) return 'the address is too long';
  const url = toUrl(address, base);
  if (url === undefined) return 'the address is not a web address';
  if (url.protocol !== 'https:') return 'only https addresses are fetched';
  if (url.username !== '' || url.password !== '') return 'the address contains a user name';
  if (url.port !== '') return 'only port 443 is allowed';
  if (addressOfHost(url.hostname) !== undefined) return 'the host is an IP address instead of a name';
  return isLocalName(url.hostname) ? 'the host is a local name' : url;
}
