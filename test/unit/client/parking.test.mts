/** What becomes of a message in doubt, or one that was refused, by what `status` says of it. */
import type { Parked } from '../../../nodes/gateway/client/parking.ts';
import { decide } from '../../../nodes/gateway/client/parking.ts';
import type { Doubt, SendEntry } from '../../../nodes/gateway/client/send.ts';

const known = { kind: 'known', payload: { status: 'DELIVERED' } } as const;

const problem = { kind: 'unknownOutcome' } as const;
const entryOf = (asksFirst?: boolean): SendEntry => ({ operation: { type: 'sms', id: 1 }, asksFirst });
const parked = (entry: SendEntry, result: Parked<SendEntry>['result']): Parked<SendEntry> => ({
  ...{ entry, result, settlesAt: 0, waited: 0, unanswered: 0 },
});
const refused = (asksFirst?: boolean, earlier?: Doubt) =>
  parked({ ...entryOf(asksFirst), ...(earlier && { doubt: earlier }) }, { state: 'refused', problem });
const inDoubt = (kind: Doubt['kind'], asksFirst?: boolean) => {
  const doubt = { kind, leftAt: 0 };
  return parked({ ...entryOf(asksFirst), doubt }, { state: 'unknown', problem, doubt });
};

// With a key, `status` was asked before: what a gateway refuses and has all the same was sent by another run meanwhile.
it.each<[string, isDuplicate: boolean, Parked<SendEntry>]>([
  ['refused', true, refused()],
  ['refused when it was repeated', false, refused(undefined, { kind: 'lost', leftAt: 0 })],
  ['refused with its batch', false, inDoubt('answered')],
  ['in a broken exchange', false, inDoubt('lost')],
  ['refused, with a key', true, refused(false)],
  ['refused with its batch, with a key', true, inDoubt('answered', false)],
  ['in a broken exchange, with a key', false, inDoubt('lost', false)],
])('takes what is known for one that was sent before: %s (%s)', (_, isDuplicate, one) => {
  const result = { state: 'accepted', payload: known.payload, ...(isDuplicate && { duplicate: true }) };
  expect(decide(one, known, true)).toEqual(result);
});
