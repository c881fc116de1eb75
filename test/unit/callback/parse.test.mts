import { parse as parseQuery } from 'node:querystring';

import fc from '../../support/generated.mts';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { RefusedCall } from '../../../nodes/gateway/callback/refused-call.ts';
import { splitReplies } from '../../../nodes/gateway/callback/replies.ts';

const callbacks = (body: unknown) => parseCallback(body).callbacks;

/** Why a body is refused, behind the HTTP status. */
function reasonOf(body: unknown): string {
  try {
    parseCallback(body);
    return 'fine';
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(RefusedCall);
    const { status, message } = thrown as RefusedCall;
    return `${status} ${message}`;
  }
}
const ONE = { success: true, id: '5', msg_id: '77', type: 'sms', status: 'DELIVERED' };
const READ = { ...ONE, id: 5, msg_id: 77 };
const SIDE_FIELDS = 'type status error updated reply duration replies amount phone media data'.split(' ');
const FORM = 'success=1&id=5&msg_id=77&type=sms&status=DELIVERED';
const JSON_TEXT = JSON.stringify(ONE);

describe('every shape of a body', () => {
  it.each<[string, unknown]>([
    ['an object', ONE],
    ['a list', [ONE]],
    ['a list in data', { data: [ONE] }],
    ['an envelope with success and data', { success: true, data: [ONE] }],
    ['a request without success around data', { request_id: 'r', data: [ONE] }],
    ['a form', parseQuery(FORM)],
    ['a list keyed by index', { 3: ONE }],
    ['a list keyed by index in data', { data: { 0: ONE } }],
    ['identifiers between blanks', { ...ONE, id: ' 5', msg_id: '77\n' }],
  ])('%s is read as the callback that it holds', (_, body) => expect(callbacks(body)).toEqual([READ]));

  it('several callbacks stay in order', () => {
    const list = Array.from({ length: 1000 }, (_, i) => ({ ...ONE, id: i }));
    expect(callbacks(list).map(({ id }) => id)).toEqual(list.map(({ id }) => id));
  });

  it.each([[[]], [{}], ['text'], [5], [{ note: 1 }]])(
    'a refused request is a callback by itself, with %j in data',
    (data) => {
      const body = { success: false, request_id: 'r', status: 'REJECTED', data };
      expect(callbacks(body)).toEqual([body]);
    },
  );
});

it('a callback with a list of its own in data is that callback', () => {
  for (const data of [[{ x: 1 }], { 0: ONE }])
    expect(callbacks({ ...ONE, data })).toEqual([{ ...READ, data }]);
});

describe('types', () => {
  it('has identifiers as numbers, and other fields as they are', () => {
    const others = { msg_id: 'a-1', extra: { deep: [1, { a: null }] }, 'odd key': 'x' };
    expect(callbacks({ ...ONE, ...others })).toEqual([{ ...READ, ...others }]);
  });

  it('fields that say none count as missing', () => {
    for (const field of ['id', 'type', 'status', 'error', 'reply', 'duration', 'replies', 'request_id'])
      for (const nothing of [null, '', ' ', false, [], {}])
        expect(callbacks({ ...ONE, [field]: nothing })[0]).not.toHaveProperty(field);
  });

  it('has no field that only the trigger sets', () => {
    expect(callbacks({ ...ONE, verified: true, phone: 1, chatInput: 'x' })).toEqual([READ]);
  });
});

describe('replies', () => {
  const reply = { datetime: '2026-01-01T00:00:00Z', message: 'Yes' };

  it.each([
    ['a list keyed by index', { 1: reply }, [reply]],
    ['text', 'Yes', 'Yes'],
    ['nothing', undefined, undefined],
  ])('%s as its replies is read as what it means', (_, replies, expected) => {
    expect(callbacks({ ...ONE, replies })[0].replies).toEqual(expected);
    expect(callbacks(ONE)[0]).not.toHaveProperty('replies');
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

// What passes as it came is in corpus/callbacks.
describe('fields that decide nothing', () => {
  it('are read where they can be: a number in text, and a text that is a number', () => {
    const body = { ...ONE, duration: ' 12', reply: 0, error: 5 };
    expect(callbacks(body)).toMatchObject([{ duration: 12, reply: '0', error: '5' }]);
  });
});

it('an empty success is false, as PHP writes false into a form', () => {
  expect(callbacks({ ...ONE, success: '' })).toEqual([{ ...READ, success: false }]);
  for (const nothing of [null, [], {}, undefined])
    expect(reasonOf({ ...ONE, success: nothing })).toMatch(/^400 The field "success" is malformed/);
});

describe('a bad entry', () => {
  it('loses none of its neighbours, and says why it is bad', () => {
    const body = [{ success: true }, ONE, 5, { ...ONE, id: [1] }, { ...ONE, id: 6 }];
    const { callbacks: good, refused } = parseCallback(body);
    expect(good).toMatchObject([{ id: 5 }, { id: 6 }]);
    expect(refused).toEqual([
      'The body identifies no message: "id", "msg_id" and "request_id" are missing',
      'The body is not a JSON object',
      expect.stringMatching(/^The field "id" is malformed/),
    ]);
  });

  it('may have side fields of any type without being one', () => {
    const side = fc.constantFrom(...SIDE_FIELDS);
    const value = fc
      .jsonValue({ maxDepth: 4 })
      .filter((one) => !/proto|constructor/.test(JSON.stringify(one)));
    const changed = fc.dictionary(side, value, { maxKeys: 6 });
    const property = fc.property(fc.array(changed, { minLength: 1, maxLength: 5 }), (entries) => {
      const body = entries.map((more, i) => ({ ...ONE, ...more, id: i }));
      expect(callbacks(JSON.parse(JSON.stringify(body))).map(({ id }) => id)).toEqual(
        entries.map((_, i) => i),
      );
    });
    fc.assert(property);
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
    ['no success', { id: '5', status: 'DELIVERED' }],
    ['an empty identifier', { success: true, id: ' ', msg_id: null }],
    ['success inherited only', { data: { __proto__: ONE } }],
    ['data that are a number', { data: 5, more: 1 }],
    ['JSON text', JSON_TEXT],
    ['JSON in two fields', { payload: JSON_TEXT, data: JSON_TEXT }],
    ['broken JSON in a field', { payload: JSON_TEXT.slice(1) }],
    ['JSON in the name of a field', parseQuery(JSON_TEXT)],
    ['an object in data', { data: ONE }],
    ['nested form fields', parseQuery(FORM.replaceAll(/(\w+)=/g, 'data[0][$1]='))],
    ['a field twice in a form', parseQuery(`${FORM}&id=6`)],
    ['files only', { data: {}, files: { a: { filepath: '/etc/passwd' } } }],
  ])('%s is refused with a reason', (_, body) => expect(reasonOf(body)).toMatch(/^400 The (body|field) \S+/));

  it('has a short reason that names the field that is malformed, or what is missing, and does not repeat the body', () => {
    expect(reasonOf({ ...ONE, id: { ['x'.repeat(9999)]: 'y'.repeat(9999) } })).toMatch(/^400 The .{1,200}$/);
    expect(reasonOf({ ...ONE, msg_id: 1.5 })).toMatch(/^400 The field "msg_id" is malformed/);
    const missing = '400 The body identifies no message: "id", "msg_id" and "request_id" are missing';
    expect(reasonOf({ success: true })).toBe(missing);
    for (const name of ['id', 'msg_id', 'request_id'])
      expect(reasonOf({ success: true, [name]: 'x' })).toBe('fine');
  });

  it('holds too much', () => {
    const replies = (count: number) => Array(count).fill({ message: '' }) as object[];
    const TOO_MANY = '413 The body holds more than 1000 callbacks and replies';
    expect(reasonOf(Array(1000).fill(ONE))).toBe('fine');
    expect(reasonOf(Array(1001).fill(ONE))).toBe(TOO_MANY);
    expect(reasonOf([{ ...ONE, replies: replies(999) }, ONE])).toBe('fine');
    expect(reasonOf([{ ...ONE, replies: replies(1000) }, ONE])).toBe(TOO_MANY);
    const named = Object.fromEntries(Array.from({ length: 195 }, (_, i) => [`f${i}`, 1]));
    expect(reasonOf({ ...ONE, ...named })).toBe('fine');
    expect(reasonOf({ ...ONE, ...named, more: 1 })).toBe('400 The body has more fields than any callback');
  });

  it.each([
    ['a list in 20 others', `${'['.repeat(20)}${']'.repeat(20)}`],
    ['a list in 50,000 others', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ...['__proto__', 'constructor', 'prototype'].map((name) => [`a name ${name}`, `[{"${name}":{}}]`]),
  ])('has a field that no callback has: %s', (_, json) => {
    const body = JSON.parse(`{"success":true,"id":5,"more":${json}}`) as unknown;
    expect(reasonOf(body)).toBe('400 The body is nested too deeply, or has a field that no callback has');
  });
});
