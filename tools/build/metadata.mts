import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { GeneratedFile } from './generated-file.mts';

/** n8n's loader of packages, as far as it is used here. */
interface Loader {
  loadAll(): Promise<void>;
  known: { nodes: object; credentials: object };
  types: { nodes: Array<Record<string, unknown>>; credentials: object[] };
}

/** Read by n8n only. */
const compact = (path: string, value: unknown): GeneratedFile => ({ path, text: JSON.stringify(value) });

/**
 * What n8n would find out by loading the built package: its types and where their code is. n8n reads these files in
 * place of the code when it starts, as it does for its own nodes, and loads the code when a workflow needs it.
 */
export async function metadata(root: string): Promise<GeneratedFile[]> {
  const require = createRequire(join(root, 'package.json'));
  const { PackageDirectoryLoader } = require('n8n-core') as {
    PackageDirectoryLoader: new (folder: string) => Loader;
  };
  const loader = new PackageDirectoryLoader(root);
  await loader.loadAll();
  const { known, types } = loader;
  return [
    compact('known/nodes.json', known.nodes),
    compact('known/credentials.json', known.credentials),
    // n8n has no use for the names of a node's methods in it.
    compact(
      'types/nodes.json',
      types.nodes.map(({ __loadOptionsMethods: _, ...description }) => description),
    ),
    compact('types/credentials.json', types.credentials),
  ];
}
