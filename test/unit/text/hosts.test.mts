import { BlockList, isIP, isIPv6 } from 'node:net';

import fc from '../../support/generated.mts';

import {
  isInRange,
  isLocalHost,
  parseCallerIp,
  parseIp,
  parseIpRange,
} from '../../../nodes/gateway/text/hosts.ts';
import { shortOrLong } from '../../support/long-form.mts';

const nearlyAddress = fc.stringMatching(/^[0-9a-f:.%]{1,20}$|^[0-9a-f.]{5,9}$/);

it('recognises addresses as Node does', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), nearlyAddress), (text) => {
      if (text.includes('%')) return;
      expect([text, parseIp(text) !== undefined]).toEqual([text, isIP(text) !== 0]);
    }),
    { numRuns: shortOrLong(1000, 5000) },
  );
});

it.each(['::1]/', '::1]:80/[', 'x]@[::1', '[::1]', '::1@[::2'])('%j around an address makes none', (text) =>
  expect(parseIp(text)).toBeUndefined(),
);

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8::9]:51234', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
])('takes the caller %s for %s', (caller, address) => {
  expect(parseIp(address)).toBeDefined();
  expect(parseCallerIp(caller)).toBe(parseIp(address));
});

it.each(['[203.0.113.9', '203.0.113.9:', '203.0.113.9:x', '[[::1]]', '[::1]:80:80', '[]:80', ''])(
  'takes %j for no caller',
  (text) => expect(parseCallerIp(text)).toBeUndefined(),
);

it('finds addresses in ranges as Node does', () => {
  const range = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
    fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
  );
  fc.assert(
    fc.property(range, fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), ([network, bits], other, share) => {
      const list = new BlockList();
      list.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4');
      const own = parseIpRange(`${network}/${bits}`);
      if (own === undefined) throw new Error('no range');
      // Half of the addresses are near the range, or hardly any would lie in it.
      const address = share % 2 ? other : network;
      const expected = list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
      expect([address, isInRange(parseIp(address)!, own)]).toEqual([address, expected]);
    }),
    { numRuns: shortOrLong(1000, 5000) },
  );
});

it.each([
  ...['192.0.2.0/33', '2001:db8::/129', '192.0.2.0/', '192.0.2.0/x', '192.0.2/24', '1.2.3.4/8/8', 'all', ''],
  ...['192.0.2.0/+8', '192.0.2.0/8 ', '192.0.2.0/0x8', 'x::1/64', '::1x/64'],
])('"%s" is not a range', (text) => expect(parseIpRange(text)).toBeUndefined());

it.each([
  ['a range of one', '192.0.2.10', '192.0.2.11', false],
  ['a mapped address', '192.0.2.0/24', '::ffff:192.0.2.10', true],
  ['a mapped address in hexadecimal', '192.0.2.0/24', '::ffff:c000:20a', true],
  ['an address with a zone', 'fe80::/10', 'fe80::1%eth0', true],
])('an address is compared with a range: %s', (_, range, address, inside) => {
  expect(isInRange(parseIp(address)!, parseIpRange(range)!)).toBe(inside);
});

const LOCAL = `0.0.0.0 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1
  172.31.255.255 192.168.1.1 [::] [::1] [fe80::1] [fc00::1] [fd00:ec2::254] [::ffff:127.0.0.1] localhost intern gw.local
  GW.LAN. a.home.arpa`;

it.each(LOCAL.split(/\s+/))('%s is on this machine or in a private network', (host) =>
  expect(isLocalHost(host)).toBe(true),
);

const ELSEWHERE = `8.8.8.8 100.63.0.1 172.15.0.1 172.32.0.1 [::2] [2606:4700::1] [::ffff:8.8.8.8] example.com
  gw.local.example.com mylocal.example [8.8.8.8x.example`;

it.each(ELSEWHERE.split(/\s+/))('%s is not', (host) => expect(isLocalHost(host)).toBe(false));
