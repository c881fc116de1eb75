/** No text from outside holds n8n: whatever it is made of, each of its readers takes about as long as for an ordinary text. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Row } from '../../nodes/gateway/client/row.ts';
import { askAbout, questionSize } from '../../nodes/gateway/client/status.ts';
import type { Transport } from '../../nodes/gateway/client/transport.ts';
import { parseCallback } from '../../nodes/gateway/callback/parse.ts';
import type { Exports, Reader } from '../support/outside-readers.mts';
import { READERS } from '../support/outside-readers.mts';

const NODES = join(import.meta.dirname, '..', '..', 'nodes');
const LENGTH = 200_000;

/** Folders of which every file may read a text from outside; other files are in the table of readers by name. */
const FOLDERS = [
  'callback',
  'client',
  'connector',
  'delivery',
  'errors',
  'keys',
  'pages',
  'payloads',
  'text',
];
const UNREAD = [
  'gateway/client/addresses',
  'gateway/client/inquiry',
  'gateway/client/wait',
  'gateway/delivery/outcomes',
  'gateway/errors/http-statuses',
  'gateway/errors/words',
  'gateway/keys/derive',
];

/** What texts are made of that keep readers busy: each pattern of theirs looks for the end of some of these. */
const ALPHABETS: Record<string, string> = {
  blanks: ' \u00a0\t',
  'line ends': '\r\n\r',
  dots: '.',
  'signs that NFKC makes 4 of': '\u2057',
  'signs that NFKC makes 18 of': '\ufdfa',
  marks: '\u0301\u0323',
  'halves of pairs': '\ud83d',
  'digits of several scripts': '0٣५',
  'controls and invisible signs': '\u0000\u200b\u202e',
  'families of emoji': '👨‍👩‍👧🇺🇦',
  brackets: '[{"a":',
  'closed brackets': '{"a":[]},',
  'quotes and backslashes': '"\\',
  'parts of addresses': 'a@b.https://',
  'parts of forms': '%5B&a[]=',
  markup: '<html>&',
  events: 'data: \n\n',
  'words of refusals': 'id not found_ no such message ',
};
const made = (unit: string): string => `a${unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)}a`;
const ORDINARY = made('Your order is on its way. ');

/** Milliseconds that are nothing, whatever an ordinary text takes; n8n's other users notice 200. */
const NOTHING_MS = 100;
const MOST_TRIES = 4;

/** The milliseconds of processor time that reading a text takes: of the first try below a limit, else of the fastest. */
async function timeOf(read: Reader, text: string, limit: number): Promise<number> {
  let fastest = Infinity;
  // What takes ten times as long isn't slow by chance.
  for (
    let tries = 0;
    tries < MOST_TRIES && fastest > limit && (tries === 0 || fastest < 10 * limit || limit === 0);
    tries++
  ) {
    const start = process.threadCpuUsage();
    await read(text);
    const { user, system } = process.threadCpuUsage(start);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}

const exportsOf = async (file: string) => (await import(join(NODES, `${file}.ts`))) as Exports;

it('every file of the folders that read texts from outside is in the table, or named as one that reads none', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(NODES, 'gateway', folder)).map(
      (name) => `gateway/${folder}/${name.replace(/\.ts$/, '')}`,
    ),
  );
  const named = [...Object.keys(READERS), ...UNREAD];
  expect(files.filter((file) => !named.includes(file))).toEqual([
    'gateway/client/transport',
    'gateway/connector/transport',
    'gateway/errors/problem',
  ]);
});

describe.each(Object.entries(READERS))('%s', (file, readersOf) => {
  it('has a reader in the table for each function, and each is through with any text in no time', async () => {
    const exported = await exportsOf(file);
    const readers = readersOf(exported);
    const functions = Object.keys(exported).filter((name) => typeof exported[name] === 'function');
    expect(Object.keys(readers).sort()).toEqual(functions.sort());
    const slow: unknown[] = [];
    for (const [name, read] of Object.entries(readers)) {
      if (read === undefined) continue;
      const limit = NOTHING_MS + 10 * (await timeOf(read, ORDINARY, 0));
      for (const [alphabet, unit] of Object.entries(ALPHABETS)) {
        const time = await timeOf(read, made(unit), limit);
        if (time > limit) slow.push({ name, alphabet, time, limit });
      }
    }
    expect(slow).toEqual([]);
  });
});

it.each<[what: string, body: unknown]>([
  ['keys', `{"success":true,"id":1,${Array.from({ length: LENGTH / 14 }, (_, i) => `"key${i}":1`).join()}}`],
  ['lists in each other', '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2)],
  ['objects in each other', `${'{"a":'.repeat(LENGTH / 6)}1${'}'.repeat(LENGTH / 6)}`],
  [
    'callbacks',
    Array.from({ length: 1000 }, (_, id) => ({ success: true, id, replies: [{ media: { url: 'u' } }] })),
  ],
  [
    'replies',
    { success: true, id: 1, replies: Array.from({ length: 2000 }, () => ({ message: 'a', media: {} })) },
  ],
  ...['field#', 'a[#]', 'a[][b#]', 'a[b#][c][d][e][f]', 'a#[b]'].map((name): [string, unknown] => [
    `form fields named ${name}`,
    Object.fromEntries(Array.from({ length: LENGTH / 14 }, (_, i) => [name.replace('#', String(i)), '1'])),
  ]),
])('a body of thousands of %s is read in no time', async (_, body) => {
  expect(await timeOf(() => parseCallback(body), '', NOTHING_MS)).toBeLessThan(NOTHING_MS);
});

it.each<[what: string, result: object]>([
  ['an error of 200 KB', { success: false, error: '1a'.repeat(LENGTH / 2) }],
  ['a text of 200 KB', { success: true, data: { note: '1a'.repeat(LENGTH / 2) } }],
  [
    'thousands of fields',
    {
      success: true,
      data: Object.fromEntries(Array.from({ length: LENGTH / 40 }, (_, i) => [`key${i}`, `${i}`])),
    },
  ],
])(
  'an answer about 100 messages is read in no time, though what it says of unknown ones is %s',
  async (_, long) => {
    const messages = Array.from(
      { length: 100 },
      (__, i): Row => ({
        operation: { type: 'sms', id: 10 + i, phone: 380501234567 },
        endpoint: 'sync',
        state: { is: 'unknown', problem: { kind: 'timeout' } },
      }),
    );
    const data = [...messages.map(() => ({ success: false, error: 'None' })), long, long, long];
    const body = JSON.stringify({ success: true, data });
    const transport: Transport = async () =>
      await Promise.resolve({ kind: 'answer', status: 200, contentType: 'application/json', body });
    const ask = () => askAbout(transport, messages, { unused: [3, 4], known: 2 }, questionSize());
    expect(await timeOf(ask, '', NOTHING_MS)).toBeLessThan(NOTHING_MS);
  },
);
