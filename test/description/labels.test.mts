/** Errors and hints name fields as the forms show them today. */
import ts from 'typescript';

import { actionNode, credentialType, triggerNode } from '../support/node-types.mts';
import { textOf, visitCode } from '../support/texts-in-code.mts';

/** In the settings of each node of n8n. */
const OF_N8N = ['On Error', 'Continue (using error output)', 'Execute step', 'Retry'];

/** What a form shows: labels, and the names of choices and modes; and which stands within which, as `'Batch Size' in 'Speed'`. */
const shown = new Set<unknown>(OF_N8N);
const places = new Set<string>();
const collect = (value: unknown, within: readonly string[] = []): void => {
  if (typeof value !== 'object' || value === null) return;
  const { displayName, name, value: choice } = value as Record<string, string | undefined>;
  const label = displayName ?? (choice === undefined ? undefined : name);
  shown.add(label);
  for (const outer of within) places.add(`'${label}' in '${outer}'`);
  const inside = displayName === undefined ? within : [...within, displayName];
  for (const one of Object.values(value)) collect(one, inside);
};
for (const properties of [actionNode().description.properties, triggerNode().description.properties])
  collect(properties);
collect(credentialType().properties);

/** A name in single quotes, and not an apostrophe, a part of an expression, or a column of a row. */
const NAME = /(?<![\p{L}\d(])'(\p{Lu}[^'…]*)'(?!\p{L})/gu;

/** The texts that are put between single quotes elsewhere: those of constants such as LABEL, or given to `quoted`. */
function labelsIn(node: ts.Node): string[] {
  if (ts.isCallExpression(node) && node.expression.getText() === 'quoted')
    return node.arguments.flatMap((one) => textOf(one) ?? []);
  if (!ts.isVariableDeclaration(node) || !/LABELS?$/.test(node.name.getText()) || !node.initializer)
    return [];
  const { initializer } = node;
  const value = ts.isAsExpression(initializer) ? initializer.expression : initializer;
  if (!ts.isObjectLiteralExpression(value)) return [textOf(value) ?? []].flat();
  return value.properties.flatMap((one) =>
    ts.isPropertyAssignment(one) ? (textOf(one.initializer) ?? []) : [],
  );
}

it('each name in single quotes is one that a form shows', () => {
  const names: Array<[file: string, name: string]> = [];
  visitCode((node, file) => {
    const quoted = [...(textOf(node) ?? '').matchAll(NAME)].map(([, name]) => name);
    for (const name of [...quoted, ...labelsIn(node)]) names.push([file, name]);
  });
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter(([, name]) => !shown.has(name))).toEqual([]);
});

it('each field that is said to stand in an option stands there', () => {
  const said: Array<[file: string, place: string]> = [];
  visitCode((node, file) => {
    for (const [place] of (textOf(node) ?? '').matchAll(/'\p{Lu}[^'…]*' in '\p{Lu}[^'…]*'/gu))
      said.push([file, place]);
  });
  expect(said.length).toBeGreaterThan(2);
  expect(said.filter(([, place]) => !places.has(place))).toEqual([]);
});
