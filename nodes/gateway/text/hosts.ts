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
  address: bigint;

  /** The number of leading bits that an address must share, 0 to 128. */
  bits: number;
}

/**
 * An IPv4 address in dotted decimal notation or an IPv6 address; undefined for any other text. IPv4 addresses are mapped
 * into IPv6 as the standard has it (::ffff:a.b.c.d), so that both spellings of an address are equal.
 */
export function parseIp(text: string): bigint | undefined {
  // A zone (fe80::1%eth0) says through which interface an address is reached.
  const ipv6 = text.includes(':') ? text.split('%', 1)[0] : `::ffff:${text}`;
  if (!/^[\da-f:.]{2,45}$/i.test(ipv6) || !/[:.]/.test(text)) return undefined;
  // A URL has it in hexadecimal, and refuses what is ambiguous, such as leading zeros that some programs read as octal.
  const hostname = toUrl(`http://[${ipv6}]`)?.hostname;
  if (hostname === undefined) return undefined;
  const [head, tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((address, group) => (address << 16n) + BigInt(`0x${group}`), 0n);
}

/** An IPv6 address in brackets, with or without a port, or an IPv4 address with a port. */
const WITH_PORT = /^(?:\[([^[\]]+)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/;

/**
 * Returns the address of a caller as `parseIp` does. Proxies may write the caller's port behind the address, and an IPv6
 * address in brackets.
 */
export function parseCaller(text: string): bigint | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  return parseIp(bracketed ?? dotted ?? text);
}

/** A range such as 192.0.2.0/24 or 2001:db8::/32, or a single address; undefined for any other text. */
export function parseIpRange(text: string): IpRange | undefined {
  const [network, prefix, rest] = text.split('/', 3);
  const address = parseIp(network);
  if (address === undefined || rest !== undefined) return undefined;
  if (prefix === undefined) return { address, bits: 128 };
  const longest = network.includes(':') ? 128 : 32;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest) return undefined;
  return { address, bits: 128 - longest + Number(prefix) };
}

/** Whether an address, as `parseIp` returns it, lies in a range. */
export const isInRange = (address: bigint, range: IpRange): boolean =>
  (address ^ range.address) >> BigInt(128 - range.bits) === 0n;

/** Ranges of the machine itself, of private networks, and of addresses that machines give themselves. */
const LOCAL_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fc00::/7',
  'fe80::/10',
].map((text) => parseIpRange(text) as IpRange);

/** Names without a domain, or under one that is reserved for private networks and doesn't resolve on the internet. */
const LOCAL_NAME = /^[^.]*$|\.(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/i;

/** Whether the host of a URL, a name or an IP address, is on this machine or in a private network. */
export function isLocalHost(hostname: string): boolean {
  const address = parseIp(hostname.replace(/^\[|\]$/g, ''));
  return address === undefined
    ? LOCAL_NAME.test(hostname.replace(/\.$/, ''))
    : LOCAL_RANGES.some((range) => isInRange(address, range));
}
