/** The rules of the house over the published sources: which folder may import which, sizes, names. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const files = ['nodes', 'credentials'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
);
const sources = new Map(
  files.map((file) => [
    file,
    ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ES2022, true),
  ]),
);

/** Files that a file imports by relative path, as paths from the root. */
function importsOf(file: string, source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    const specifier =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
        ? statement.moduleSpecifier
        : undefined;
    if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return [];
    const target = posix.join(posix.dirname(file), specifier.text);
    return [`${target}.ts`, `${target}/index.ts`].filter((path) => sources.has(path));
  });
}

/** Folders that each folder imports from, itself left out. */
const dependencies = new Map<string, Map<string, string>>();
for (const [file, source] of sources) {
  const folder = dirname(file);
  const own = dependencies.get(folder) ?? new Map<string, string>();
  dependencies.set(folder, own);
  for (const imported of importsOf(file, source)) {
    if (dirname(imported) !== folder) own.set(dirname(imported), `${file} imports ${imported}`);
  }
}

/** A way round through folders, as the imports that make it; undefined where there is none. */
function findCycle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (folder: string, path: string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const next of dependencies.get(folder)?.keys() ?? []) {
      const cycle = visit(next, [...path, folder]);
      if (cycle) return cycle;
    }
    done.add(folder);
    return undefined;
  };
  for (const folder of dependencies.keys()) {
    const cycle = visit(folder, []);
    if (cycle) return cycle.slice(1).map((next, i) => dependencies.get(cycle[i])?.get(next) ?? next);
  }
  return undefined;
}

function functionsOf(node: ts.Node): ts.SignatureDeclaration[] {
  const found: ts.SignatureDeclaration[] = [];
  const visit = (child: ts.Node) => {
    if (ts.isFunctionLike(child)) found.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

const place = (node: ts.Node): string => {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

it('has imports that point one way by folder', () => {
  expect(findCycle()).toBeUndefined();
});

it('keeps n8n out of the gateway, and the nodes apart', () => {
  const room = (path: string) => path.split('/').slice(0, 2).join('/');
  const wrong = [...sources].flatMap(([file, source]) =>
    importsOf(file, source)
      .filter((imported) => room(imported) !== room(file))
      .filter((imported) => {
        if (room(file) === 'nodes/gateway') return true;
        if (room(file) === 'nodes/n8n') return room(imported) !== 'nodes/gateway';
        return !['nodes/gateway', 'nodes/n8n'].includes(room(imported));
      })
      .map((imported) => `${file} imports ${imported}`),
  );
  const withN8n = files.filter(
    (file) => file.startsWith('nodes/gateway/') && /from 'n8n-/.test(sources.get(file)?.text ?? ''),
  );
  expect([...wrong, ...withN8n]).toEqual([]);
});

it('has no function of more than four parameters', () => {
  const many = [...sources.values()].flatMap((source) =>
    functionsOf(source).filter(
      ({ parameters }) => parameters.filter(({ name }) => name.getText() !== 'this').length > 4,
    ),
  );
  expect(many.map(place)).toEqual([]);
});

it('has no folder of one file, and files that fit on a few screens', () => {
  const folders = [...new Set(files.map(dirname))].filter((folder) => folder !== 'credentials');
  const alone = folders.filter(
    (folder) =>
      readdirSync(join(ROOT, folder)).filter(
        (name) => statSync(join(ROOT, folder, name)).isDirectory() || name.endsWith('.ts'),
      ).length < 2,
  );
  const long = [...sources].filter(([, { text }]) => text.split('\n').length > 300).map(([file]) => file);
  expect([...alone, ...long]).toEqual([]);
});

it('has one meaning for each exported name and each type', () => {
  const declared = new Map<string, string[]>();
  for (const [file, source] of sources) {
    for (const statement of source.statements) {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      const isExported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isType && !isExported) continue;
      const names = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name }) => name.getText())
        : 'name' in statement && statement.name !== undefined
          ? [(statement.name as ts.Node).getText()]
          : [];
      for (const name of names) declared.set(name, [...(declared.get(name) ?? []), file]);
    }
  }
  const twice = [...declared].filter(([, places]) => new Set(places).size > 1);
  expect(Object.fromEntries(twice)).toEqual({});
});
