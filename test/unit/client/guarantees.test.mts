/** docs/delivery-guarantees.md has the client's table of doubts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DOUBTS } from '../../../nodes/gateway/client/doubt.ts';
import { ROOT } from '../../../tools/paths.mts';

it('says in the guide when each doubt is asked about, and from when on an absence counts', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'delivery-guarantees.md'), 'utf8');
  const [, table = ''] = guide.split(/\| What happened \|.*\n\|[-|]+\|\n/);
  const rows = table.split('\n\n')[0].trim().split('\n');
  const said = rows.map((row) =>
    row
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim()),
  );
  const rules = Object.values(DOUBTS).map(({ askAt, absenceCountsAt }) => [
    `${askAt.length > 1 ? 'for' : 'after'} ${askAt.at(-1)} s`,
    absenceCountsAt === Infinity ? 'never' : `${absenceCountsAt} s`,
  ]);
  // Doubts with one rule share a row.
  const once = new Map(rules.map((rule) => [rule.join(), rule]));
  expect(said).toEqual([...once.values()]);
});
