/** What has started a workflow before. That nothing is lost or started twice is in unit/trigger/receive. */
import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { meaningOf } from '../../../nodes/gateway/delivery/reports.ts';
import { SeenEvents } from '../../../nodes/gateway/callback/seen.ts';

function eventOf(fields: object) {
  const [callback] = parseCallback({
    success: true,
    id: 1,
    msg_id: 2,
    status: 'DELIVERED',
    ...fields,
  }).callbacks;
  return { ...callback, ...meaningOf(callback) };
}

/** Whether an event with these fields has not been seen; none is remembered by that. */
function isUnseen(seen: SeenEvents, fields: object): boolean {
  const { unseen, forget } = seen.add([eventOf(fields)]);
  forget();
  return unseen.length > 0;
}

const reply = (message: string, url?: string) => ({
  replies: [{ datetime: '2026-01-01', message, ...(url !== undefined && { media: { url } }) }],
});

it.each<[what: string, first: object, second: object, expected: boolean]>([
  ['the same', {}, {}, false],
  ['the same status, written in another way', {}, { status: 'delivered', id: '1' }, false],
  ['a later status', {}, { status: 'READ' }, true],
  ['an earlier status', { status: 'READ' }, {}, false],
  ['a status on the way', {}, { success: false, status: 'ROUTING' }, false],
  ['another message with the same id', {}, { msg_id: 3 }, true],
  [
    'another request',
    { id: null, msg_id: null, request_id: 'a' },
    { id: null, msg_id: null, request_id: 'b' },
    true,
  ],
  ['a reply after a read status', { status: 'READ' }, reply('Yes'), true],
  ['another reply', reply('Yes'), reply('No'), true],
  ['the same reply', reply('Yes'), reply('Yes'), false],
  ['the same reply with a later status', reply('Yes'), { ...reply('Yes'), status: 'READ' }, false],
  [
    'the same reply with a failure',
    reply('Yes'),
    { ...reply('Yes'), success: false, status: 'EXPIRED' },
    true,
  ],
  ['a digit that looks like the status', { status: '2' }, { status: '2', reply: '2' }, true],
  [
    'the same file, its link signed anew',
    reply('', 'https://x.test/a?s=1'),
    reply('', 'https://x.test/a?s=2'),
    false,
  ],
  ['an earlier status without the request', { status: 'READ', request_id: 'r' }, {}, false],
  ['another file', reply('', 'https://x.test/a'), reply('', 'https://x.test/b'), true],
  ['another digit', { reply: '1' }, { reply: '2' }, true],
])('%s starts the workflow, or does not', (_, first, second, expected) => {
  const seen = new SeenEvents();
  expect(seen.add([eventOf(first)]).unseen).toHaveLength(1);
  expect(isUnseen(seen, second)).toBe(expected);
});

it('what is forgotten starts the workflow again, and hides nothing', () => {
  const seen = new SeenEvents();
  seen.add([eventOf({})]);
  seen.add([eventOf({ status: 'READ' }), eventOf(reply('Yes'))]).forget();
  expect([{ status: 'READ' }, reply('Yes'), {}].map((fields) => isUnseen(seen, fields))).toEqual([
    true,
    true,
    false,
  ]);
  // The message has been read, whatever becomes of a second status that says the same.
  seen.add([eventOf({ id: 5, status: 'READ' })]);
  seen.add([eventOf({ id: 5, status: 'SEEN' })]).forget();
  expect(isUnseen(seen, { id: 5 })).toBe(false);
});

it('what the gateway could not confirm hides nothing', () => {
  const seen = new SeenEvents();
  seen.add([{ ...eventOf({ status: 'READ' }), verified: false }]);
  for (const status of ['DELIVERED', 'READ']) expect(isUnseen(seen, { status })).toBe(true);
});

it('a day is remembered, and 20,000 marks', () => {
  const seen = new SeenEvents();
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const isIdUnseen = (id: number) => isUnseen(seen, { id });
  for (let id = 0; id < 10_000; id++) seen.add([eventOf({ id })]);
  expect([isIdUnseen(0), isIdUnseen(9_999)]).toEqual([false, false]);
  seen.add([eventOf({ id: 10_000 })]);
  expect([isIdUnseen(1), isIdUnseen(0)]).toEqual([false, true]);
  now.mockReturnValue(1_000_000 + 86_400_001);
  expect(isIdUnseen(1)).toBe(true);
  now.mockRestore();
});
