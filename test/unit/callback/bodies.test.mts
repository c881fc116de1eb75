/** Bodies of forms and envelopes case by case, and the limits of a body. */
import { expandBrackets, openBody, parseCallback, splitReplies } from '../../../nodes/gateway/callback/parse.ts';

describe('nested form fields', () => {
  it.each<[Record<string, unknown>, unknown]>([
    [
      { 'a[b]': '1', c: '2' },
      { a: { b: '1' }, c: '2' },
    ],
    [{ 'a[0]': 'x', 'a[1]': 'y' }, { a: ['x', 'y'] }],
    [{ 'a[1]': 'y', 'a[0]': 'x', 'a[10]': 'z' }, { a: ['x', 'y', 'z'] }],
    [{ '0[b]': 'x', '1[b]': 'y' }, [{ b: 'x' }, { b: 'y' }]],
    [{ 'a[]': 'x' }, { a: ['x'] }],
    [{ 'a[][b]': 'x' }, { a: [{ b: 'x' }] }],
    [{ 'a[0][b]': 'x', 'a[0][c]': 'y', 'a[1][b]': 'z' }, { a: [{ b: 'x', c: 'y' }, { b: 'z' }] }],
    [{ 'a[00]': 'x' }, { a: { '00': 'x' } }],
    [{ 'a[9999]': 'x' }, { a: ['x'] }],
    [{ 'a[10000]': 'x' }, { a: { 10000: 'x' } }],
    [{ 'a[1x]': 'x' }, { a: { '1x': 'x' } }],
    [{ 'a[x1]': 'x' }, { a: { x1: 'x' } }],
    [{ 'a[0]': 'x', 'a[b]': 'y' }, { a: { 0: 'x', b: 'y' } }],
    [{ 'a[b][c][d][e][f][g]': '1' }, { a: { b: { c: { d: { e: { f: { g: '1' } } } } } } }],
    [{ [`${'a'.repeat(64)}[${'b'.repeat(64)}]`]: '1' }, { ['a'.repeat(64)]: { ['b'.repeat(64)]: '1' } }],
  ])('%j', (fields, expected) => expect(expandBrackets(fields)).toEqual(expected));

  it.each<[string, Record<string, unknown>]>([
    ['no name is nested', { a: '1', b: '2' }],
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
  ])('stay as they are where %s', (_, fields) => expect(expandBrackets(fields)).toBe(fields));

  it('are 5000 at most', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`a[${i}]`, 'x']));
    expect(expandBrackets(fields(5000))).toEqual({ a: Array(5000).fill('x') });
    const many = fields(5001);
    expect(expandBrackets(many)).toBe(many);
  });
});

describe('the callbacks in a body', () => {
  const CALLBACK = { success: true, id: 1 };

  it.each<[string, unknown, unknown[] | undefined]>([
    ['a callback with data', { ...CALLBACK, data: [1] }, [{ ...CALLBACK, data: [1] }]],
    [
      'one named by msg_id',
      { success: true, msg_id: 1, data: [1] },
      [{ success: true, msg_id: 1, data: [1] }],
    ],
    ['an object without data', { id: 1 }, [{ id: 1 }]],
    ['data of an envelope', { success: true, data: [CALLBACK] }, [CALLBACK]],
    ['data beside an id, without success', { id: 1, data: [CALLBACK] }, [CALLBACK]],
    ['data that are an object', { data: CALLBACK }, [CALLBACK]],
    ['data that are JSON', { data: JSON.stringify(CALLBACK), more: '1' }, [CALLBACK]],
    ['data that are other text', { data: 'x', more: '1' }, undefined],
    ['data that are a number', { data: 5, more: 1 }, undefined],
    ['a request without success around data', { request_id: 'r', data: [CALLBACK] }, [CALLBACK]],
    [
      'a request around callbacks',
      { success: true, request_id: 'r', data: [CALLBACK, { ...CALLBACK, request_id: 's' }] },
      [
        { ...CALLBACK, request_id: 'r' },
        { ...CALLBACK, request_id: 's' },
      ],
    ],
    [
      'a refused request whose data are no callbacks',
      { success: false, request_id: 'r', data: [CALLBACK, { id: 2 }] },
      [{ success: false, request_id: 'r', data: [CALLBACK, { id: 2 }] }],
    ],
    ['JSON in the only field', { a: '[1]' }, [1]],
    ['JSON as the name of the only field', { '{"id":1}': '' }, [{ id: 1 }]],
    ['a number in the only field', { a: '5' }, [{ a: '5' }]],
    ['null in the only field', { a: 'null' }, [{ a: 'null' }]],
    ['JSON in one of two fields', { a: '[1]', b: '' }, [{ a: '[1]', b: '' }]],
    ['a value that is no string in the only field', { a: 5 }, [{ a: 5 }]],
    ['a multipart form', { data: { id: '1' }, files: {} }, [{ id: '1' }]],
    ['what only looks like one', { data: { id: '1' }, files: {}, more: 1 }, [{ id: '1' }]],
    ['a multipart form of JSON', { data: { a: '[1]' }, files: {} }, [1]],
    ['what looks like one but for a field', { data: { a: '[1]' }, files: {}, more: 1 }, [{ a: '[1]' }]],
    ['what looks like one but for its files', { data: { a: '[1]' }, more: 1 }, [{ a: '[1]' }]],
    ['a list with JSON in the only field', { a: ['{"id":1}'] }, [{ a: ['{"id":1}'] }]],
    ['data beside files that are a list', { data: { id: '1' }, files: [] }, [{ id: '1' }]],
    ['a number', 5, undefined],
    ['JSON of a number', '5', undefined],
  ])('%s', (_, body, callbacks) => expect(openBody(body)).toEqual(callbacks));
});

describe('the limits of a body', () => {
  const ONE = { success: true, id: 1 };
  const reasonOf = (body: unknown, type?: string) => {
    const parsed = parseCallback(body, type);
    return parsed.ok ? 'fine' : parsed.reason;
  };
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };

  it('are exact', () => {
    expect(reasonOf(Array(1000).fill(ONE))).toBe('fine');
    expect(reasonOf(Array(1001).fill(ONE))).toBe('The body holds more than 1000 callbacks');
    expect(reasonOf([])).toBe('The body holds no callback');
    expect(reasonOf(5)).toBe('The body is not a JSON object');
    expect(reasonOf([ONE, 5])).toBe('The body is not a JSON object');
    expect(reasonOf({ ...ONE, deep: nested(19) })).toBe('fine');
    expect(reasonOf({ ...ONE, deep: nested(20) })).toMatch(/is nested too deeply or holds too much$/);
    // The object, `success`, `id`, and the list itself.
    expect(reasonOf({ ...ONE, wide: Array(29_996).fill(0) })).toBe('fine');
    expect(reasonOf({ ...ONE, wide: Array(29_997).fill(0) })).toMatch(/holds too much$/);
    const replies = (count: number) => Array(count).fill({ message: '' });
    expect(reasonOf([{ ...ONE, replies: replies(2000) }, ONE])).toBe('fine');
    expect(
      reasonOf([
        { ...ONE, replies: replies(1999) },
        { ...ONE, replies: replies(2) },
      ]),
    ).toBe('The body holds more than 2000 replies');
  });

  it('name the field that is malformed, and what identifies no message', () => {
    expect(reasonOf({ ...ONE, status: 5 })).toMatch(/^The field "status" is malformed: expected text/);
    expect(reasonOf({ ...ONE, replies: [{ message: {} }] })).toMatch(
      /^The field "replies.0.message" is malformed/,
    );
    expect(reasonOf({ success: true })).toBe(
      'The body identifies no message: "id", "msg_id" and "request_id" are missing',
    );
    for (const name of ['id', 'msg_id', 'request_id'])
      expect(reasonOf({ success: true, [name]: 'x' })).toBe('fine');
  });

  it('read a failure by the operation type of the send', () => {
    const failed = { ...ONE, success: false, type: 'viber', status: 'EXPIRED' };
    const finalOf = (type?: string, more: object = { msg_id: 2 }) => {
      const parsed = parseCallback({ ...failed, ...more }, type);
      return parsed.ok && parsed.events[0].final;
    };
    expect([finalOf(), finalOf('viber'), finalOf('viber+sms')]).toEqual([true, true, false]);
    // Without `msg_id` nothing was sent, so no other channel follows.
    expect(finalOf('viber+sms', {})).toBe(true);
  });

  it('take a single reply without its list, and words for none', () => {
    const repliesOf = (replies: unknown) => {
      const parsed = parseCallback({ ...ONE, replies });
      return parsed.ok ? parsed.events[0].replies : parsed.reason;
    };
    expect(repliesOf('')).toBeNull();
    expect(repliesOf('{"message":"a"}')).toEqual([{ message: 'a' }]);
    expect(repliesOf('false')).toBeNull();
    expect(repliesOf(null)).toBeNull();
    expect(repliesOf(undefined)).toBeUndefined();
    expect(repliesOf({})).toEqual([]);
    const without = parseCallback(ONE);
    expect(without.ok && 'replies' in without.events[0]).toBe(false);
    expect(repliesOf('words')).toMatch(/^The field "replies" is malformed/);
  });
});

it('splits events by their replies', () => {
  const event = (replies?: unknown) => ({ id: 1, ...(replies !== undefined && { replies }) }) as never;
  const [a, b] = [{ message: 'a' }, { message: 'b' }];
  expect(splitReplies([event(), event(null), event([]), event([a]), event([a, b])])).toEqual([
    ...[event(), event(null), event([]), event([a])],
    ...[event([a]), event([b])],
  ]);
});
