import { isConfirmed } from '../../../nodes/gateway/callback/confirm.ts';
import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';

const event = (fields: object) => {
  const parsed = parseCallback({ success: true, id: 1, msg_id: 2, type: 'sms', ...fields });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events[0];
};

it.each<[string, string, boolean]>([
  ['DELIVERED', 'DELIVERED', true],
  ['DELIVERED', 'READ', true],
  ['DELIVERED', 'REPLIED', true],
  ['DELIVERED', 'ROUTING', false],
  ['DELIVERED', 'EXPIRED', false],
  ['DELIVERED', 'UNKNOWN', false],
  ['READ', 'DELIVERED', false],
  ['READ', 'REPLIED', true],
  ['REPLIED', 'REPLIED', true],
  ['REPLIED', 'READ', false],
  ['EXPIRED', 'EXPIRED', true],
  ['EXPIRED', 'NO ROUTE', true],
  ['EXPIRED', 'DELIVERED', false],
  ['QUEUED', 'ROUTING', true],
  ['QUEUED', 'UNKNOWN', false],
])('a callback of %s while the gateway says %s: %p', (status, told, confirmed) => {
  expect(isConfirmed(event({ status }), { id: 1, status: told })).toBe(confirmed);
});

it.each<[string, object, unknown, boolean]>([
  ['the same msg_id as text', {}, { msg_id: '2' }, true],
  ['another msg_id', {}, { msg_id: 3 }, false],
  ['another reply', { reply: '1' }, { reply: '2' }, false],
  ['the same reply as number', { reply: '1' }, { reply: 1 }, true],
  [
    'replies that the gateway has',
    { replies: [{ message: 'a' }] },
    { replies: [{ message: 'a' }, {}] },
    true,
  ],
  ['replies that it does not have', { replies: [{ message: 'b' }] }, { replies: [{ message: 'a' }] }, false],
  ['replies, of which the gateway tells none', { replies: [{ message: 'b' }] }, {}, false],
])('%s', (_, fields, told, confirmed) => {
  expect(
    isConfirmed(event({ status: 'DELIVERED', ...fields }), { status: 'DELIVERED', ...(told as object) }),
  ).toBe(confirmed);
});

it.each([undefined, null, 'DELIVERED', [], {}, { status: 5 }])('%j confirms nothing', (payload) => {
  expect(isConfirmed(event({ status: 'DELIVERED' }), payload)).toBe(false);
});
