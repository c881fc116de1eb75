/** Hostile text costs each reader of callbacks time that grows with its length. */
import { unreachableReason, withoutSecret } from '../../../nodes/gateway/callback/address.ts';
import { parseIp, parseIpRange } from '../../../nodes/gateway/net/hosts.ts';
import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { callbackSchema } from '../../../nodes/gateway/contract/callback.ts';
import { canonicalStatus } from '../../../nodes/gateway/delivery/statuses.ts';
import { isQuick, LENGTH as SIZE, repeated } from '../../support/hostile-texts.mts';

const FIELDS = Object.keys(callbackSchema.shape);

/** A JSON list of that many entries, or of as many as a text of that length holds. */
const listOf = (entry: string, count = Math.floor(SIZE / (entry.length + 1))): string =>
  `[${Array(count).fill(entry).join(',')}]`;
const callback = (fields: string): string => `{"success":true,"id":1,${fields}}`;
const manyKeys = Array.from({ length: SIZE / 14 }, (_, i) => `"key${i}":1`).join(',');

const REPEATED = [
  ...['a', '0', '1.', '.', ':', '::', 'a:', 'ffff:', '%', '/', '//', '\\', '-', '_', ' ', '\t', '=', '&a='],
  ...['[', ']', '[]', '][', '[0]', 'a[0][1]', '{"a":', '"', 'é', '。', 'xn--', '\u0000', '\ud800', '?a='],
  ...['/webhook-test', 'https://', '@', '#', 'DELIVERED_', '?secret='],
];

const TEXTS: Array<[name: string, text: string]> = [
  ...REPEATED.map((unit): [string, string] => [JSON.stringify(unit), repeated(unit)]),
  [
    'different characters',
    Array.from({ length: SIZE }, (_, i) => String.fromCharCode(0x4e00 + (i % 20_000))).join(''),
  ],
  ['nested lists', '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2)],
  ['nested objects', `${'{"a":'.repeat(SIZE / 6)}1${'}'.repeat(SIZE / 6)}`],
  ['many keys', callback(manyKeys)],
  ['many callbacks', listOf(callback('"status":"DELIVERED","replies":[{"message":"a"}]'))],
  ['1000 callbacks', listOf(callback('"replies":[{"media":{"url":"u"}},{"message":"a"}]'), 1000)],
  ['many replies', callback(`"replies":${listOf('{"message":"a","b":{"c":{}}}')}`)],
  ['2000 replies', callback(`"replies":${listOf('{"message":"a","media":{"filesize":""}}', 2000)}`)],
  ...FIELDS.map((field): [string, string] => [
    `blanks in ${field}`,
    callback(`"${field}":"${repeated(' ')}x"`),
  ]),
];

/** The readers that take longer than they may. */
const slow = (readers: Record<string, () => unknown>): string[] =>
  Object.keys(readers).filter((name) => !isQuick(readers[name]));
/** A reader for each of several beginnings of its text. */
const each = (name: string, beginnings: string[], read: (beginning: string) => unknown) =>
  Object.fromEntries(beginnings.map((beginning) => [`${name} ${beginning}`, () => read(beginning)]));

it.each(TEXTS)('every reader of callbacks is through with a long text in no time: %s', (_, text) => {
  const hosts = ['', 'https://', 'https://[', 'https://a.b/', 'https://a.b/?', 'https://a.b/webhook-test'];
  const networks = ['', '::', '1.', '1.2.3.4/', '2001:db8::/', 'fe80::1%'];
  const readers = {
    parseCallback: () => parseCallback(text),
    'parseCallback of a form': () => parseCallback({ [text]: '' }),
    'parseCallback of a name': () => parseCallback({ success: '1', id: '1', [text]: 'a' }),
    'parseCallback of data': () => parseCallback({ data: text }),
    'parseCallback of nested fields': () => parseCallback({ [text]: 'a', 'a[b]': text }),
    ...each('parseCallback of', FIELDS, (field) =>
      parseCallback({ success: 'true', id: '1', [field]: text }),
    ),
    canonicalStatus: () => canonicalStatus(text),
    ...each('withoutSecret', ['', '?secret='], (start) => withoutSecret(start + text)),
    ...each('obstacleTo', hosts, (host) => unreachableReason(host + text)),
    ...each('parseIp', networks, (network) => parseIp(network + text)),
    ...each('parseIpRange', networks, (network) => parseIpRange(network + text)),
  };
  expect(slow(readers)).toEqual([]);
});

it.each<[string, (i: number) => string]>([
  ['plain', (i) => `field${i}`],
  ['in one list', (i) => `a[${i}]`],
  ['appended', (i) => `a[][b${i}]`],
  ['deep', (i) => `a[b${i}][c][d][e][f]`],
  ['side by side', (i) => `a${i}[b]`],
])('thousands of form fields are read in no time: %s', (_, nameOf) => {
  for (const count of [5000, Math.round(SIZE / 14)]) {
    const fields = Object.fromEntries(Array.from({ length: count }, (__, i) => [nameOf(i), '1']));
    const body = { ...fields, success: '1', id: '1' };
    expect(isQuick(() => parseCallback(body))).toBe(true);
  }
});
