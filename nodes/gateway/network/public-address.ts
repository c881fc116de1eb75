import type { IpRange } from './ip';
import { isInRange, parseIp, parseIpRange } from './ip';

const ranges = (...texts: string[]): IpRange[] => texts.map((text) => parseIpRange(text) as IpRange);

/** IPv4 ranges outside the public internet: IANA's registry of special-purpose addresses, and multicast. */
const SPECIAL_IPV4 = ranges(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Looks public, but is a service of the host inside every Azure machine.
  '168.63.129.16',
);

/** The part of IPv6 that is assigned to the public internet; the rest is local, multicast, or translates IPv4. */
const [GLOBAL_IPV6] = ranges('2000::/3');

/** Exceptions within it: protocol assignments with Teredo, documentation, and 6to4, which wraps IPv4 addresses. */
const SPECIAL_IPV6 = ranges('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** Whether a text is an IP address on the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = parseIp(text);
  if (address === undefined) return false;
  if (!text.includes(':')) return !SPECIAL_IPV4.some((range) => isInRange(address, range));
  return isInRange(address, GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => isInRange(address, range));
}

/** Parses a URL; undefined for any other text. (`URL.canParse` of Node 24 takes hosts for valid that `new URL` refuses.) */
export function toUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    // Not a URL, which the callers say.
    return undefined;
  }
}

/** The IP address in the host of a URL, without the brackets of IPv6; undefined where the host is a name. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return parseIp(bare) === undefined ? undefined : bare;
}

/** Names without a domain, or under one that is reserved for private networks and doesn't resolve on the internet. */
const LOCAL_NAME = /^[^.]*$|\.(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/i;

/** Whether a host name only works in a local network. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAME.test(hostname.replace(/\.$/, ''));
