/**
 * The rules of the house over the published sources that no linter has. Imports: tools/imports.config.mjs; sizes:
 * tools/eslint.config.mjs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

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

it('has no Latin letter beside a Cyrillic one, as in names that imitate others', () => {
  const mixed = files.filter((file) =>
    /\p{sc=Latin}\p{sc=Cyrillic}|\p{sc=Cyrillic}\p{sc=Latin}/u.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(mixed).toEqual([]);
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

it('explains words in CONTRIBUTING by names that the code exports', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const words = [...text.matchAll(/^\| (\w+) \|.*\| `([\w/.-]+\.ts)`: `(\w+)` \|$/gm)];
  expect(words.length).toBeGreaterThan(5);
  const missing = words.filter(
    ([, , file, name]) =>
      !new RegExp(
        `^export (?:abstract )?(?:class|interface|type|const|(?:async )?function) ${name}\\b`,
        'm',
      ).test(sources.get(`nodes/${file}`)?.text ?? ''),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
});

it('walks through functions that are in their files', () => {
  const page = readFileSync(join(ROOT, 'docs/internals/walks.md'), 'utf8');
  const steps = [...page.matchAll(/((?:`\w+`(?:, )?)+) in `([\w/.-]+\.ts)`/g)].flatMap(([, names, file]) =>
    [...names.matchAll(/\w+/g)].map(([name]) => ({ name, file })),
  );
  expect(steps.length).toBeGreaterThan(100);
  const missing = steps.filter(
    ({ name, file }) =>
      !new RegExp(
        `\\b(?:function\\*?|const|class) ${name}\\b|^ +(?:(?:private|async) )*\\*?${name}\\b.*\\{$|^  async ${name}<`,
        'm',
      ).test(sources.get(`nodes/${file}`)?.text ?? ''),
  );
  expect(missing).toEqual([]);
});
