import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { isVerified } from '../../../nodes/gateway/callback/verify-report.ts';

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
])('a callback of %s while the gateway says %s: %p', (status, current, verified) => {
  expect(isVerified(event({ status }), { id: 1, status: current })).toBe(verified);
});

it.each(['UNKNOWN', 'QUEUED', 'EXPIRED', 'READ'])(
  'a callback of an unknown outcome while the gateway says %s',
  (current) => {
    expect(isVerified(event({ status: 'UNKNOWN', success: false }), { id: 1, status: current })).toBe(true);
  },
);

it.each<[string, object, unknown, boolean]>([
  ['the same msg_id as a string', {}, { msg_id: '2' }, true],
  ['another msg_id', {}, { msg_id: 3 }, false],
  ['another reply', { reply: '1' }, { reply: '2' }, false],
  ['the same reply as a number', { reply: '1' }, { reply: 1 }, true],
  [
    'replies that the gateway has',
    { replies: [{ message: 'a' }] },
    { replies: [{ message: 'a' }, {}] },
    true,
  ],
  [
    'replies that the gateway does not have',
    { replies: [{ message: 'b' }] },
    { replies: [{ message: 'a' }] },
    false,
  ],
  ['replies where the gateway lists none', { replies: [{ message: 'b' }] }, {}, false],
])('%s', (_, fields, current, verified) => {
  expect(
    isVerified(event({ status: 'DELIVERED', ...fields }), { status: 'DELIVERED', ...(current as object) }),
  ).toBe(verified);
});

it.each([undefined, null, 'DELIVERED', [], {}, { status: 5 }])('%j verifies nothing', (payload) => {
  expect(isVerified(event({ status: 'DELIVERED' }), payload)).toBe(false);
});
