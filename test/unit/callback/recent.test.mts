/** The statuses that have started a trigger, in the processes of n8n, which tell each other. */
import fc from '../../support/generated.mts';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import type { CallbackEvent } from '../../../nodes/gateway/callback/parse.ts';
import type { CallReply } from '../../../nodes/gateway/callback/recent.ts';
import { RecentStatuses } from '../../../nodes/gateway/callback/recent.ts';
import { processorTime } from '../../support/processor-time.mts';

const UNARRIVED = ['QUEUED', 'SENT', 'EXPIRED', 'REJECTED'];
const event = (fields: object): CallbackEvent => {
  const { status = '', verified } = fields as { status?: string; verified?: boolean };
  const success = !UNARRIVED.includes(status);
  const parsed = parseCallback({ success, id: 1, msg_id: 2, type: 'sms', ...fields });
  if (!parsed.ok) throw new Error(parsed.reason);
  // What a callback says of that itself is not taken from it.
  return { ...parsed.events[0], ...(verified === undefined ? {} : { verified }) };
};

const DAY = 24 * 60 * 60;
/** The time, in seconds. */
let now: number;
beforeEach(() => {
  now = 1_800_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now * 1000);
});
afterEach(() => jest.restoreAllMocks());

const reply = (statusCode = 200, writableEnded = true): CallReply => ({ statusCode, writableEnded });
/** Starts an execution for the event if it is news. Returns whether it was; undefined where that is open. */
const start = (recent: RecentStatuses, fields: object, answer = reply()): boolean | undefined => {
  const claimed = recent.markSeen([event(fields)], answer);
  return claimed && claimed.length > 0;
};
const startsOf = (statuses: object[], recent = new RecentStatuses()) =>
  statuses.map((fields) => start(recent, fields));

const [QUEUED, SENT, DELIVERED, READ, EXPIRED] = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'EXPIRED'].map(
  (status) => ({ status }),
);
const LATE = { status: 'PARTIALLY DELIVERED' };
const VIBER_EXPIRED = { ...EXPIRED, type: 'viber' };
const delivered = (more: object) => ({ ...DELIVERED, ...more });
const pressed = (reply: string) => delivered({ reply });
const replied = (message: string) => ({ replies: [{ message }] });
const pictured = (url: string) => ({ replies: [{ datetime: '10:00', message: '', media: { url } }] });
const refused = (request: string) => ({ id: null, msg_id: null, request_id: request, status: 'REJECTED' });
const requests = (more: object) => ['a', 'b'].map((request) => delivered({ ...more, request_id: request }));
const named = (id: string, messageId: string) => delivered({ id, msg_id: messageId });

it.each<[string, starts: boolean[], statuses: object[]]>([
  ['the same with ids as strings', [true, false], [DELIVERED, delivered({ id: '1', msg_id: '2' })]],
  ['the same in other letters', [true, false], [DELIVERED, { status: 'Delivered' }]],
  ['the same with underscores', [true, false], [LATE, { status: 'PARTIALLY_DELIVERED' }]],
  ['one after the other', [true, true, true], [QUEUED, DELIVERED, READ]],
  ['DELIVERED after READ', [true, false], [READ, DELIVERED]],
  ['EXPIRED after DELIVERED', [true, false], [DELIVERED, EXPIRED]],
  ['DELIVERED by SMS after EXPIRED on Viber', [true, true], [VIBER_EXPIRED, DELIVERED]],
  ['SENT by SMS after EXPIRED on Viber', [true, true], [VIBER_EXPIRED, SENT]],
  ['SENT after EXPIRED on the same channel', [true, false], [EXPIRED, SENT]],
  [
    'SENT on Viber after EXPIRED on a channel without a name',
    [true, false],
    [
      { ...EXPIRED, type: '' },
      { ...SENT, type: 'viber' },
    ],
  ],
  ['DELIVERED after EXPIRED on the same channel', [true, true], [EXPIRED, DELIVERED]],
  ['a failure and an arrival with the same word', [true, true], [{ ...LATE, success: false }, LATE]],
  ['two words for the same outcome', [true, true], [DELIVERED, LATE]],
  ['a digit after READ, and what comes before READ', [true, true, false], [READ, pressed('1'), LATE]],
  ['the same msg_id without id, whatever request_id is', [true, false], requests({ id: null })],
  ['the same id without msg_id, whatever request_id is', [true, false], requests({ msg_id: null })],
  ['another message', [true, true], [READ, delivered({ id: 3 })]],
  ['the same id, another message of the gateway', [true, true], [READ, delivered({ msg_id: 3 })]],
  ['ids that only look alike', [true, true], [named('a,b', 'c'), named('a', 'b,c')]],
  ['two answers', [true, true], ['1', '2'].map((digit) => ({ status: 'REPLIED', reply: digit }))],
  [
    'a digit after the call was reported, another one, that one again, and the report again',
    [true, true, true, false, false],
    [{}, { reply: '1' }, { reply: 2 }, { reply: '2' }, {}].map((more) =>
      delivered({ type: 'voice', ...more }),
    ),
  ],
  ['a report of a call after its digit', [true, false], [delivered({ reply: '1', duration: 9 }), DELIVERED]],
  ['a digit that is empty, as forms have it', [true, false], [pressed(''), DELIVERED]],
  ['two replies, the second again', [true, true, false], ['a', 'b', 'b'].map(replied)],
  [
    'the same without id, and without msg_id',
    [true, false, false],
    [{}, { id: null }, { msg_id: null }].map(delivered),
  ],
  ['the same with one identifier, then with both', [true, false], [{ id: null }, {}].map(delivered)],
  ['the same with the other identifier first', [true, false], [{ msg_id: null }, {}].map(delivered)],
  [
    'two identifiers of which nobody knows that they are one message',
    [true, true, false],
    [{ id: null }, { msg_id: null }, {}].map(delivered),
  ],
  ['another message that has both names', [true, true], [delivered({ id: null }), named('7', '8')]],
  [
    'a later status without msg_id, and the earlier one',
    [true, true, false],
    [{}, { ...READ, msg_id: null }, {}].map(delivered),
  ],
  ['EXPIRED, and SENT without id on the same channel', [true, false], [EXPIRED, { ...SENT, id: null }]],
  [
    'the same with the request alone',
    [true, false],
    [{ request_id: 'r' }, { request_id: 'r', id: null, msg_id: null }].map(delivered),
  ],
  [
    'messages of a request that is known',
    [true, true],
    [{ request_id: 'r', id: null, msg_id: null }, { request_id: 'r' }].map(delivered),
  ],
  [
    'an id of two messages, each again',
    [true, true, false, false],
    [2, 3, 2, 3].map((id) => delivered({ msg_id: id })),
  ],
  ['a link that was signed anew', [true, false, true], ['a.jpg?s=1', 'a.jpg?s=2', 'b.jpg?s=3'].map(pictured)],
  [
    'a file without an address, by its size',
    [true, false, true],
    [5, 5, 6].map((filesize) => ({ replies: [{ message: '', media: { filesize } }] })),
  ],
  [
    'one reply at two times',
    [true, true, false],
    ['10', '11', '11'].map((datetime) => ({ replies: [{ datetime, message: 'Yes' }] })),
  ],
  ['a refused request, named by request_id alone, twice', [true, false, true], ['r', 'r', 's'].map(refused)],
])('an event starts a workflow once: %s, %j', (...[, starts, statuses]) =>
  expect(startsOf(statuses)).toEqual(starts),
);

it('starts for each event of a body once, and changes nothing where it is only asked', () => {
  const recent = new RecentStatuses();
  const events = [DELIVERED, DELIVERED, READ, delivered({ id: 3 }), DELIVERED].map(event);
  expect(recent.unseen(events)).toEqual(events);
  expect(recent.markSeen(events, reply())).toEqual([events[0], events[2], events[3]]);
  expect(recent.unseen(events)).toEqual([]);
});

it('forgets after a day', () => {
  const recent = new RecentStatuses();
  start(recent, READ);
  recent.unseen([]);
  now += DAY;
  expect(start(recent, READ)).toBe(false);
  now += 1;
  expect(start(recent, READ)).toBe(true);
});

it('remembers a message that is reported again longer than those that are not', () => {
  const recent = new RecentStatuses(15);
  startsOf([DELIVERED, delivered({ id: 3 }), READ, delivered({ id: 4 })], recent);
  expect(startsOf([DELIVERED], recent)).toEqual([false]);
  const other = new RecentStatuses(15);
  startsOf([DELIVERED, named('3', '4'), LATE, named('5', '6')], other);
  expect(startsOf([SENT], other)).toEqual([false]);
});

it('never holds more than its limit, and forgets the oldest first', () => {
  const recent = new RecentStatuses(100);
  for (let id = 0; id < 1000; id++) start(recent, delivered({ id }));
  expect(recent.unseen([0, 970, 999].map((id) => event(delivered({ id }))))).toHaveLength(2);
  expect(recent.dump()?.split(' ')).toHaveLength(100);
});

it('lets nothing that the gateway could not confirm hide what it reports itself', () => {
  const forged = [delivered({ reply: '1', verified: false }), { status: 'REJECTED', verified: false }];
  const recent = new RecentStatuses();
  expect(startsOf([...forged, ...forged], recent)).toEqual([true, true, false, false]);
  expect(startsOf([QUEUED, DELIVERED, pressed('2')], recent)).toEqual([true, true, true]);
});

describe('an execution that n8n is starting', () => {
  it('leaves a repeat of its events open until n8n has answered, and then has it known', () => {
    const recent = new RecentStatuses();
    const answer = reply(200, false);
    expect(start(recent, DELIVERED, answer)).toBe(true);
    expect(recent.unseen([event(DELIVERED)])).toBeUndefined();
    expect(start(recent, DELIVERED)).toBeUndefined();
    // Others have nothing to do with it.
    expect(startsOf([delivered({ id: 3 }), READ], recent)).toEqual([true, true]);
    answer.writableEnded = true;
    expect(start(recent, DELIVERED)).toBe(false);
  });

  it('is refused where n8n is starting a thousand already', () => {
    const recent = new RecentStatuses();
    const replies = Array.from({ length: 1000 }, () => reply(200, false));
    replies.forEach((answer, id) => start(recent, delivered({ id }), answer));
    expect(start(recent, delivered({ id: 5000 }))).toBeUndefined();
    Object.assign(replies[0], reply(400));
    expect(startsOf([delivered({ id: 5000 }), delivered({ id: 0 })], recent)).toEqual([true, true]);
  });
});

describe('what another process has dumped', () => {
  it('is written again, with all that is known here, where it lacks some of that', () => {
    const recent = new RecentStatuses();
    start(recent, DELIVERED);
    const dump = recent.dump();
    now += 2;
    expect(recent.dump()).toBeUndefined();
    for (const overwritten of [undefined, '']) {
      recent.load(overwritten);
      expect(recent.dump()).toBe(dump);
      now += 2;
    }
    // Also where that is one entry, from elsewhere.
    const other = new RecentStatuses();
    const [entry] = String(dump).split(' ');
    other.load(entry);
    expect(other.dump()).toBeUndefined();
    other.load(undefined);
    expect(other.dump()).toBe(entry);
  });

  const dumpOf = (...statuses: object[]) => {
    const other = new RecentStatuses();
    startsOf(statuses, other);
    return other.dump();
  };

  it('is added to what is known, and counts as far as a message got in either', () => {
    for (const here of [DELIVERED, READ]) {
      const recent = new RecentStatuses();
      startsOf([here], recent);
      recent.load(dumpOf(here === READ ? DELIVERED : READ, delivered({ id: 3 })));
      expect(startsOf([LATE, delivered({ id: 3 })], recent)).toEqual([false, false]);
    }
  });

  it('makes nothing be forgotten sooner', () => {
    const recent = new RecentStatuses();
    const dump = dumpOf(READ);
    now += 1000;
    start(recent, READ);
    recent.unseen([]);
    recent.load(dump);
    now += DAY;
    expect(start(recent, READ)).toBe(false);
  });

  it('is short, and holds the newest only', () => {
    const one = new RecentStatuses();
    start(one, SENT);
    // The names of the message: its id, its msg_id, and both.
    expect(one.dump()?.split(' ')).toHaveLength(3);
    const recent = new RecentStatuses();
    for (let id = 0; id < 3000; id++) start(recent, delivered({ id }));
    const dump = recent.dump() ?? '';
    expect(dump.split(' ')).toHaveLength(4000);
    expect(dump.length).toBeLessThan(4000 * 22);
    const other = new RecentStatuses(1000);
    other.load(dump);
    expect([2700, 2999].map((id) => start(other, delivered({ id })))).toEqual([true, false]);
  });

  it('is dumped once a second at most, and only where something was learnt', () => {
    const recent = new RecentStatuses();
    const later = reply(200, false);
    start(recent, DELIVERED, later);
    expect(recent.dump()).toBeUndefined();
    later.writableEnded = true;
    expect(recent.dump()).toMatch(/^[\w-]{12}1\w+ /);
    start(recent, READ);
    expect(recent.dump()).toBeUndefined();
    now += 1;
    const dump = recent.dump();
    now += 1;
    // A repetition is nothing new, nor is what another process has loaded.
    start(recent, READ);
    const other = new RecentStatuses();
    other.load(dump);
    expect([typeof dump, recent.dump(), other.dump()]).toEqual(['string', undefined, undefined]);
  });

  it('is ignored where it is malformed', () => {
    const recent = new RecentStatuses();
    const keys = dumpOf(DELIVERED)?.match(/[\w-]{12}(?=1)/g) ?? [];
    const [key] = keys;
    const entries = [`!${key}11`, `${key}11!`, `${key}1`, `${key}1123456789`];
    for (const entry of [...entries, 5, null, undefined, {}, '']) recent.load(entry);
    for (const [before, after] of ['! ', ' !'].map((marks) => marks.split(' ')))
      recent.load(keys.map((known) => `${before}${known}1${now.toString(36)}${after}`).join(' '));
    expect(recent.unseen([event(DELIVERED)])).toHaveLength(1);
    recent.load(keys.map((known) => `${known}1${now.toString(36)}`).join(' '));
    expect(recent.unseen([event(DELIVERED)])).toEqual([]);
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void recent.load(text)));
  });

  it('loads in a time that depends on its length, not on how much is known', () => {
    const times = [100, 30_000].map((known) => {
      const recent = new RecentStatuses(40_000);
      const entry = (i: number) => `${String(i).padStart(12, '0')}1${now.toString(36)}`;
      recent.load(Array.from({ length: known }, (_, i) => entry(i)).join(' '));
      let last = known;
      // Many, since one takes too little to be measured.
      const loads = () => Array.from({ length: 1000 }, () => recent.load(entry(last++ % 40_000)));
      // The least of several: no time is under a limit of 0.
      return processorTime(loads, 0);
    });
    // Ten times as much for three hundred times as much known would still be far from proportional.
    expect(times[1]).toBeLessThan(Math.max(times[0], 2) * 10);
  });
});
