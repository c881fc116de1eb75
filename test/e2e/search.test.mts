/** At which place n8n's own searches list the built package, among all of n8n's nodes, for what people type. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { installationOf } from '../../tools/n8n-host/installations.mts';
import { ROOT } from '../../tools/paths.mts';

/** For each word: the last place that is good enough in the editor, and in the catalog of assistants, which see five. */
const PLACES: Record<string, [editor: number, catalog: number]> = {
  // The nodes that come first are of providers of SMS, found by the same word, in the order of n8n's favour.
  sms: [5, 6],
  viber: [1, 1],
  rcs: [1, 1],
  otp: [2, 2],
  'two factor': [1, 3],
  // Behind n8n's own node for codes of an app.
  '2fa': [2, 2],
  'verification code': [1, 2],
  'verify phone': [1, 2],
  'telegram code': [1, 4],
  notify: [1, 1],
  'text message': [1, 2],
  // Behind n8n's own node: this one has WhatsApp as a fallback, and for codes and approvals.
  whatsapp: [2, 3],
  // Behind all of n8n's nodes that ask a person, by the same word.
  approval: [10, 10],
  approve: [2, 2],
  'approve by sms': [1, 2],
};

const PACKAGE = 'n8n-nodes-messaging-gateway';
const n8n = realpathSync(installationOf('newest').bin);
const MODULES = join(n8n, '..', '..', '..');
const load = createRequire(n8n);

interface Found {
  item: { key: string };
  score: number;
}
const { sublimeSearch } = load('@n8n/utils/search/sublime-search') as {
  sublimeSearch(word: string, items: object[]): Found[];
};
interface Catalog {
  searchNodeTypes(word: string, limit: number): Array<{ id: string }>;
}
const { NodeTypeParser } = load('@n8n/ai-utilities/node-catalog') as {
  NodeTypeParser: new (types: INodeTypeDescription[]) => Catalog;
};

const typesIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'dist/types/nodes.json'), 'utf8')) as INodeTypeDescription[];
const prefixed = (name: string, types: INodeTypeDescription[]) =>
  types.filter(({ hidden }) => !hidden).map((type) => ({ ...type, name: `${name}.${type.name}` }));
const ALL = [
  ...['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) =>
    prefixed(name, typesIn(join(MODULES, name))),
  ),
  ...prefixed(PACKAGE, typesIn(ROOT)),
];
const NAMES = new Set(ALL.map(({ name }) => name));

/** What the editor adds to the score of a node that many use: a table within its code. */
function favours(): Map<string, number> {
  const assets = join(MODULES, 'n8n-editor-ui/dist/assets');
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
  const texts = scripts.map((file) => readFileSync(join(assets, file), 'utf8'));
  const table = texts.find((text) => text.includes('{id:`n8n-nodes-base.code`,popularity:')) ?? '';
  const entries = table.matchAll(/\{id:`([^`]+)`,popularity:([\d.]+)\}/g);
  return new Map([...entries].map(([, id, popularity]) => [id, Number(popularity) * 100]));
}

const isOurs = (name: string) => name.startsWith(PACKAGE);

it('stands where people look in the list of nodes, and in the catalog that assistants search', () => {
  const favour = favours();
  expect(favour.size).toBeGreaterThan(300);
  const newest = new Map(ALL.map((type) => [type.name, type]));
  // A trigger is listed with the node that it belongs to.
  const listed = [...newest.values()]
    .filter(({ name }) => !name.endsWith('Trigger') || !NAMES.has(name.replace('Trigger', '')))
    .map(({ name, displayName, codex }) => ({ key: name, properties: { displayName, codex } }));
  const catalog = new NodeTypeParser(ALL);
  const places = Object.keys(PLACES).map((word) => {
    const total = ({ item, score }: Found) => score + (favour.get(item.key) ?? 0);
    const inEditor = sublimeSearch(word, listed).sort((a, b) => total(b) - total(a));
    return [
      word,
      [
        inEditor.findIndex(({ item }) => isOurs(item.key)) + 1,
        catalog.searchNodeTypes(word, listed.length).findIndex(({ id }) => isOurs(id)) + 1,
      ],
    ];
  });
  expect(Object.fromEntries(places)).toEqual(PLACES);
});
