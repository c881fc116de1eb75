/**
 * IP addresses and ranges. An address is 16 bytes; IPv4 addresses are mapped into IPv6 as the standard has it
 * (::ffff:a.b.c.d), so that both spellings of an address are equal.
 */

export interface IpRange {
  /** 16 bytes. */
  address: number[];
  /** The number of leading bits that an address must share, 0 to 128. */
  bits: number;
}

const BYTES = 16;
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
const IPV4_OFFSET_BITS = 96;
/** The longest IPv6 address has 45 characters; the rest is for a zone. */
const MAX_LENGTH = 100;

/** The bytes of an IPv4 address in dotted decimal notation or of an IPv6 address; undefined for any other text. */
export function parseIp(text: string): number[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (!text.includes(':')) {
    const four = parseIpv4(text);
    return four && [...MAPPED, ...four];
  }
  // A zone (fe80::1%eth0) says through which interface an address is reached.
  return parseIpv6(text.split('%', 1)[0]);
}

/** A range such as 192.0.2.0/24 or 2001:db8::/32, or a single address; undefined for any other text. */
export function parseIpRange(text: string): IpRange | undefined {
  const [network, prefix, rest] = text.split('/', 3);
  const address = parseIp(network);
  if (address === undefined || rest !== undefined) return undefined;
  if (prefix === undefined) return { address, bits: BYTES * 8 };
  const isIpv4 = !network.includes(':');
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (isIpv4 ? 32 : 128)) return undefined;
  return { address, bits: Number(prefix) + (isIpv4 ? IPV4_OFFSET_BITS : 0) };
}

/** Whether an address, as `parseIp` returns it, lies in a range. */
export function isInRange(address: number[], range: IpRange): boolean {
  const whole = Math.floor(range.bits / 8);
  for (let i = 0; i < whole; i++) if (address[i] !== range.address[i]) return false;
  const left = range.bits % 8;
  return left === 0 || (address[whole] ^ range.address[whole]) >> (8 - left) === 0;
}

function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.');
  // Some programs read a leading zero as octal and others ignore it, so such an address is ambiguous.
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::').map((half) => (half === '' ? [] : groupsOf(half)));
  if (halves.length > 2) return undefined;
  const [head, tail = []] = halves;
  if (head === undefined || halves.includes(undefined)) return undefined;
  if (halves.length === 1) return head.length === BYTES ? head : undefined;
  const missing = BYTES - head.length - tail.length;
  // The two colons stand for at least one group of zeros.
  return missing >= 2 ? [...head, ...new Array<number>(missing).fill(0), ...tail] : undefined;
}

function groupsOf(half: string): number[] | undefined {
  const bytes: number[] = [];
  const groups = half.split(':');
  for (const [i, group] of groups.entries()) {
    if (/^[\da-f]{1,4}$/i.test(group)) {
      const value = parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const four = i === groups.length - 1 ? parseIpv4(group) : undefined;
    if (four === undefined) return undefined;
    bytes.push(...four);
  }
  return bytes.length <= BYTES ? bytes : undefined;
}
