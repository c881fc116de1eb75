/** What becomes of a message in doubt, or one that was refused, by what `status` says of it. */
import type { Parked } from '../../../nodes/gateway/client/parking.ts';
import { decide } from '../../../nodes/gateway/client/parking.ts';
import type { Doubt } from '../../../nodes/gateway/client/send-result.ts';
import type { SendEntry } from '../../../nodes/gateway/client/send.ts';

const known = { kind: 'known', payload: { status: 'DELIVERED' } } as const;

const parked = (doubt?: Doubt['kind'], asksFirst?: boolean, isRepeated = false): Parked<SendEntry> => ({
  entry: {
    operation: { type: 'sms', id: 1 },
    asksFirst,
    ...(doubt && { doubt: { kind: doubt, leftAt: 0 } }),
  },
  isDoubt: doubt !== undefined,
  isRepeated,
  problem: { kind: 'unknownOutcome' },
  settlesAt: 0,
  waited: 0,
  unanswered: 0,
});

// With a key, `status` was asked before: what a gateway refuses and has all the same was sent by another run meanwhile.
it.each<[string, isDuplicate: boolean, Parked<SendEntry>]>([
  ['refused', true, parked()],
  ['refused when it was repeated', false, parked(undefined, undefined, true)],
  ['refused with its batch', false, parked('answered')],
  ['in a broken exchange', false, parked('lost')],
  ['refused, with a key', true, parked(undefined, false)],
  ['refused with its batch, with a key', true, parked('answered', false)],
  ['in a broken exchange, with a key', false, parked('lost', false)],
])('takes what is known for one that was sent before: %s (%s)', (_, isDuplicate, one) => {
  const result = { state: 'accepted', payload: known.payload, ...(isDuplicate && { duplicate: true }) };
  expect(decide(one, known, true)).toEqual({ kind: 'settled', result });
});
