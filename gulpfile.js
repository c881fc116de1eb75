/**
 * Builds what the compiler does not. Runs after `n8n-node build`, which empties `dist`, compiles and copies the
 * static files of the source tree.
 *
 * Icons are written into the source tree too, where they are committed: lint looks for them there. Codex and output
 * schemas follow from package.json and from the compiled operations, and are only in `dist`.
 */
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');

const { parallel, series } = require('gulp');

const packageFacts = require('./package.json');

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

async function icons() {
  const build = await import('./tools/build/icons.mts');
  const files = await build.icons(root);
  await write(root, files);
  await write(dist, files);
}

async function codex() {
  const build = await import('./tools/build/codex.mts');
  await write(dist, build.codexes(packageFacts));
}

/** Previews of the outputs, from what the compiled operations say of themselves. */
async function schemas() {
  const build = await import('./tools/build/output-schemas.mts');
  const { OPERATIONS } = require(join(dist, 'nodes/MessagingGateway/operations/index.js'));
  const { MessagingGateway } = require(join(dist, 'nodes/MessagingGateway/MessagingGateway.node.js'));
  await write(dist, build.outputSchemas(OPERATIONS, new MessagingGateway().description.version));
}

/** The pages of the documentation that follow from the compiled nodes; they are committed. */
async function docs() {
  const build = await import('./tools/build/docs.mts');
  const compiled = (path) => require(join(dist, 'nodes', path));
  const pages = build.docs({
    operations: compiled('MessagingGateway/operations/index.js').OPERATIONS,
    resources: compiled('MessagingGateway/run/definition.js').RESOURCES,
    textEntries: compiled('gateway/errors/text-entries.js').TEXT_ENTRIES,
    statusEntries: compiled('gateway/errors/http-statuses.js').STATUS_ENTRIES,
    explain: compiled('gateway/errors/catalogue.js').explain,
    words: compiled('gateway/errors/words.js').PLAIN_WORDS,
  });
  const { contractPage } = await import('./tools/build/contract-page.mts');
  const contract = ['channels', 'operations', 'wire-fields'].map((file) =>
    compiled(`gateway/contract/${file}.js`),
  );
  const page = await readFile(join(root, 'docs/gateway-api.md'), 'utf8');
  const { examplesPage } = await import('./tools/build/examples-page.mts');
  const { readExamples } = await import('./tools/n8n-host/workflow.mts');
  await write(root, [
    ...pages,
    contractPage(page, Object.assign({}, ...contract)),
    examplesPage(await readExamples()),
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

exports.icons = icons;
exports.default = series(parallel(icons, codex, schemas, docs), prune, metadata);
