/** Which rows of a run are the same message, for generated rows: against a comparison of each row with all before it. */
import { isDeepStrictEqual } from 'node:util';

import fc from '../../support/generated.mts';

import type { Item } from '../../../nodes/MessagingGateway/run/item.ts';
import type { DoneItem } from '../../../nodes/MessagingGateway/run/item-result.ts';
import { readIfRepeated, sameContent } from '../../../nodes/MessagingGateway/sending/repeated-messages.ts';
import type { OutgoingRow } from '../../../nodes/MessagingGateway/run/row.ts';

interface Row {
  outgoing: Pick<OutgoingRow, 'operation' | 'endpoint' | 'checkOnly' | 'hasKey' | 'callbacks'>;
  hasOwnId: boolean;
  /** The option, where it is set. */
  mode?: 'sendOnce' | 'sendAll';
}

const RARELY = fc.constantFrom(false, false, false, false, true);

/** Few of each, so that rows repeat each other often. */
const row: fc.Arbitrary<Row> = fc.record({
  outgoing: fc.record(
    {
      operation: fc.record(
        {
          type: fc.constant('sms' as const),
          id: fc.nat(),
          // Some come many times, some twice.
          phone: fc.constantFrom(380501234567, 380501234567, 380501234567, 447700900001, 447700900002),
          sms_message: fc.constantFrom('a', 'A', 'a ', 'a a'),
          sms_lifetime: fc.constantFrom(3600, 7200),
          hook: fc.constantFrom('https://example.com/1', 'https://example.com/2'),
        },
        { requiredKeys: ['type', 'id', 'phone', 'sms_message'] },
      ),
      endpoint: fc.constantFrom('sync' as const, 'async' as const),
      checkOnly: RARELY,
      hasKey: RARELY,
      callbacks: fc.constantFrom({ hook: 'https://example.com/1' }, { callbackFields: { values: [] } }),
    },
    { requiredKeys: ['operation', 'endpoint', 'checkOnly'] },
  ),
  hasOwnId: RARELY,
  mode: fc.constantFrom(undefined, undefined, 'sendOnce' as const, 'sendAll' as const),
});

const isOwn = ({ hasOwnId, outgoing, mode }: Row) =>
  hasOwnId || outgoing.hasKey === true || mode === 'sendAll';

/** All by which a row is told from another one: neither its id, nor the address that the node made, nor a blank at the end. */
const contentOf = ({ outgoing: { operation, endpoint, checkOnly, callbacks } }: Row) => ({
  ...{ endpoint, checkOnly, callbacks },
  operation: {
    ...operation,
    sms_message: (operation.sms_message as string).trim(),
    id: undefined,
    hook: undefined,
  },
});

it('are those that nothing tells apart, and each takes the result of the first of them', () => {
  let repeats = 0;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40, size: 'max' }), (rows) => {
      const outgoing = rows.map((one, index): OutgoingRow => {
        const left: OutgoingRow = { ...one.outgoing, index, hasOwnId: one.hasOwnId, state: { is: 'ready' } };
        readIfRepeated(left, { options: one.mode ? { repeatedMessages: one.mode } : {} } as unknown as Item);
        return left;
      });
      const decide = sameContent(outgoing);
      const firsts = outgoing.map((one) => (decide(one) as DoneItem | undefined)?.repeats?.item);
      const wanted = rows.map((one, index) => {
        if (isOwn(one)) return undefined;
        const first = rows.findIndex(
          (other) => !isOwn(other) && isDeepStrictEqual(contentOf(other), contentOf(one)),
        );
        return first === index ? undefined : first;
      });
      expect(firsts).toEqual(wanted);
      repeats += firsts.filter((first) => first !== undefined).length;
    }),
    { numRuns: 1000, seed: 46 },
  );
  expect(repeats).toBeGreaterThan(100);
});
