import { parse as parseQuery } from 'node:querystring';

import { parseCallback, splitReplies } from '../../../nodes/gateway/callback/parse.ts';

const events = (body: unknown, sentType?: string) => {
  const parsed = parseCallback(body, sentType);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events;
};
const reasonOf = (body: unknown) => {
  const parsed = parseCallback(body);
  return parsed.ok ? 'fine' : parsed.reason;
};
const ONE = { success: true, id: '5', msg_id: '77', type: 'sms', status: 'DELIVERED' };
const EVENT = { ...ONE, id: 5, msg_id: 77, outcome: 'delivered', final: true, arrived: true };
const FORM = 'success=1&id=5&msg_id=77&type=sms&status=DELIVERED';
const JSON_TEXT = JSON.stringify(ONE);

describe('every shape of a body', () => {
  it.each<[string, unknown]>([
    ['an object', ONE],
    ['a list', [ONE]],
    ['a list in data', { data: [ONE] }],
    ['an object in data', { data: ONE }],
    ['data beside an id, without success', { id: 1, data: [ONE] }],
    ['an envelope with success and data', { success: true, data: [ONE] }],
    ['a request without success around data', { request_id: 'r', data: [ONE] }],
    ['JSON text', JSON_TEXT],
    ['JSON text of a list', JSON.stringify([ONE])],
    ['a form', parseQuery(FORM)],
    ['a multipart form as n8n passes it on', { data: { ...parseQuery(FORM) }, files: {} }],
    ['what only looks like one, for its files', { data: { ...ONE }, files: [] }],
    ['what only looks like one, for another field', { data: { ...ONE }, files: {}, more: 1 }],
    ['JSON in the field data beside another one', { data: JSON_TEXT, more: '1' }],
    ['JSON in the only field', { payload: JSON.stringify([ONE]) }],
    ['JSON in the only field of a multipart form', { data: { json: JSON_TEXT }, files: {} }],
    ['JSON sent as a form', parseQuery(JSON_TEXT)],
    ['nested form fields', parseQuery(FORM.replaceAll(/(\w+)=/g, 'data[0][$1]='))],
    ['nested form fields of a list', parseQuery(FORM.replaceAll(/(\w+)=/g, '0[$1]='))],
  ])('%s', (_, body) => expect(events(body)).toEqual([EVENT]));

  it('several callbacks stay in order', () => {
    const list = Array.from({ length: 1000 }, (_, i) => ({ ...ONE, id: i }));
    expect(events(list).map(({ id }) => id)).toEqual(list.map(({ id }) => id));
  });

  it('an envelope with a request_id yields its callbacks, each with the request_id', () => {
    const refused = { ...ONE, success: false, status: 'REJECTED' };
    const body = { success: true, request_id: 'r', data: [refused, { ...ONE, request_id: 's' }] };
    expect(events(body)).toMatchObject([
      { success: false, request_id: 'r', outcome: 'failed' },
      { success: true, request_id: 's', outcome: 'delivered' },
    ]);
    expect(events({ ...body, data: ONE })).toEqual([{ ...EVENT, request_id: 'r' }]);
  });

  it.each([[[]], [{}], ['text'], [[{ id: 5 }]], [[1]], [[ONE, { id: 2 }]]])(
    'a refused request is a callback by itself, with %j in data',
    (data) => {
      const body = { success: false, request_id: 'r', status: 'REJECTED', data };
      expect(events(body)).toEqual([{ ...body, outcome: 'failed', final: true, arrived: false }]);
    },
  );

  it.each([{}, { id: undefined }, { msg_id: undefined }])('a callback with a field data is one', (names) => {
    expect(events({ ...ONE, ...names, data: [{ note: 1 }] })).toMatchObject([{ data: [{ note: 1 }] }]);
    expect(events({ success: true, id: 5, data: [ONE] })).toMatchObject([{ id: 5, data: [ONE] }]);
  });
});

describe('nested form fields', () => {
  const more = (fields: object) => {
    const [event] = events({ success: '1', id: '5', ...fields });
    for (const name of ['success', 'id', 'outcome', 'final', 'arrived']) Reflect.deleteProperty(event, name);
    return event;
  };

  it.each<[object, unknown]>([
    [
      { 'a[b]': '1', c: '2' },
      { c: '2', a: { b: '1' } },
    ],
    [{ 'a[1]': 'y', 'a[0]': 'x', 'a[10]': 'z' }, { a: ['x', 'y', 'z'] }],
    [{ 'a[]': 'x' }, { a: ['x'] }],
    [{ 'a[][b]': 'x' }, { a: [{ b: 'x' }] }],
    [{ 'a[0][b]': 'x', 'a[0][c]': 'y', 'a[1][b]': 'z' }, { a: [{ b: 'x', c: 'y' }, { b: 'z' }] }],
    [{ 'a[00]': 'x' }, { a: { '00': 'x' } }],
    [{ 'a[9999]': 'x' }, { a: ['x'] }],
    [{ 'a[10000]': 'x' }, { a: { 10000: 'x' } }],
    [{ 'a[1x]': 'x' }, { a: { '1x': 'x' } }],
    [{ 'a[0]': 'x', 'a[b]': 'y' }, { a: { 0: 'x', b: 'y' } }],
    [{ 'a[b][c][d][e][f][g]': '1' }, { a: { b: { c: { d: { e: { f: { g: '1' } } } } } } }],
    [{ [`${'a'.repeat(64)}[${'b'.repeat(64)}]`]: '1' }, { ['a'.repeat(64)]: { ['b'.repeat(64)]: '1' } }],
  ])('%j', (fields, expected) => expect(more(fields)).toEqual(expected));

  it.each<[string, object]>([
    ['a value is no string', { 'a[b]': '1', c: 2 }],
    ['a name stands for text and for fields', { a: '1', 'a[b]': '2' }],
    ['a name stands for fields and for text', { 'a[b]': '2', a: '1' }],
    ['a nested name is taken', { 'a[b]': '1', 'a[b][c]': '2' }],
    ['seven levels are nested', { 'a[b][c][d][e][f][g][h]': '1' }],
    ['a name is longer than 64 characters', { [`${'a'.repeat(65)}[b]`]: '1' }],
    ['a step is longer than 64 characters', { [`a[${'b'.repeat(65)}]`]: '1' }],
    ['there is no name in front', { '[a]': '1' }],
    ['something follows the brackets', { 'a[b]c': '1' }],
    ['brackets are not closed', { 'a[b': '1' }],
  ])('stay as they are where %s', (_, fields) => expect(more(fields)).toEqual(fields));

  it('are 5000 at most', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count - 2 }, (_, i) => [`a[${i}]`, 'x']));
    expect(more(fields(5000))).toEqual({ a: Array(4998).fill('x') });
    expect(more(fields(5001))).toEqual(fields(5001));
  });
});

describe('types', () => {
  it('has identifiers as numbers, and other fields as they are', () => {
    const others = { msg_id: 'a-1', extra: { deep: [1, { a: null }] }, 'odd key': 'x' };
    expect(events({ ...ONE, ...others })).toEqual([{ ...EVENT, ...others }]);
  });

  it('null or empty fields count as missing', () => {
    for (const field of ['id', 'type', 'status', 'duration', 'request_id'])
      for (const nothing of [null, ''])
        expect(events({ ...ONE, [field]: nothing })[0]).not.toHaveProperty(field);
  });

  it('the outcome is that of the status and of `success`, whatever the body claims', () => {
    const lie = { success: false, status: 'EXPIRED', outcome: 'delivered', final: 'maybe', verified: true };
    const [event] = events({ ...ONE, ...lie });
    expect(event).toMatchObject({ outcome: 'failed', final: true });
    expect(event).not.toHaveProperty('verified');
  });

  it('a failure is read by the operation type of the send', () => {
    const failed = { ...ONE, success: false, type: 'viber', status: 'EXPIRED' };
    const finalOf = (type?: string, more: object = {}) => events({ ...failed, ...more }, type)[0].final;
    expect([finalOf(), finalOf('viber'), finalOf('viber+sms')]).toEqual([true, true, false]);
    // Without `msg_id` nothing was sent, so no other channel follows.
    expect(finalOf('viber+sms', { msg_id: null })).toBe(true);
  });
});

describe('replies', () => {
  const reply = { datetime: '2026-01-01T00:00:00Z', message: 'Yes' };

  it.each([
    ['one without a list', reply, [reply]],
    ['JSON text', JSON.stringify([reply]), [reply]],
    ['JSON text of one', JSON.stringify(reply), [reply]],
    ['false', false, null],
    ['false as text', 'false', null],
    ['no text', '', null],
    ['null', null, null],
    ['nothing', undefined, undefined],
    ['an empty object', {}, []],
  ])('%s', (_, replies, expected) => {
    expect(events({ ...ONE, replies })[0].replies).toEqual(expected);
    expect(events(ONE)[0]).not.toHaveProperty('replies');
  });

  it('in nested form fields', () => {
    const form = `${FORM}&replies[0][message]=Yes&replies[1][message]=No&replies[1][media][url]=u`;
    const replies = [{ message: 'Yes' }, { message: 'No', media: { url: 'u' } }];
    expect(events(parseQuery(form))).toEqual([{ ...EVENT, outcome: 'replied', replies }]);
  });

  it('become an event each, and events without several stay as they are', () => {
    const event = (replies?: unknown) => ({ id: 1, ...(replies !== undefined && { replies }) }) as never;
    const [a, b] = [{ message: 'a' }, { message: 'b' }];
    expect(splitReplies([event(), event(null), event([]), event([a]), event([a, b])])).toEqual([
      ...[event(), event(null), event([]), event([a])],
      ...[event([a]), event([b])],
    ]);
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
    ['a list of lists', [[ONE]]],
    ['one bad callback among good ones', [ONE, { ...ONE, id: {} }]],
    ['no success', { id: '5', status: 'DELIVERED' }],
    ['an empty identifier', { success: true, id: '', msg_id: null }],
    ['success inherited only', { data: { __proto__: ONE } }],
    ['data that are a number', { data: 5, more: 1 }],
    ['a list with JSON in the only field', { a: [JSON_TEXT] }],
    ['JSON in one of two fields', { a: JSON_TEXT, b: '' }],
    ['a field twice in a form', parseQuery(`${FORM}&id=6`)],
    ['a reply as text in a list', { ...ONE, replies: ['{"message":"Yes"}'] }],
    ['JSON in a field of data beside files and more', { data: { json: JSON_TEXT }, files: {}, more: 1 }],
    ['replies that are words', { ...ONE, replies: 'words' }],
    ['files only', { data: {}, files: { a: { filepath: '/etc/passwd' } } }],
  ])('%s', (_, body) => expect(reasonOf(body)).toMatch(/^The (body|field) \S+/));

  it('has a short reason that names the field that is malformed, or what is missing, and does not repeat the body', () => {
    expect(reasonOf({ ...ONE, id: { ['x'.repeat(9999)]: 'y'.repeat(9999) } })).toMatch(/^The .{1,200}$/);
    const reply = { ...ONE, replies: [{ message: {} }] };
    expect(reasonOf(reply)).toMatch(/^The field "replies.0.message" is malformed/);
    const missing = 'The body identifies no message: "id", "msg_id" and "request_id" are missing';
    expect(reasonOf({ success: true })).toBe(missing);
    for (const name of ['id', 'msg_id', 'request_id'])
      expect(reasonOf({ success: true, [name]: 'x' })).toBe('fine');
  });

  it.each([
    '{"__proto__":{"polluted":1}}',
    '{"a":{"constructor":{"polluted":1}}}',
    '{"replies":[{"message":"Yes","prototype":{}}]}',
    String.raw`{"replies":"[{\"message\":\"Yes\",\"b\":{\"__proto__\":{}}}]"}`,
  ])('has keys that reach into prototypes, at any level: %s', (text) => {
    const body = JSON.parse(`${JSON_TEXT.slice(0, -1)},${text.slice(1)}`) as object;
    expect(reasonOf(body)).toContain('forbidden keys');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('holds too much', () => {
    const TOO_MUCH = /is nested too deeply or holds too much$/;
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const replies = (count: number) => Array(count).fill({ message: '' }) as object[];
    expect(reasonOf(Array(1000).fill(ONE))).toBe('fine');
    expect(reasonOf(Array(1001).fill(ONE))).toBe('The body holds more than 1000 callbacks');
    expect(reasonOf([])).toBe('The body holds no callback');
    expect(reasonOf([ONE, 5])).toBe('The body is not a JSON object');
    expect(reasonOf({ ...ONE, deep: nested(19) })).toBe('fine');
    expect(reasonOf({ ...ONE, deep: nested(20) })).toMatch(TOO_MUCH);
    const inReply = JSON.stringify([{ message: 'a', more: nested(30) }]);
    expect(reasonOf({ ...ONE, replies: inReply })).toMatch(TOO_MUCH);
    // The object, its five fields, and the list itself.
    expect(reasonOf({ ...ONE, wide: Array(29_993).fill(0) })).toBe('fine');
    expect(reasonOf({ ...ONE, wide: Array(29_994).fill(0) })).toMatch(TOO_MUCH);
    for (const wrap of [(list: object[]) => list, JSON.stringify]) {
      expect(reasonOf([{ ...ONE, replies: wrap(replies(2000)) }, ONE])).toBe('fine');
      expect(reasonOf([1999, 2].map((count) => ({ ...ONE, replies: wrap(replies(count)) })))).toBe(
        'The body holds more than 2000 replies',
      );
    }
  });
});
