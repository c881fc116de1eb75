/** The text of an answer, read as what it says and nothing else. */
import { readEnvelope } from '../../../nodes/gateway/contract/envelope.ts';
import { fromForeignJson } from '../../../nodes/gateway/text/json.ts';
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
