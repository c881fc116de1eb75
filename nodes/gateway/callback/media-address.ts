import { addressOfHost, isLocalName } from '../network/public-address';

export type MediaAddress = { ok: true; url: URL } | { ok: false; reason: string };

const MAX_LENGTH = 2048;

/**
 * Whether media may be fetched from an address, judged by its text: https on its own port, of a host that is named
 * (an IP address, in whatever spelling, is refused, whether public or not), without a user name. `base` is the
 * address that a redirect came from. What the name resolves to has to be checked as well.
 */
export function checkMediaAddress(address: string, base?: URL): MediaAddress {
  if (address.length > MAX_LENGTH) return refuse('the address is too long');
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    // Said in the result.
    return refuse('the address is not a web address');
  }
  if (url.protocol !== 'https:') return refuse('only https addresses are fetched');
  if (url.username !== '' || url.password !== '') return refuse('the address carries a user name');
  if (url.port !== '') return refuse('only port 443 is used');
  if (addressOfHost(url.hostname) !== undefined) return refuse('the host is an IP address instead of a name');
  if (url.hostname === '' || isLocalName(url.hostname)) return refuse('the host is a local name');
  return { ok: true, url };
}

const refuse = (reason: string): MediaAddress => ({ ok: false, reason });
