/** The table of promises: each stands on its page, each names tests that exist, and the README promises nothing beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { promisesPage } from '../../../tools/build/promises.mts';
import { ROOT } from '../../../tools/paths.mts';
import { PROMISES } from '../../promises.mts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Where the tests of all simulations are defined. */
const SIMULATIONS = 'test/support/simulation/promises.mts';

/** The titles of the tests in a file that run, each behind those of its `describe`s. */
function titlesIn(path: string): string[] {
  const source = read(path);
  const titles = source.includes('\ntestSimulation(') ? titlesIn(SIMULATIONS) : [];
  const visit = (node: ts.Node, outer: readonly string[]): void => {
    if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      const called = node.expression.getText();
      const [, kind, skipped] = /^(it|test|describe\w*)\b(\.skip|\.todo)?/.exec(called) ?? [];
      if (kind !== undefined && title !== undefined && ts.isStringLiteralLike(title)) {
        if (skipped !== undefined) return;
        const whole = [...outer, title.text];
        if (!kind.startsWith('describe')) titles.push(whole.join(' › '));
        node.arguments.slice(1).forEach((argument) => visit(argument, whole));
        return;
      }
    }
    ts.forEachChild(node, (child) => visit(child, outer));
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true), []);
  return titles;
}

const all = PROMISES.flatMap(({ page, promises }) => promises.map((promise) => ({ page, ...promise })));

it.each(PROMISES)('$page has the words of its promises', ({ page, promises }) => {
  const text = folded(read(page));
  expect(promises.map(({ says }) => says).filter((says) => !text.includes(says))).toEqual([]);
});

it('each promise names tests that exist and run', () => {
  const missing = all.flatMap(({ tests }) =>
    tests.filter((test) => {
      const [file, ...title] = test.split(' › ');
      const path = `test/${file}.test.mts`;
      return !existsSync(join(ROOT, path)) || !titlesIn(path).includes(title.join(' › '));
    }),
  );
  expect(missing).toEqual([]);
});

it('the README promises nothing that no test would notice', () => {
  const [, section = ''] = read('README.md').split('## What no other messaging node does\n');
  const promised = folded(section.split('\n## ')[0]);
  expect(promised.length).toBeGreaterThan(200);
  const rest = all
    .filter(({ page }) => page === 'README.md')
    .reduce((text, { says }) => text.replace(says, ''), promised);
  expect(rest.match(/\w+/g) ?? []).toEqual([]);
});

it('the table is that of docs/promises.md; npm run build writes it', () => {
  expect(read('docs/promises.md')).toBe(promisesPage());
});
