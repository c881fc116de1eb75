/**
 * What a package costs an n8n that has loaded its own nodes: run in a process of its own, with --expose-gc, for one
 * node type. Prints one line of JSON. Usage: load-cost.mts <folder of the package> <node type>
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { LoadCost } from './load.mts';
import { N8N_FOLDER } from './load.mts';

interface Loader {
  loadAll(): Promise<void>;
  getNode(type: string): unknown;
  getCredential(type: string): unknown;
  known: { credentials: Record<string, unknown> };
  types: { nodes: Array<{ name: string }> };
}

const [folder, nodeType] = process.argv.slice(2);
const require = createRequire(join(N8N_FOLDER, 'package.json'));
const { LazyPackageDirectoryLoader } = require('n8n-core') as {
  LazyPackageDirectoryLoader: new (folder: string) => Loader;
};
// n8n's nodes are there before a community package is loaded, and with them what both use.
const base = dirname(require.resolve('n8n-nodes-base/package.json'));
const own = new LazyPackageDirectoryLoader(base);
await own.loadAll();
own.getNode('httpRequest');
own.getNode('webhook');
require('zod');
require('zod/v3');

const memory = () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
async function cost(work: () => Promise<void> | void) {
  const before = memory();
  // Time of the processor: other programs of the machine don't count.
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  const milliseconds = (user + system) / 1000;
  return { milliseconds, megabytes: (memory() - before) / 2 ** 20 };
}

const isOwn = folder === base;
const loader = isOwn ? own : new LazyPackageDirectoryLoader(folder);
const start = await cost(async () => {
  if (isOwn) return;
  await loader.loadAll();
  // n8n asks for each credential when it starts.
  for (const name of Object.keys(loader.known.credentials)) loader.getCredential(name);
});
const described = (
  JSON.parse(readFileSync(join(folder, 'dist/types/nodes.json'), 'utf8')) as typeof loader.types.nodes
)
  .filter(({ name }) => name === nodeType)
  .reduce((sum, description) => sum + Buffer.byteLength(JSON.stringify(description)), 0);
const firstUse = await cost(() => void loader.getNode(nodeType));
console.log(JSON.stringify({ nodeType, start, firstUse, bytes: described } satisfies LoadCost));
