/** The text of an answer, read as what it says and nothing else. */
import fc from '../../support/generated.mts';

import { readEnvelope } from '../../../nodes/gateway/contract/envelope.ts';
import { fromForeignJson, toShortJson } from '../../../nodes/gateway/text/json.ts';
import { ANSWERS } from '../../corpus/answers.mts';
import { titled } from '../../corpus/case.mts';

it.each(titled(ANSWERS))('an answer of the corpus is read as what it says: %s', (_, { input, right }) => {
  const { data: [result] = [] } = readEnvelope(fromForeignJson(input)) ?? {};
  if (right === 'accepted') expect(result).toEqual({ success: true, data: { msg_id: 9000, parts: 1 } });
  else if (right === 'unknown') expect(result).toBeUndefined();
  else
    expect(result).toMatchObject({
      success: false,
      ...(right.refused !== 'gave no reason' && { error: right.refused }),
    });
});

const notice = fc.oneof(
  fc.constantFrom(
    '<br />\n',
    '\ufeff',
    '\n',
    '<b>Warning</b>:  x in <b>/a.php</b> on line <b>3</b>',
    '<!-- c -->',
  ),
  fc.constantFrom('Notice: Undefined index: {a}', '[0]', '{', '}', '"', "it's", '[{', '\\', '{"', '}]'),
  fc.string(),
);
const noise = fc.array(notice, { maxLength: 6 }).map((parts) => parts.join(''));

it('finds what an answer says among notices, or nothing, and never anything else', () => {
  let all = 0;
  let found = 0;
  fc.assert(
    fc.property(
      noise,
      fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 }),
      noise,
      (before, value, after) => {
        all += 1;
        const read = fromForeignJson(`${before}${JSON.stringify(value)}${after}`);
        if (read === undefined) return;
        found += 1;
        // Brackets around it make it a list, which is no answer.
        const one = Array.isArray(read) && read.length === 1 ? (read[0] as unknown) : read;
        expect(toShortJson(one)).toBe(toShortJson(fromForeignJson(JSON.stringify(value))));
      },
    ),
    { numRuns: 3000 },
  );
  expect(found / all).toBeGreaterThan(0.2);
});
