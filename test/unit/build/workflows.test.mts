/** What GitHub runs: nothing of others that can change under its name, and not more rights than a step needs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../../tools/paths.mts';

const FOLDER = join(ROOT, '.github', 'workflows');
const workflows = readdirSync(FOLDER).map(
  (file) => [file, readFileSync(join(FOLDER, file), 'utf8')] as const,
);

it.each(workflows)('%s names each action by commit and version', (_, text) => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used)
    expect(action).toMatch(/^(actions|github\/codeql-action)\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

/** The one right to write that a workflow has. */
const RIGHTS: Record<string, string[]> = {
  'publish.yml': ['id-token: write'],
  'codeql.yml': ['security-events: write'],
};

it.each(workflows)('%s may read the repository, and write no more than it has to', (file, text) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  expect(text.match(/[\w-]+: write$/gm) ?? []).toEqual(RIGHTS[file] ?? []);
});

it('the continuous integration and a publication run what `npm test` runs, and nothing is published without a reviewer', () => {
  const run = readFileSync(join(ROOT, '.ci', 'run'), 'utf8').split('\n');
  expect(run.filter((line) => line !== '' && !/^(#|set |cd )/.test(line))).toEqual(['exec npm test']);
  const texts = Object.fromEntries(workflows);
  for (const file of ['ci.yml', 'publish.yml']) expect(texts[file]).toContain('- run: .ci/run\n');
  expect(texts['publish.yml']).toMatch(/environment: npm\n/);
});
