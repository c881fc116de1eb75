/** n8n's words for errors: they say what happened, not that something is an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Field names of the output, in quotes, words joined by hyphens, n8n's setting On Error, and why a message failed are left alone. */
const AVOIDED = /(?<![-"]|reason for a |'On |\(using )\b(errors?|problems?|failures?|mistakes?)\b(?!")/i;

/** The text of a literal, with "…" for what is put in; undefined for another node. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** Messages of the log are read by whoever runs n8n. */
const isOfLog = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && /\blogger\b/.test(parent.expression.getText());

function sentencesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const text = textOf(node);
    // Fewer words are names.
    if (text !== undefined && text.split(' ').length > 2 && !isOfLog(node)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('has no errors, problems, failures and mistakes in texts that users read', () => {
  const files = ['nodes', 'credentials']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const sentences = files.flatMap((file) =>
    sentencesIn(file).map((text) => ({ file: relative(ROOT, file), text })),
  );
  expect(sentences.length).toBeGreaterThan(300);
  expect(sentences.filter(({ text }) => AVOIDED.test(text))).toEqual([]);
});
