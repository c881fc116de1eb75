/**
 * Builds what the compiler does not: codex, output schemas, what n8n reads at its start, and the generated parts of the
 * documentation. Runs after `n8n-node build`, which empties `dist`, compiles and copies the static files of the source tree.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { codexes } from './build/codex.mts';
import type { PackageFacts } from './build/codex.mts';
import { contractTables } from './build/contract-tables.mts';
import { errorTables } from './build/error-tables.mts';
import { examplesPage } from './build/examples-page.mts';
import { metadata } from './build/metadata.mts';
import { outputSchemas } from './build/output-schemas.mts';
import { reference } from './build/reference.mts';
import { withTables } from './build/tables.mts';
import { readExamples } from './n8n-host/workflow.mts';
import { ROOT } from './paths.mts';

const DIST = join(ROOT, 'dist');

/** The folders that the package ships. */
const SHIPPED = ['credentials', 'known', 'nodes', 'types'];

const load = createRequire(import.meta.url);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- Compiled code has no types; whoever takes it says which.
const compiled = (path: string): any => load(join(DIST, 'nodes', path));

async function write(folder: string, files: Array<{ path: string; text: string }>): Promise<void> {
  for (const { path, text } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

const facts = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageFacts;
const { OPERATIONS } = compiled('MessagingGateway/operations/index.js');
const { MessagingGateway } = compiled('MessagingGateway/MessagingGateway.node.js');
const [channels, operations, wireFields] = ['channels', 'operations', 'wire-fields'].map((file) =>
  compiled(`gateway/contract/${file}.js`),
);

/** A page of the documentation with its tables filled in. */
const filled = async (path: string, tables: Record<string, string[][]>) => ({
  path,
  text: withTables(await readFile(join(ROOT, path), 'utf8'), tables),
});
const { RESOURCES } = compiled('MessagingGateway/run/description.js');
const { properties } = compiled('MessagingGatewayTrigger/properties.js');
const errors = errorTables({
  textEntries: compiled('gateway/errors/entries.js').TEXT_ENTRIES,
  statusEntries: compiled('gateway/errors/entries.js').STATUS_ENTRIES,
  explain: compiled('gateway/errors/catalogue.js').explain,
});
await write(ROOT, [
  { path: 'docs/reference.md', text: reference(OPERATIONS, RESOURCES, properties) },
  { path: 'docs/examples.md', text: examplesPage(await readExamples()) },
  await filled('docs/when-something-fails.md', errors),
  await filled('docs/gateway-api.md', contractTables({ ...channels, ...operations, ...wireFields })),
]);

await write(DIST, codexes(facts, Object.values(channels.CHANNELS)));
await write(DIST, outputSchemas(OPERATIONS, new MessagingGateway().description.version));

// `n8n-node build` copies each picture that it finds, those of other packages in nested folders included.
for (const entry of await readdir(DIST)) {
  if (!SHIPPED.includes(entry)) await rm(join(DIST, entry), { recursive: true });
}

// Last, since it holds icons and codex.
await write(DIST, await metadata(ROOT));
