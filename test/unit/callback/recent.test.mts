import fc from 'fast-check';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import type { CallbackEvent } from '../../../nodes/gateway/callback/parse.ts';
import type { Marks } from '../../../nodes/gateway/callback/recent.ts';
import { leaveMarks, RecentStatuses } from '../../../nodes/gateway/callback/recent.ts';
import { processorTime } from '../../support/processor-time.mts';

const UNARRIVED = ['QUEUED', 'SENT', 'EXPIRED', 'REJECTED'];
const event = (fields: object): CallbackEvent => {
  const { status = '' } = fields as { status?: string };
  const success = !UNARRIVED.includes(status);
  const parsed = parseCallback({ success, id: 1, msg_id: 2, type: 'sms', ...fields });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events[0];
};
const fresh = () => new RecentStatuses({ entries: 1000, seconds: 60 });
/** Remembers the event if it is news; returns whether it was. */
function start(recent: RecentStatuses, one: CallbackEvent, now = 100): boolean {
  if (!recent.isNews(one, now)) return false;
  const marks: Marks = new Map();
  leaveMarks(one, marks);
  recent.add(marks, now);
  return true;
}
const startsOf = (statuses: object[], recent = fresh()) =>
  statuses.map((fields) => start(recent, event(fields)));

const DELIVERED = { status: 'DELIVERED' };
const READ = { status: 'READ' };
const VIBER_EXPIRED = { status: 'EXPIRED', type: 'viber' };

it.each<[string, object[], boolean[]]>([
  ['the same twice', [DELIVERED, DELIVERED], [true, false]],
  ['the same with ids as strings', [DELIVERED, { ...DELIVERED, id: '1', msg_id: '2' }], [true, false]],
  ['the same in other letters', [DELIVERED, { status: 'Delivered' }], [true, false]],
  ['one after the other', [{ status: 'QUEUED' }, DELIVERED, READ], [true, true, true]],
  ['DELIVERED after READ', [READ, DELIVERED], [true, false]],
  ['READ after a reply', [{ status: 'REPLIED', reply: '1' }, READ], [true, false]],
  ['EXPIRED after DELIVERED', [DELIVERED, { status: 'EXPIRED' }], [true, false]],
  ['DELIVERED by SMS after EXPIRED on Viber', [VIBER_EXPIRED, DELIVERED], [true, true]],
  ['SENT by SMS after EXPIRED on Viber', [VIBER_EXPIRED, { status: 'SENT' }], [true, true]],
  ['SENT after EXPIRED on the same channel', [{ status: 'EXPIRED' }, { status: 'SENT' }], [true, false]],
  ['DELIVERED after EXPIRED on the same channel', [{ status: 'EXPIRED' }, DELIVERED], [true, true]],
  [
    'a failure, and then an arrival with the same status',
    [{ status: 'PERHAPS', success: false }, { status: 'PERHAPS' }],
    [true, true],
  ],
  ['two states on the way', [{ status: 'QUEUED' }, { status: 'SENT' }], [true, true]],
  ['two words for the same outcome', [DELIVERED, { status: 'PARTIALLY DELIVERED' }], [true, true]],
  [
    'a digit after READ, and what comes before READ again',
    [READ, { ...DELIVERED, reply: '1' }, { status: 'PARTIALLY DELIVERED' }],
    [true, true, false],
  ],
  [
    'one that is named by msg_id alone, whatever its request_id is',
    ['a', 'b'].map((id) => ({ ...DELIVERED, id: null, request_id: id })),
    [true, false],
  ],
  [
    'one that is named by id alone, whatever its request_id is',
    ['a', 'b'].map((id) => ({ ...DELIVERED, msg_id: null, request_id: id })),
    [true, false],
  ],
  ['another message', [READ, { ...DELIVERED, id: 3 }], [true, true]],
  ['the same id, another message of the gateway', [READ, { ...DELIVERED, msg_id: 3 }], [true, true]],
  [
    'ids that only look alike',
    [
      { ...DELIVERED, id: 'a,b', msg_id: 'c' },
      { ...DELIVERED, id: 'a', msg_id: 'b,c' },
    ],
    [true, true],
  ],
  ['two answers', ['1', '2'].map((reply) => ({ status: 'REPLIED', reply })), [true, true]],
  [
    'a digit after the call was reported, another one, that one again, and the report again',
    [
      { type: 'voice' },
      { type: 'voice', reply: '1' },
      { type: 'voice', reply: 2 },
      { type: 'voice', reply: '2' },
      { type: 'voice' },
    ].map((fields) => ({ ...DELIVERED, ...fields })),
    [true, true, true, false, false],
  ],
  [
    'the report of a call after its digit',
    [{ ...DELIVERED, reply: '1', duration: 9 }, DELIVERED],
    [true, false],
  ],
  ['a digit that is empty, as forms have it', [{ ...DELIVERED, reply: '' }, DELIVERED], [true, false]],
  [
    'the same with underscores',
    ['NO_ROUTE', 'NO ROUTE'].map((status) => ({ status, success: false })),
    [true, false],
  ],
  [
    'two replies, the second again',
    ['a', 'b', 'b'].map((message) => ({ replies: [{ message }] })),
    [true, true, false],
  ],
  [
    'a refused request, named by request_id alone, twice',
    ['r', 'r', 's'].map((id) => ({
      id: null,
      msg_id: null,
      request_id: id,
      status: 'REJECTED',
      success: false,
    })),
    [true, false, true],
  ],
])('%s', (_, statuses, starts) => expect(startsOf(statuses)).toEqual(starts));

it('asking changes nothing', () => {
  const recent = fresh();
  expect([1, 2].map(() => recent.isNews(event(DELIVERED), 100))).toEqual([true, true]);
  expect(start(recent, event(DELIVERED))).toBe(true);
  expect(recent.isNews(event(DELIVERED), 100)).toBe(false);
});

it('forgets after its time', () => {
  const recent = fresh();
  start(recent, event(READ), 100);
  expect(start(recent, event(READ), 160)).toBe(false);
  expect(start(recent, event(READ), 161)).toBe(true);
});

it('remembers a message that is reported again longer than those that are not', () => {
  const recent = new RecentStatuses({ entries: 4, seconds: 60 });
  startsOf([DELIVERED, { ...DELIVERED, id: 3 }, READ, { ...DELIVERED, id: 4 }], recent);
  expect(startsOf([DELIVERED], recent)).toEqual([false]);
});

it.each<[string, boolean, object, object]>([
  ['the same event', false, DELIVERED, DELIVERED],
  ['an earlier status of the message', false, READ, DELIVERED],
  ['another message', true, READ, { ...READ, id: 3 }],
  ['another status of a message on its way', true, { status: 'QUEUED' }, { status: 'SENT' }],
])('asks beside marks that it does not remember: %s is news: %p', (_, expected, marked, fields) => {
  const recent = fresh();
  const marks: Marks = new Map();
  leaveMarks(event(marked), marks);
  expect(recent.isNews(event(fields), 100, marks)).toBe(expected);
  expect(recent.isNews(event(fields), 100)).toBe(true);
});

it('keeps how far a message got when an earlier event is remembered later', () => {
  const recent = fresh();
  const marks: Marks = new Map();
  leaveMarks(event(DELIVERED), marks);
  startsOf([READ], recent);
  recent.add(marks, 100);
  expect(startsOf([{ status: 'PARTIALLY DELIVERED' }, READ], recent)).toEqual([false, false]);
});

it('lets nothing that the gateway could not confirm hide what it reports itself', () => {
  const recent = fresh();
  const forged = [
    { ...DELIVERED, reply: '1', verified: false },
    { status: 'REJECTED', success: false, verified: false },
  ];
  expect(startsOf([...forged, ...forged], recent)).toEqual([true, true, false, false]);
  expect(startsOf([{ status: 'QUEUED' }, DELIVERED, { ...DELIVERED, reply: '2' }], recent)).toEqual([
    true,
    true,
    true,
  ]);
});

it('never holds more than its limit, and forgets the oldest first', () => {
  const recent = new RecentStatuses({ entries: 100, seconds: 60 });
  for (let id = 0; id < 10_000; id++) start(recent, event({ ...DELIVERED, id }), 100);
  expect(recent.size).toBe(100);
  expect(recent.isNews(event({ ...DELIVERED, id: 9_999 }), 100)).toBe(false);
  expect(recent.isNews(event({ ...DELIVERED, id: 0 }), 100)).toBe(true);
});

it('adds what another process has dumped to what it knows', () => {
  const [one, other] = [fresh(), fresh()];
  start(one, event(READ), 100);
  start(other, event({ ...DELIVERED, id: 3 }), 101);
  other.load(one.dump(100));
  expect(startsOf([READ, DELIVERED, { ...DELIVERED, id: 3 }], other)).toEqual([false, false, false]);
});

describe('what this process and another one both know', () => {
  const ofAnother = (fields: object, now: number) => {
    const other = fresh();
    start(other, event(fields), now);
    return other.dump(100);
  };
  const LATE = { status: 'PARTIALLY DELIVERED' };

  it.each([
    [DELIVERED, READ],
    [READ, DELIVERED],
  ])('counts as far as the message got in either: %j here, %j there', (here, there) => {
    const recent = fresh();
    startsOf([here], recent);
    recent.load(ofAnother(there, 100));
    expect(startsOf([LATE], recent)).toEqual([false]);
  });

  it('is not forgotten sooner because the other one has known it longer', () => {
    const recent = fresh();
    start(recent, event(READ), 150);
    recent.load(ofAnother(READ, 100));
    expect(recent.isNews(event(READ), 170)).toBe(false);
  });
});

it('loads in a time that depends on the length of the dump, not on how much is known', () => {
  const times = [100, 30_000].map((known) => {
    const recent = new RecentStatuses({ entries: 40_000, seconds: 60 });
    const other = new RecentStatuses({ entries: 40_000, seconds: 60 });
    recent.load(
      Array.from({ length: known }, (_, i) => `${String(i).padStart(12, '0')}1${(100).toString(36)}`).join(
        ' ',
      ),
    );
    expect(recent.size).toBe(known);
    start(other, event(DELIVERED), 100);
    const text = other.dump(200);
    // Many, since one takes too little to be measured.
    const loads = () => Array.from({ length: 1000 }, () => recent.load(text));
    // The least of several: no time is under a limit of 0.
    return processorTime(loads, 0);
  });
  // Ten times as much for three hundred times as much known would still be far from proportional.
  expect(times[1]).toBeLessThan(Math.max(times[0], 2) * 10);
});

it('dumps the wanted number of entries at most, in short form', () => {
  const recent = fresh();
  for (let id = 0; id < 300; id++) start(recent, event({ ...DELIVERED, id }), 1_800_000_000);
  const dump = recent.dump(50);
  expect(dump.split(' ')).toHaveLength(50);
  expect(dump.length).toBeLessThan(50 * 22);
});

it('keeps its limit when it loads', () => {
  const [one, other] = [fresh(), fresh()];
  for (let id = 0; id < 1000; id += 1) start(one, event({ ...DELIVERED, id }), 100);
  for (let id = 1000; id < 2000; id += 1) start(other, event({ ...DELIVERED, id }), 100);
  other.load(one.dump(1000));
  expect(other.size).toBe(1000);
});

it('ignores malformed entries', () => {
  const recent = fresh();
  for (const entry of ['!00000000000011', '00000000000011!', '0000000000001', '0000000000001123456789'])
    recent.load(entry);
  expect(recent.size).toBe(0);
  recent.load('0000000000001zz');
  expect(recent.size).toBe(1);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const recent = fresh();
      recent.load(text);
      expect(recent.size).toBeLessThanOrEqual(10);
    }),
  );
});

it('lets each status start once and never a lower one after a higher one, in any order', () => {
  const status = fc.constantFrom('QUEUED', 'DELIVERED', 'READ', 'EXPIRED');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), status), { maxLength: 40 }), (arrivals) => {
      const recent = fresh();
      const started = arrivals.filter(([id, word]) => start(recent, event({ id, status: word }), 100));
      expect(new Set(started.map(String)).size).toBe(started.length);
      for (const id of [0, 1, 2, 3]) {
        const order = started.filter(([of]) => of === id).map(([, word]) => word);
        const rank = (word: string) => ['DELIVERED', 'READ'].indexOf(word);
        expect(order.map(rank)).toEqual(order.map(rank).sort((a, b) => a - b));
      }
    }),
  );
});
