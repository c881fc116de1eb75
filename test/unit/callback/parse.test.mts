import { parse as parseQuery } from 'node:querystring';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';

const events = (body: unknown) => {
  const parsed = parseCallback(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events;
};
const ONE = { success: true, id: '5', msg_id: '77', type: 'sms', status: 'DELIVERED' };
const EVENT = { ...ONE, id: 5, msg_id: 77, outcome: 'delivered', final: true, arrived: true };
const FORM = 'success=1&id=5&msg_id=77&type=sms&status=DELIVERED';
const TYPED_FORM = { ...EVENT, success: true };

describe('every shape of a body', () => {
  it.each<[string, unknown]>([
    ['an object', ONE],
    ['a list', [ONE]],
    ['a list in data', { data: [ONE] }],
    ['an object in data', { data: ONE }],
    ['an envelope with success and data', { success: true, data: [ONE] }],
    ['JSON text', JSON.stringify(ONE)],
    ['JSON text of a list', JSON.stringify([ONE])],
    ['a form', parseQuery(FORM)],
    ['a multipart form as n8n passes it on', { data: { ...parseQuery(FORM) }, files: {} }],
    ['a form with JSON in the field data', parseQuery(`data=${encodeURIComponent(JSON.stringify([ONE]))}`)],
    [
      'a form with JSON in a field of any name',
      parseQuery(`payload=${encodeURIComponent(JSON.stringify(ONE))}`),
    ],
    ['a multipart form with JSON in one field', { data: { json: JSON.stringify(ONE) }, files: {} }],
    ['JSON sent as a form', parseQuery(JSON.stringify(ONE))],
    [
      'nested form fields',
      parseQuery(
        'data[0][success]=1&data[0][id]=5&data[0][msg_id]=77&data[0][type]=sms&data[0][status]=DELIVERED',
      ),
    ],
  ])('%s', (_, body) => {
    expect(events(body)).toEqual([TYPED_FORM]);
  });

  it('several callbacks stay in order', () => {
    const list = Array.from({ length: 1000 }, (_, i) => ({ ...ONE, id: i }));
    expect(events(list).map(({ id }) => id)).toEqual(list.map(({ id }) => id));
  });

  it('an envelope with a request_id yields its callbacks, each with the request_id', () => {
    const body = { success: true, request_id: 'r', data: [{ ...ONE, success: false, status: 'REJECTED' }] };
    expect(events(body)).toEqual([
      { ...EVENT, success: false, status: 'REJECTED', request_id: 'r', outcome: 'failed', arrived: false },
    ]);
    expect(events({ ...body, data: { ...ONE, request_id: 's' } })).toEqual([{ ...EVENT, request_id: 's' }]);
  });

  it.each([[[]], [{}], ['text'], [[{ id: 5 }]], [[1]]])(
    'a refused request is a callback by itself, with %j in data',
    (data) => {
      const body = { success: false, request_id: 'r', status: 'REJECTED', data };
      expect(events(body)).toEqual([{ ...body, outcome: 'failed', final: true, arrived: false }]);
    },
  );

  it('a callback with a field data is a single callback', () => {
    expect(events({ ...ONE, data: [{ note: 1 }] })).toEqual([{ ...EVENT, data: [{ note: 1 }] }]);
  });
});

describe('types', () => {
  it.each([
    [5, 5],
    ['9007199254740993', '9007199254740993'],
    ['a-1', 'a-1'],
  ])('the id %p comes out as %p', (id, typed) => {
    expect(events({ ...ONE, id, msg_id: id })[0]).toMatchObject({ id: typed, msg_id: typed });
  });

  it.each([
    [{ reply: 7 }, { reply: '7' }],
    [{ error: null }, { error: null }],
    [
      { error: false, updated: [], reply: false },
      { error: null, updated: null, reply: null },
    ],
    [
      { extra: { deep: [1, { a: null }] }, 'odd key': 'x' },
      { extra: { deep: [1, { a: null }] }, 'odd key': 'x' },
    ],
  ])('%j comes out as %j', (given, typed) => {
    expect(events({ ...ONE, ...given })[0]).toMatchObject(typed);
  });

  it.each(['id', 'type', 'status', 'duration', 'request_id'])(
    'null or empty %s counts as missing',
    (field) => {
      for (const nothing of [null, ''])
        expect(events({ ...ONE, [field]: nothing })[0]).not.toHaveProperty(field);
    },
  );

  it('the outcome is that of the status and of `success`, whatever the body claims', () => {
    expect(
      events({ ...ONE, success: false, status: 'EXPIRED', outcome: 'delivered', final: 'maybe' })[0],
    ).toMatchObject({
      outcome: 'failed',
      final: true,
    });
  });
});

describe('replies', () => {
  const reply = { datetime: '2026-01-01T00:00:00Z', message: 'Yes' };

  it.each([
    ['one without a list', reply, [reply]],
    ['JSON text', JSON.stringify([reply]), [reply]],
    [
      'with media as a form has it that has none',
      [{ ...reply, media: { url: '', filename: '', filesize: '' } }],
      [{ ...reply, media: { url: '', filename: '', filesize: null } }],
    ],
    ['false', false, null],
    ['an empty object', {}, []],
  ])('%s', (_, replies, expected) => {
    expect(events({ ...ONE, replies })[0].replies).toEqual(expected);
  });

  it('in nested form fields', () => {
    const form = parseQuery(
      `${FORM}&replies[0][message]=Yes&replies[1][message]=No&replies[1][media][url]=u`,
    );
    expect(events(form)[0].replies).toEqual([{ message: 'Yes' }, { message: 'No', media: { url: 'u' } }]);
  });
});

describe('a body that is not a callback', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['text', 'hello'],
    ['broken JSON', '{"success":true'],
    ['an empty object', {}],
    ['an empty list', []],
    ['a list of lists', [[ONE]]],
    ['one bad callback among good ones', [ONE, { ...ONE, id: {} }]],
    ['no success', { id: '5', status: 'DELIVERED' }],
    ['no identifier', { success: true, status: 'DELIVERED' }],
    ['an empty identifier', { success: true, id: '', msg_id: null }],
    ['success of a wrong type', { ...ONE, success: 'perhaps' }],
    ['an id that is an object', { ...ONE, id: { $gt: 0 } }],
    ['a status that is a list', { ...ONE, status: ['DELIVERED'] }],
    ['success inherited only', { data: { __proto__: ONE } }],
    ['a field twice in a form', parseQuery(`${FORM}&id=6`)],
    ['a reply that says nothing', { ...ONE, replies: [{ datetime: 'now' }] }],
    ['too many replies in a form', { ...ONE, replies: JSON.stringify(Array(2001).fill({ message: 'a' })) }],
    [
      'replies too deep in a form',
      { ...ONE, replies: `[{"message":"a","more":${'['.repeat(30)}${']'.repeat(30)}}]` },
    ],
    ['files only', { data: {}, files: { a: { filepath: '/etc/passwd' } } }],
  ])('%s', (_, body) => {
    expect(parseCallback(body)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^The (body|field) \S+/),
    });
  });

  it('the reason is short and does not repeat the body', () => {
    const parsed = parseCallback({ ...ONE, id: { ['x'.repeat(9999)]: 'y'.repeat(9999) } });
    expect(parsed).toEqual({ ok: false, reason: expect.stringMatching(/^.{1,200}$/) });
  });
});

it.each([
  '{"__proto__":{"polluted":1}}',
  '{"a":{"constructor":{"polluted":1}}}',
  '{"replies":[{"message":"Yes","prototype":{}}]}',
  String.raw`{"replies":"[{\"message\":\"Yes\",\"b\":{\"__proto__\":{}}}]"}`,
])('refuses keys that reach into prototypes, at every level: %s', (text) => {
  const body = JSON.parse(`${JSON.stringify(ONE).slice(0, -1)},${text.slice(1)}`) as object;
  expect(parseCallback(body)).toMatchObject({ ok: false, reason: expect.stringContaining('forbidden keys') });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

it('takes 2000 replies', () => {
  const replies = Array.from({ length: 2000 }, (_, i) => ({ message: String(i) }));
  expect(events({ ...ONE, replies })[0].replies).toEqual(replies);
  expect(events({ ...ONE, replies: JSON.stringify(replies) })[0].replies).toEqual(replies);
});
