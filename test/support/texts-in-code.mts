/** The texts in the code of the nodes and the credential, as users read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..');

/** The text of a literal, with "…" for what is put in; undefined for another node. */
export function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** The code of `nodes/` and `credentials/`, by the path of its file; parsed once, since 170 files take a second. */
const sources = new Map<string, ts.SourceFile>();

function readSources(): void {
  for (const folder of ['nodes', 'credentials'])
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !path.endsWith('.ts')) continue;
      const code = readFileSync(path, 'utf8');
      sources.set(relative(ROOT, path), ts.createSourceFile(path, code, ts.ScriptTarget.ES2022, true));
    }
}

/** Calls `visit` with each node of the code, and the path of its file. */
export function visitCode(visit: (node: ts.Node, file: string) => void): void {
  if (sources.size === 0) readSources();
  for (const [file, source] of sources) {
    const walk = (node: ts.Node): void => {
      visit(node, file);
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
}
