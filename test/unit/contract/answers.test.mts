/** What the gateway writes, read by its rules: envelopes, identifiers and callbacks, at their edges. */
import { callbackSchema, replyEntries, replyTexts } from '../../../nodes/gateway/contract/callback.ts';
import { asciiForms } from '../../../nodes/gateway/text/characters.ts';
import { isNone, readEnvelope, typedIdentifier } from '../../../nodes/gateway/contract/envelope.ts';

it.each([
  ['plain ~\x7f', 'plain ~\x7f'],
  ['\uff01\uff5e', '!~'],
  ['\uff00\uff5f', '\uff00\uff5f'],
  ['\u0660\u0669\u06f0\u06f9', '0909'],
  ['\u065f\u066a\u06ef\u06fa', '\u065f\u066a\u06ef\u06fa'],
  ['\u200b1\u202e2\ufeff', '12'],
  ['é', 'é'],
])('%j in ASCII is %j', (text, ascii) => expect(asciiForms(text)).toBe(ascii));

it('reads identifiers that are whole numbers below 2^53 as such, and leaves all others', () => {
  const numbers = ['0', '10', '9007199254740991', 7].map(typedIdentifier);
  expect(numbers).toEqual([0, 10, 9007199254740991, 7]);
  for (const other of ['01', '-1', '1.0', '', 'x1', '9007199254740992', null, ['5']])
    expect(typedIdentifier(other)).toBe(other);
});

describe('envelopes', () => {
  const read = (fields: object) => readEnvelope({ success: true, ...fields });
  const OK = { success: true };
  const NO = { success: false, error: 'No' };

  it('are read with 1, 0 and "none" as what they stand for', () => {
    expect(read({ success: 1, error: null, data: null, more: 1 })).toEqual(OK);
    expect(read({ success: 0, error: 'No', data: [OK] })).toEqual(NO);
    expect(read({ request_id: 5, error: false })).toEqual({ ...OK, requestId: '5' });
    expect(read({ request_id: 'r-5' })).toEqual({ ...OK, requestId: 'r-5' });
    for (const none of [null, '']) expect(read({ request_id: none, data: {} })).toEqual(OK);
    expect(read({ data: [] })).toEqual({ ...OK, data: [] });
  });

  it('hold results with their payload', () => {
    const data = { id: 1 };
    const written = [
      { ...OK, data, more: 1 },
      { ...NO, data },
      { ...NO, success: 0 },
      { success: 1, error: 0 },
    ];
    expect(read({ data: written })).toEqual({ ...OK, data: [{ ...OK, data }, { ...NO, data }, NO, OK] });
  });

  it('are none where they lack a success of their own, or of a result', () => {
    for (const body of [{ success: 2 }, { success: 'yes' }, { success: '' }, {}, null, [OK]])
      expect([body, readEnvelope(body)]).toEqual([body, undefined]);
    const gaps = [
      { 0: OK, 2: OK },
      { 2: OK, 3: OK },
      { 0: OK, more: OK },
    ];
    for (const data of [{ id: 1 }, 'x', [OK, { data: 5 }], [[]], [null], ...gaps])
      expect([data, read({ data })]).toEqual([data, undefined]);
  });

  it('hold results keyed by index, from 0 or 1, and flags as text', () => {
    for (const data of [
      { 0: OK, 1: NO },
      { 1: OK, 2: NO },
    ])
      expect(read({ success: ' True ', data })).toEqual({ ...OK, data: [OK, NO] });
    expect(read({ data: [{ success: '0', error: 'No' }] })).toEqual({ ...OK, data: [NO] });
  });

  it.each<[unknown, string | undefined]>([
    ['', ''],
    ['No', 'No'],
    [{ code: 5, message: 'No' }, '{"code":5,"message":"No"}'],
    [{ phone: ['must be a number'] }, '{"phone":["must be a number"]}'],
    [['a', { message: 'b' }, null], '["a",{"message":"b"},null]'],
    [5, '5'],
    ...[null, undefined, 0, false, true, [], {}].map((none): [unknown, undefined] => [none, undefined]),
  ])('word the error %j as %j', (error, words) => {
    const envelope = readEnvelope({ success: false, error });
    expect(envelope).toEqual(words === undefined ? { success: false } : { success: false, error: words });
    expect(read({ data: [{ success: false, error }] })?.data).toEqual([envelope]);
  });

  it('word an error that has no end, or no bottom, in a text of bounded length', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`) as unknown;
    const long = 'x'.repeat(1000);
    for (const error of [{ deep }, { long: { long } }, Array(1000).fill(long), Array(100_000).fill({})])
      expect(readEnvelope({ success: false, error })?.error?.length ?? 0).toBeLessThanOrEqual(2000);
  });

  it('say that there is none with nothing, null, false, 0, "", [] and {} alone', () => {
    for (const none of [undefined, null, false, 0, '', [], {}])
      expect([none, isNone(none)]).toEqual([none, true]);
    for (const one of ['0', 1, [null], { id: undefined }]) expect([one, isNone(one)]).toEqual([one, false]);
  });
});

describe('a callback', () => {
  const read = (fields: object) => callbackSchema.parse({ success: true, ...fields });
  const wrong = (fields: object) => {
    const [{ path, message }] = callbackSchema.safeParse({ success: true, ...fields }).error?.issues ?? [];
    return `${path.join('.')}: ${message}`;
  };
  const long = (length: number) => 'x'.repeat(length);
  const WORD = 'expected text of at most 200 characters';
  const ID = 'expected a whole number or text of at most 200 characters';

  it.each([
    [true, [true, 1, '1', 'true', 'True', 'TRUE']],
    [false, [false, 0, '0', 'false', 'False', 'FALSE']],
  ])('says %p by %j', (success, written) => {
    for (const one of written) expect([one, read({ success: one })]).toEqual([one, { success }]);
  });

  it.each<[name: string, message: string, ...values: unknown[]]>([
    ['success', 'success: expected true or false', 'yes', undefined],
    ['id', `id: ${ID}`, 1.5, {}],
    ['msg_id', `msg_id: ${ID}`, long(201)],
    ['request_id', `request_id: ${WORD}`, long(201), {}],
  ])('is malformed where %s is wrong: %s', (name, message, ...values) => {
    for (const value of values) expect([value, wrong({ [name]: value })]).toEqual([value, message]);
  });

  it('takes words of 200 characters, and numbers as forms write them', () => {
    const names = ['id', 'msg_id', 'type', 'status', 'request_id'];
    const fields = Object.fromEntries(names.map((name) => [name, long(200)]));
    expect(read(fields)).toEqual({ success: true, ...fields });
    const written = [' 12.5 ', '12', -1.5, null, '1,5', '00:12'];
    const durations = written.map((duration) => read({ duration }).duration);
    expect(durations).toEqual([12.5, 12, -1.5, null, '1,5', '00:12']);
    expect(read({ request_id: ' r-1\n' })).toEqual({ success: true, request_id: 'r-1' });
    expect(read({ duration: '123456789012345.123456789012345' }).duration).toBeCloseTo(123456789012345, 0);
    const more = { a: [1] };
    expect(read({ request_id: 5, more })).toEqual({ success: true, request_id: '5', more });
  });

  it.each<[replies: unknown, entries: unknown[], texts: string[]]>([
    [[{ message: 'b', datetime: '10:00' }], [{ message: 'b', datetime: '10:00' }], ['b']],
    [[null, 'a', { message: 5 }, ''], [{ message: 5 }], ['5']],
    [{ 2: { message: 'a' }, 5: { message: 'b' } }, [{ message: 'a' }, { message: 'b' }], ['a', 'b']],
    [
      [{ message: '' }, { message: {} }, { media: {} }],
      [{ message: '' }, { message: {} }, { media: {} }],
      [],
    ],
    ...[{ message: 'a' }, {}, 'a', 5, null, undefined].map((none): [unknown, [], []] => [none, [], []]),
  ])('finds the replies in %j', (replies, entries, texts) => {
    expect(replyEntries(replies)).toEqual(entries);
    expect(replyTexts(replies)).toEqual(texts);
  });
});
