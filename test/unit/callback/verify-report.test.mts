import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { compareReport, contractPart, isRefusal } from '../../../nodes/gateway/callback/verify-report.ts';
import type { Confirmation } from '../../../nodes/gateway/callback/verify-report.ts';

const event = (fields: object) => {
  const parsed = parseCallback({ success: true, id: 1, msg_id: 2, type: 'sms', ...fields });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events[0];
};

it.each<[string, boolean, string, Confirmation]>([
  ['UNKNOWN', false, 'unknown', 'unconfirmed'],
  ['TELEPORTED', true, 'TELEPORTED', 'unconfirmed'],
  ['DELIVERED', false, 'DELIVERED', 'unconfirmed'],
  ['SENT', true, 'SENT', 'unconfirmed'],
  ['SENT', true, 'DELIVERED', 'confirmed'],
  ['DELIVERED', true, 'REPLIED', 'confirmed'],
  ['READ', true, 'DELIVERED', 'contradicted'],
  ['EXPIRED', false, 'NO ROUTE', 'confirmed'],
  ['EXPIRED', false, 'DELIVERED', 'contradicted'],
  ['QUEUED', false, 'ROUTING', 'confirmed'],
  ['LOST', false, 'EXPIRED', 'confirmed'],
  ['LOST', false, 'MISLAID', 'contradicted'],
  ['', true, '', 'contradicted'],
  ['UNKNOWN', false, 'QUEUED', 'contradicted'],
])('a callback of "%s" with success %p while the gateway says "%s"', (status, success, current, expected) => {
  const { confirmation } = compareReport(event({ status, success }), { id: 1, status: current });
  expect(confirmation).toBe(expected);
});

const replies = (...messages: unknown[]) => ({ replies: messages });
const [A, B] = [{ message: 'a' }, { message: 'b' }];
const picture = (url: string) => replies({ ...A, media: { url } });
const failed = { status: 'EXPIRED', success: false };

it.each<[string, object, object, Confirmation]>([
  ['the same msg_id as a string', {}, { msg_id: '2' }, 'confirmed'],
  ['another msg_id', {}, { msg_id: 3 }, 'contradicted'],
  ['another request', { request_id: 'r' }, { request_id: 's' }, 'contradicted'],
  ['the same request as a number', { request_id: '5' }, { request_id: 5 }, 'confirmed'],
  ['another channel', {}, { type: 'viber' }, 'contradicted'],
  ['a channel of a fallback', {}, { type: 'viber+sms' }, 'confirmed'],
  ['the next channel of a fallback', { status: 'SENT' }, { type: 'viber' }, 'confirmed'],
  ['a word that names no channel', {}, { type: 'transactional' }, 'confirmed'],
  ['another digit', { reply: '1' }, { reply: '2' }, 'contradicted'],
  ['a msg_id that the callback does not name', { msg_id: null }, { msg_id: 3 }, 'confirmed'],
  ['a digit where the gateway reports none', { reply: '1' }, { reply: null }, 'unconfirmed'],
  ['replies among others that are none', replies(A), replies(null, 5, A), 'confirmed'],
  ['the same digit as a number', { reply: '1' }, { reply: 1 }, 'confirmed'],
  ['no digit, in the form of an empty one', { reply: '' }, {}, 'confirmed'],
  ['replies that the gateway has', replies(A), replies(A, {}), 'confirmed'],
  ['replies that the gateway does not have', replies(B), replies(A), 'contradicted'],
  ['replies where the gateway lists none', replies(B), {}, 'unconfirmed'],
  ['replies where the message has only been read since', replies(B), { status: 'READ' }, 'unconfirmed'],
  ['replies to a failed message', { ...failed, ...replies(B) }, { status: 'EXPIRED' }, 'unconfirmed'],
  ['the file of a reply', picture('u'), picture('u'), 'confirmed'],
  ['another file', picture('u'), picture('v'), 'contradicted'],
  ['a file that the gateway does not list', picture('u'), replies(A), 'unconfirmed'],
  ['another file among files', picture('u'), replies(A, ...picture('v').replies), 'contradicted'],
  ['that and another digit', { reply: '1', ...picture('u') }, { reply: '2', ...replies(A) }, 'contradicted'],
])('a callback is compared with what the gateway says: %s', (_, fields, current, expected) => {
  const payload = { status: 'DELIVERED', ...current };
  const { confirmation } = compareReport(event({ status: 'DELIVERED', ...fields }), payload);
  expect(confirmation).toBe(expected);
});

it.each<[string, payload: object, kept: string | undefined]>([
  ['the same channel', { type: ' SMS ' }, 'sms'],
  ['a send with several, of which it is one', { type: 'viber+sms' }, 'sms'],
  ['no channel', {}, undefined],
  ['a word that names no channel', { type: 'transactional' }, undefined],
  ['the next channel, on which it is by now', { type: 'viber', status: 'READ' }, undefined],
])('leaves the channel out of a callback unless the gateway names it: %s', (_, payload, kept) => {
  const compared = compareReport(event({ status: 'DELIVERED' }), { status: 'DELIVERED', ...payload });
  expect([compared.confirmation, compared.event.type]).toEqual(['confirmed', kept]);
});

describe('what is left of a callback', () => {
  const leftOf = (fields: object, payload: object) =>
    compareReport(event({ status: 'DELIVERED', ...fields }), { status: 'DELIVERED', ...payload }).event;
  const MEANING = {
    success: true,
    id: 1,
    status: 'DELIVERED',
    outcome: 'delivered',
    final: true,
    arrived: true,
  };

  it('is what the gateway has too, with the details that the gateway has.', () => {
    const given = { request_id: 'r', error: 'e', duration: 5, custom: 'x' };
    expect(leftOf(given, {})).toStrictEqual(MEANING);
    const known = { msg_id: '2', request_id: 'r', type: 'sms', error: 'no', duration: 7, other: 'y' };
    expect(leftOf(given, known)).toStrictEqual({
      ...MEANING,
      ...{ msg_id: 2, request_id: 'r', type: 'sms', error: 'no', duration: 7 },
    });
    expect(leftOf({ type: '' }, { type: '' })).toStrictEqual(MEANING);
  });

  it('has the details of the gateway only where both report the same status.', () => {
    const [sent, read] = [{ status: 'SENT' }, { status: 'READ', updated: 'u' }];
    expect(leftOf(sent, read)).not.toHaveProperty('updated');
    expect(leftOf({}, { updated: 'u' })).toHaveProperty('updated', 'u');
  });

  it('has its digit, and its replies as the gateway has them, also those that the gateway lacks.', () => {
    expect(leftOf({ reply: '1' }, { reply: '1' })).toHaveProperty('reply', '1');
    const [early, late] = [
      { ...A, datetime: '10:00' },
      { ...A, datetime: '11:00' },
    ];
    const listed = replies({ ...early, nr: 1 }, { ...late, nr: 2 });
    expect(leftOf(replies(late), listed).replies).toEqual([{ ...late, nr: 2 }]);
    expect(leftOf(replies({ ...A, datetime: 'noon' }), listed).replies).toEqual([{ ...early, nr: 1 }]);
    expect(leftOf(replies(B), listed).replies).toEqual([B]);
  });
});

it('of a callback about which nobody could be asked the fields of the contract are left', () => {
  const known = { request_id: 'r', status: 'DELIVERED', error: 'e', updated: 'u', duration: 5 };
  expect(contractPart(event({ ...known, reply: '1', custom: 'x' }))).toStrictEqual({
    ...{ success: true, id: 1, msg_id: 2, type: 'sms', ...known },
    ...{ outcome: 'delivered', final: true, arrived: true },
  });
});

it('a reply does not hide that the gateway knows an earlier status only', () => {
  const reported = event({ status: 'READ', ...replies(A) });
  expect(compareReport(reported, { status: 'DELIVERED' }).confirmation).toBe('contradicted');
  expect(compareReport(reported, { status: 'READ' }).confirmation).toBe('unconfirmed');
});

it.each([undefined, null, 'DELIVERED', [], {}, { status: 5 }, { replies: [{ message: 'a' }] }])(
  'the answer %j of status confirms nothing',
  (payload) => {
    const given = [event({ status: 'UNKNOWN', success: false }), event({ status: 'DELIVERED' })];
    for (const one of given) expect(compareReport(one, payload).confirmation).toBe('contradicted');
  },
);

it.each<[object, boolean]>([
  [{ status: 'REJECTED', success: false }, true],
  [{ status: 'rejected', success: false }, true],
  [{ status: 'EXPIRED', success: false }, false],
  [{ status: 'DELIVERED' }, false],
  [{ status: 'REJECTED', success: true }, false],
  [{ success: false }, false],
])('%j is a refused send: %p', (fields, expected) => expect(isRefusal(event(fields))).toBe(expected));
