/** docs/bulk.md has the client's table: a row for each cause, in the same order, and what becomes of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Rule } from '../../../nodes/gateway/client/rules.ts';
import { RULES } from '../../../nodes/gateway/client/rules.ts';
import { ROOT } from '../../../tools/paths.mts';

const IN_DOUBT: Record<Rule['otherwise'], string> = {
  refused: 'refused',
  unknown: 'unknown',
  notSent: 'not sent',
};

const NOT_THERE: Record<Rule['ifAbsent'], string> = {
  leaves: 'leaves',
  splits: 'leaves in a smaller part',
  resends: 'leaves once more',
  refused: 'refused',
  unknown: 'unknown',
};

const after = (settlesMs: number): string => (settlesMs === 0 ? 'at once' : `${settlesMs / 1000} seconds`);

it('says in the guide what the table of the client says', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'bulk.md'), 'utf8');
  const [, table = ''] = guide.split('| What happened | In doubt | Not there | After |\n|---|---|---|---|\n');
  const rows = table.split('\n\n')[0].split('\n');
  const said = rows.map((row) =>
    row
      .split('|')
      .slice(2, 5)
      .map((cell) => cell.trim()),
  );
  const rules = Object.values(RULES).map(({ otherwise, ifAbsent, settlesMs }) => [
    IN_DOUBT[otherwise],
    NOT_THERE[ifAbsent],
    after(settlesMs),
  ]);
  expect(said).toEqual(rules);
});
