/** How long the reading of an answer takes, whatever is in it. */
import { fromForeignJson } from '../../../nodes/gateway/text/json.ts';
import { isQuick, repeated } from '../../support/hostile-texts.mts';

it('gives up on hostile texts in time that grows with their length', () => {
  for (const piece of ['{"', '[{"a":', '{"a":"', '[ ', '{"a":1}', '\\', '{"a":[', '<html', '{"\\"'])
    expect([piece, isQuick(() => fromForeignJson(`x${repeated(piece)}`))]).toEqual([piece, true]);
});
