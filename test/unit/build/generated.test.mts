/** What the build writes and the repository holds: committed as it is written. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as channels from '../../../nodes/gateway/contract/channels.ts';
import * as operations from '../../../nodes/gateway/contract/operations.ts';
import * as wireFields from '../../../nodes/gateway/contract/wire-fields.ts';
import { explain } from '../../../nodes/gateway/errors/catalogue.ts';
import { STATUS_ENTRIES, TEXT_ENTRIES } from '../../../nodes/gateway/errors/entries.ts';
import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';
import { RESOURCES } from '../../../nodes/MessagingGateway/run/description.ts';
import { properties } from '../../../nodes/MessagingGatewayTrigger/properties.ts';
import { callingCodes } from '../../../tools/calling-codes.mts';
import { contractTables } from '../../../tools/build/contract-tables.mts';
import { errorTables } from '../../../tools/build/error-tables.mts';
import { examplesPage } from '../../../tools/build/examples-page.mts';
import { reference } from '../../../tools/build/reference.mts';
import { withTables } from '../../../tools/build/tables.mts';
import { readExamples } from '../../../tools/n8n-host/workflow.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const node = {
  operations: OPERATIONS,
  textEntries: TEXT_ENTRIES,
  statusEntries: STATUS_ENTRIES,
  explain,
};

it('is committed as the build writes it', async () => {
  const filled = (path: string, tables: Record<string, string[][]>) => {
    // Each table has a section of the page that it goes into.
    expect(read(path).match(/(?<=^#+ ).+/gm)).toEqual(expect.arrayContaining(Object.keys(tables)));
    return [path, withTables(read(path), tables)];
  };
  const files = [
    ['docs/reference.md', reference(OPERATIONS, RESOURCES, properties)],
    ['docs/examples.md', examplesPage(await readExamples())],
    filled('docs/when-something-fails.md', errorTables(node)),
    filled('docs/gateway-api.md', contractTables({ ...channels, ...operations, ...wireFields })),
    ['nodes/gateway/numbers/calling-codes.ts', callingCodes()],
  ];
  for (const [path, text] of files) expect([path, read(path)]).toEqual([path, text]);
});

it('tells nobody to run again what may have been sent', () => {
  const lost = errorTables(node)['The answer was lost'].map(([, advice]) => advice);
  expect(lost.length).toBeGreaterThan(4);
  expect(lost.filter((advice) => /\bagain\b/.test(advice))).toEqual([]);
});

it('describes errors of the node itself in the words of its code', () => {
  const code = globSync('nodes/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const page = read('docs/when-something-fails.md');
  const own = page.slice(page.indexOf('## The node refuses'), page.indexOf('## No callbacks'));
  const titles = [...own.matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, title]) => title)
    .filter((title) => !/^(Error|-+)$/.test(title));
  expect(titles.length).toBeGreaterThan(25);
  // Without labels, and without what differs.
  const words = titles
    .flatMap((title) => title.split(/(?<!\w)'[A-Z…][^']*'|[…;]/))
    .map((part) => part.trim());
  expect(words.filter((part) => !code.includes(part))).toEqual([]);
});

it('says of each example what to change before a run', async () => {
  const notes = Object.entries(await readExamples()).map(([file, { nodes }]) => {
    const texts = nodes.flatMap(({ parameters }) => (parameters.content ? [String(parameters.content)] : []));
    return { file, text: texts.join('\n') };
  });
  expect(notes.length).toBeGreaterThan(20);
  const silent = notes.filter(({ text }) => !/\*\*(Before you run it|To try it):\*\*/.test(text));
  expect(silent.map(({ file }) => file)).toEqual([]);
});

it('ships no example with a trigger that anybody could call: each has a Secret that its user has to write', async () => {
  const triggers = Object.entries(await readExamples()).flatMap(([file, { nodes }]) =>
    nodes
      .filter(({ type }) => type.endsWith('.messagingGatewayTrigger'))
      .map(({ parameters }) => [file, (parameters.options as { secret?: string }).secret]),
  );
  expect(triggers.length).toBeGreaterThan(8);
  expect(triggers).toEqual(triggers.map(([file]) => [file, '']));
});
