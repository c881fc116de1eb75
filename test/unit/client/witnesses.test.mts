/**
 * Messages by which it shows whether `status` knows what it should: those that were certainly taken, the first and the
 * latest, once two seconds have passed.
 */
import type { Row } from '../../../nodes/gateway/client/row.ts';
import { Witnesses } from '../../../nodes/gateway/client/witnesses.ts';

const taken = (id: number, more: object = {}, row: Partial<Row> = {}): Row => ({
  operation: { type: 'sms', id },
  endpoint: 'sync',
  ...row,
  state: { is: 'accepted', past: {}, ...more },
});
const typed = (type: Row['operation']['type'], id = 1) => taken(id, {}, { operation: { type, id } });

/** The ids that are asked about when so long has passed. */
const askedAfter = (witnesses: Witnesses, milliseconds: number) => {
  witnesses.waited(milliseconds);
  return witnesses.questions.map(({ id }) => id);
};

it('nothing is asked before two seconds have passed, and then the first and the latest that status has to know', () => {
  const witnesses = new Witnesses();
  expect(witnesses.questions).toEqual([]);
  for (const id of [1, 2, 3]) witnesses.add(taken(id));
  expect(askedAfter(witnesses, 1999)).toEqual([]);
  // Of those that were taken at the same time, the first and the last.
  expect(askedAfter(witnesses, 1)).toEqual([1, 3]);
  witnesses.add(taken(4));
  expect(askedAfter(witnesses, 1000)).toEqual([1, 3]);
  witnesses.add(taken(5));
  expect(askedAfter(witnesses, 1000)).toEqual([1, 4]);
  expect(askedAfter(witnesses, 1000)).toEqual([1, 5]);
  expect(witnesses.questions).toEqual([1, 5].map((id) => ({ id, type: 'sms' })));
});

it.each<[string, Row, boolean]>([
  ['that was accepted', taken(1), true],
  [
    'of a queue, which may be unknown for a while',
    taken(1, { requestId: 'r' }, { endpoint: 'async' }),
    false,
  ],
  ['of a queue, without a number for its request', taken(1, {}, { endpoint: 'async' }), false],
  ['that was queued', taken(1, { requestId: 'r' }), false],
  [
    'of a queue that status has told of',
    taken(1, { requestId: 'r', report: {} }, { endpoint: 'async' }),
    true,
  ],
  ['that is still to leave', { ...taken(1), state: { is: 'ready', past: {} } }, false],
  ['of a call with a code', typed('call/otp'), false],
  ['of a pipeline', typed('pipeline'), false],
  ['by Telegram', typed('telegram'), false],
])('a message is a witness where status has to know it: one %s', (_, row, isWitness) => {
  const witnesses = new Witnesses();
  witnesses.add(row);
  expect(askedAfter(witnesses, 2000)).toEqual(isWitness ? [1] : []);
});

it('what was taken before status told of its type is a witness then, and of several types the first of all and the latest', () => {
  const witnesses = new Witnesses();
  witnesses.add(typed('pipeline', 1));
  witnesses.waited(1000);
  witnesses.add(typed('sms', 2));
  witnesses.waited(1000);
  witnesses.add(typed('pipeline', 3));
  expect(askedAfter(witnesses, 2000)).toEqual([2]);
  witnesses.learn(typed('pipeline', 9));
  expect(askedAfter(witnesses, 0)).toEqual([1, 3]);
});

it('a message of a type that the contract leaves open is one once status has told of that type', () => {
  const witnesses = new Witnesses();
  // Under an id of the user it may be an older one of another type.
  witnesses.learn({ ...typed('pipeline', 5), hasOwnId: true });
  expect(witnesses.wouldKnow('pipeline')).toBe(false);
  witnesses.learn(typed('pipeline', 5));
  witnesses.learn(typed('call/otp', 6));
  const types = ['pipeline', 'telegram', 'call/otp'] as const;
  expect(types.map((type) => witnesses.wouldKnow(type))).toEqual([true, false, false]);
});
