/** What has started a workflow before. That nothing is lost or started twice is in unit/trigger/receive. */
import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { SeenEvents } from '../../../nodes/gateway/callback/seen.ts';

const eventOf = (fields: object) => {
  const parsed = parseCallback({ success: true, id: 1, msg_id: 2, status: 'DELIVERED', ...fields });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events[0];
};

/** Whether an event with these fields is news; none is remembered by that. */
function isNewsTo(seen: SeenEvents, fields: object, trigger = 'trigger'): boolean {
  const { news, forget } = seen.take(trigger, [eventOf(fields)]);
  forget();
  return news.length > 0;
}

const reply = (message: string, url?: string) => ({
  replies: [{ datetime: '2026-01-01', message, ...(url !== undefined && { media: { url } }) }],
});

it.each<[what: string, first: object, second: object, isNews: boolean]>([
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
  [
    'a file with a link that was signed anew',
    reply('', 'https://x.test/a?s=1'),
    reply('', 'https://x.test/a?s=2'),
    false,
  ],
  ['another digit', { reply: '1' }, { reply: '2' }, true],
])('%s is news or not', (_, first, second, isNews) => {
  const seen = new SeenEvents();
  expect(seen.take('trigger', [eventOf(first)]).news).toHaveLength(1);
  expect(isNewsTo(seen, second)).toBe(isNews);
  expect(isNewsTo(seen, second, 'another trigger')).toBe(true);
});

it('what the gateway could not confirm hides nothing', () => {
  const seen = new SeenEvents();
  seen.take('trigger', [{ ...eventOf({ status: 'READ' }), verified: false }]);
  for (const status of ['DELIVERED', 'READ']) expect(isNewsTo(seen, { status })).toBe(true);
});

it('a day is remembered, and 20,000 entries', () => {
  const seen = new SeenEvents();
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const idNews = (id: number) => isNewsTo(seen, { id });
  for (let id = 0; id < 10_000; id++) seen.take('trigger', [eventOf({ id })]);
  expect([idNews(0), idNews(9_999)]).toEqual([false, false]);
  seen.take('trigger', [eventOf({ id: 10_000 })]);
  expect([idNews(1), idNews(0)]).toEqual([false, true]);
  now.mockReturnValue(1_000_000 + 86_400_001);
  expect(idNews(1)).toBe(true);
  now.mockRestore();
});
