/**
 * Builds what the compiler does not. Runs after `n8n-node build`, which empties `dist`, compiles and copies the
 * static files of the source tree.
 *
 * Output schemas follow from the compiled operations, and are only in `dist`.
 */
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');

const { parallel, series } = require('gulp');

const root = __dirname;
const dist = join(root, 'dist');

/** The folders that the package ships. */
const SHIPPED = ['credentials', 'known', 'nodes', 'types'];

async function write(folder, files) {
  for (const { path, text } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

/** Previews of the outputs, from what the compiled operations say of themselves. */
async function schemas() {
  const build = await import('./tools/build/output-schemas.mts');
  const { OPERATIONS } = require(join(dist, 'nodes/MessagingGateway/operations/index.js'));
  const { MessagingGateway } = require(join(dist, 'nodes/MessagingGateway/MessagingGateway.node.js'));
  await write(dist, build.outputSchemas(OPERATIONS, new MessagingGateway().description.version));
}

/** What follows from the compiled nodes and the examples in the pages of the documentation, which are committed. */
async function docs() {
  const compiled = (path) => require(join(dist, 'nodes', path));
  const { OPERATIONS: operations } = compiled('MessagingGateway/operations/index.js');
  const { reference } = await import('./tools/build/reference.mts');
  const { errorTables } = await import('./tools/build/error-tables.mts');
  const { contractTables } = await import('./tools/build/contract-tables.mts');
  const { examplesPage } = await import('./tools/build/examples-page.mts');
  const { withTables } = await import('./tools/build/tables.mts');
  const { readExamples } = await import('./tools/n8n-host/workflow.mts');
  const contract = ['channels', 'operations', 'wire-fields'].map((file) =>
    compiled(`gateway/contract/${file}.js`),
  );
  const errors = errorTables({
    textEntries: compiled('gateway/errors/entries.js').TEXT_ENTRIES,
    statusEntries: compiled('gateway/errors/entries.js').STATUS_ENTRIES,
    explain: compiled('gateway/errors/catalogue.js').explain,
  });
  const filled = async (path, tables) => ({
    path,
    text: withTables(await readFile(join(root, path), 'utf8'), tables),
  });
  await write(root, [
    {
      path: 'docs/reference.md',
      text: reference(
        operations,
        compiled('MessagingGateway/run/description.js').RESOURCES,
        compiled('MessagingGatewayTrigger/properties.js').properties,
      ),
    },
    { path: 'docs/examples.md', text: examplesPage(await readExamples()) },
    await filled('docs/when-something-fails.md', errors),
    await filled('docs/gateway-api.md', contractTables(Object.assign({}, ...contract))),
  ]);
}

/** What n8n reads at its start in place of the code; last, since it holds icons and codex. */
async function metadata() {
  const build = await import('./tools/build/metadata.mts');
  await write(dist, await build.metadata(root));
}

/** `n8n-node build` copies each picture that it finds, those of other packages in nested folders included. */
async function prune() {
  for (const entry of await readdir(dist)) {
    if (!SHIPPED.includes(entry)) await rm(join(dist, entry), { recursive: true });
  }
}

exports.default = series(parallel(schemas, docs), prune, metadata);
