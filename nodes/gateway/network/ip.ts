/**
 * IP addresses and ranges. An address is a number of 128 bits; IPv4 addresses are mapped into IPv6 as the standard has it
 * (::ffff:a.b.c.d), so that both spellings of an address are equal.
 */

export interface IpRange {
  address: bigint;
  /** The number of leading bits that an address must share, 0 to 128. */
  bits: number;
}

const GROUPS = 8;
const IPV4_PREFIX = [0, 0, 0, 0, 0, 0xffff];
const IPV4_OFFSET_BITS = 96;
/** The longest IPv6 address has 45 characters; the rest is for a zone. */
const MAX_LENGTH = 100;

/** An IPv4 address in dotted decimal notation or an IPv6 address; undefined for any other text. */
export function parseIp(text: string): bigint | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const ipv4 = ipv4Groups(text);
  const groups = ipv4 ? [...IPV4_PREFIX, ...ipv4] : ipv6Groups(text);
  return groups?.reduce((address, group) => (address << 16n) + BigInt(group), 0n);
}

/** A range such as 192.0.2.0/24 or 2001:db8::/32, or a single address; undefined for any other text. */
export function parseIpRange(text: string): IpRange | undefined {
  const [network, prefix, rest] = text.split('/', 3);
  const address = parseIp(network);
  if (address === undefined || rest !== undefined) return undefined;
  if (prefix === undefined) return { address, bits: 128 };
  const isIpv4 = !network.includes(':');
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (isIpv4 ? 32 : 128)) return undefined;
  return { address, bits: Number(prefix) + (isIpv4 ? IPV4_OFFSET_BITS : 0) };
}

/** Whether an address, as `parseIp` returns it, lies in a range. */
export const isInRange = (address: bigint, range: IpRange): boolean =>
  (address ^ range.address) >> BigInt(128 - range.bits) === 0n;

/** The two groups of 16 bits of an IPv4 address. */
function ipv4Groups(text: string): number[] | undefined {
  const parts = text.split('.');
  // Some programs read a leading zero as octal and others ignore it, so such an address is ambiguous.
  const isAddress = parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  if (parts.length !== 4 || !isAddress) return undefined;
  const [a, b, c, d] = parts.map(Number);
  return [a * 256 + b, c * 256 + d];
}

function ipv6Groups(text: string): number[] | undefined {
  // A zone (fe80::1%eth0) says through which interface an address is reached.
  const [bare] = text.split('%', 1);
  const [head, tail, ...others] = bare.split('::').map((half) => (half === '' ? [] : groupsOf(half)));
  const all = [...head, ...(tail ?? [])];
  if (all.includes(NaN) || others.length > 0) return undefined;
  // The two colons stand for at least one group of zeros.
  const missing = GROUPS - all.length;
  if (tail === undefined || missing < 1) return tail === undefined && missing === 0 ? head : undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** The groups between colons, the last of which may be an IPv4 address; NaN for anything else. */
const groupsOf = (half: string): number[] =>
  half.split(':').flatMap((group, i, { length }) => {
    if (/^[\da-f]{1,4}$/i.test(group)) return [parseInt(group, 16)];
    return (i === length - 1 ? ipv4Groups(group) : undefined) ?? [NaN];
  });
