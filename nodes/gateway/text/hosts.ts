/** Parses a URL; undefined for any other text. (`URL.canParse` of Node 24 takes hosts for valid that `new URL` refuses.) */
export function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // Not a URL, which the callers say.
    return undefined;
  }
}

/** A range of IP addresses, which are numbers of 128 bits. */
interface IpRange {
  /** An IP address in the range. */
  ip: bigint;

  /** The number of leading bits that all IP addresses of the range share, 0 to 128. */
  bits: number;
}

/**
 * Reads an IPv4 address in dotted decimal notation or an IPv6 address; undefined for any other text. IPv4 addresses are mapped
 * into IPv6 as the standard has it (::ffff:a.b.c.d), so that both spellings of an IP address are equal.
 */
export function parseIp(text: string): bigint | undefined {
  // A zone (fe80::1%eth0) only says through which interface of this machine the IP address is reached.
  const ipv6 = text.includes(':') ? text.split('%', 1)[0] : `::ffff:${text}`;
  if (!/^[\da-f:.]{2,45}$/i.test(ipv6) || !/[:.]/.test(text)) return undefined;
  // The parser of URLs writes an IP address in hexadecimal groups, and refuses leading zeros, which some programs read as octal.
  const hostname = toUrl(`http://[${ipv6}]`)?.hostname;
  if (hostname === undefined) return undefined;
  const [head, tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((ip, group) => (ip << 16n) + BigInt(`0x${group}`), 0n);
}

/** An IPv6 address in brackets, with or without a port; or an IPv4 address with a port. */
const WITH_PORT = /^(?:\[([^[\]]+)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/;

/**
 * Returns a caller's IP as `parseIp` does. Proxies may write the caller's port behind the IP, and an IPv6 address in brackets.
 */
export function parseCallerIp(text: string): bigint | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  return parseIp(bracketed ?? dotted ?? text);
}

/** Reads a range such as 192.0.2.0/24 or 2001:db8::/32, or a single IP address; undefined for any other text. */
export function parseIpRange(text: string): IpRange | undefined {
  const [network, prefix, rest] = text.split('/', 3);
  const ip = parseIp(network);
  if (ip === undefined || rest !== undefined) return undefined;
  if (prefix === undefined) return { ip, bits: 128 };
  const maxBits = network.includes(':') ? 128 : 32;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > maxBits) return undefined;
  return { ip, bits: 128 - maxBits + Number(prefix) };
}

/** Whether an IP address, as `parseIp` returns it, lies in a range. */
export const isInRange = (ip: bigint, range: IpRange): boolean =>
  (ip ^ range.ip) >> BigInt(128 - range.bits) === 0n;

/** Ranges that nobody reaches from the internet. */
const LOCAL_RANGES = [
  '0.0.0.0/8', // this machine
  '10.0.0.0/8', // private networks
  '100.64.0.0/10', // networks behind the NAT of a carrier
  '127.0.0.0/8', // this machine
  '169.254.0.0/16', // machines that gave themselves an IP address
  '172.16.0.0/12', // private networks
  '192.168.0.0/16', // private networks
  '::/127', // this machine
  'fc00::/7', // private networks
  'fe80::/10', // machines that gave themselves an IP address
].map((text) => parseIpRange(text) as IpRange);

/** Names without a domain, or in a domain that is reserved for private networks and doesn't resolve on the internet. */
const LOCAL_NAME = /^[^.]*$|\.(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/i;

/** Whether the host of a URL, a name or an IP address, is on this machine or in a private network. */
export function isLocalHost(hostname: string): boolean {
  const ip = parseIp(hostname.replace(/^\[|\]$/g, ''));
  return ip === undefined
    ? LOCAL_NAME.test(hostname.replace(/\.$/, ''))
    : LOCAL_RANGES.some((range) => isInRange(ip, range));
}
