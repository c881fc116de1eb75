/** What the gateway writes, read by its rules: envelopes, identifiers and callbacks, at their edges. */
import { callbackSchema } from '../../../nodes/gateway/contract/callback.ts';
import { CHANNELS, channelName } from '../../../nodes/gateway/contract/channels.ts';
import { asciiForms } from '../../../nodes/gateway/contract/characters.ts';
import { isNone, readEnvelope, typedIdentifier } from '../../../nodes/gateway/contract/envelope.ts';
import { LIFETIME_LIMITS } from '../../../nodes/gateway/contract/limits.ts';

it('has the default lifetimes of the contract', () => {
  const defaults = Object.values(LIFETIME_LIMITS).map((limits) => limits.default);
  expect(defaults).toEqual([172_800, 86_400, 172_800, 172_800]);
});

it('names channels, and leaves others as they are', () => {
  expect(['sms', 'SMS', 'Viber', 'pigeon', ''].map(channelName)).toEqual([
    'SMS',
    'SMS',
    'Viber',
    'pigeon',
    '',
  ]);
  expect(Object.values(CHANNELS)).toEqual(['Voice Call', 'Telegram', 'Viber', 'RCS', 'SMS', 'WhatsApp']);
});

it.each([
  ['plain ~\x7f', 'plain ~\x7f'],
  ['\uff01\uff5e', '!~'],
  ['\uff00\uff5f', '\uff00\uff5f'],
  ['\u0660\u0669\u06f0\u06f9', '0909'],
  ['\u065f\u066a\u06ef\u06fa', '\u065f\u066a\u06ef\u06fa'],
  ['\u200b1\u202e2\ufeff', '12'],
  ['é', 'é'],
])('%j in ASCII is %j', (text, ascii) => expect(asciiForms(text)).toBe(ascii));

const LIST = ['5'];

it.each<[unknown, unknown]>([
  ['0', 0],
  ['10', 10],
  ['01', '01'],
  ['-1', '-1'],
  ['1.0', '1.0'],
  ['', ''],
  ['x1', 'x1'],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  [7, 7],
  [null, null],
  [LIST, LIST],
])('the identifier %j is %j', (value, typed) => expect(typedIdentifier(value)).toBe(typed));

describe('envelopes', () => {
  it('are read with 1, 0 and "none" as what they stand for', () => {
    expect(readEnvelope({ success: 1, error: null, data: null, more: 1 })).toEqual({ success: true });
    expect(readEnvelope({ success: 0, error: 'No', data: [{ success: true }] })).toEqual({
      success: false,
      error: 'No',
    });
    expect(readEnvelope({ success: true, request_id: 5, error: false })).toEqual({
      success: true,
      requestId: '5',
    });
    expect(readEnvelope({ success: true, request_id: 'r-5' })).toEqual({ success: true, requestId: 'r-5' });
    for (const none of [null, '']) {
      expect(readEnvelope({ success: true, request_id: none, data: {} })).toEqual({ success: true });
    }
    expect(readEnvelope({ success: true, data: [] })).toEqual({ success: true, data: [] });
  });

  it('hold results with their payload', () => {
    const data = { id: 1 };
    const refused = { success: false, error: 'No', data };
    expect(
      readEnvelope({
        success: true,
        data: [
          { success: true, data, more: 1 },
          refused,
          { success: 0, error: 'No' },
          { success: 1, error: 0 },
        ],
      }),
    ).toEqual({
      success: true,
      data: [{ success: true, data }, refused, { success: false, error: 'No' }, { success: true }],
    });
  });

  it.each([
    [{ success: 2 }],
    [{ success: 'true' }],
    [{}],
    [null],
    [[{ success: true }]],
    [{ success: true, data: { id: 1 } }],
    [{ success: true, data: 'x' }],
    [{ success: true, data: [{ success: true }, { data: 5 }] }],
    [{ success: true, data: [[]] }],
    [{ success: true, data: [null] }],
  ])('are none where they are %j', (value) => expect(readEnvelope(value)).toBeUndefined());

  it.each([
    [undefined, true],
    [null, true],
    [false, true],
    [0, true],
    ['', true],
    [[], true],
    [{}, true],
    ['0', false],
    [1, false],
    [[null], false],
    [{ id: undefined }, false],
  ])('say with %j that there is none: %p', (value, expected) => expect(isNone(value)).toBe(expected));
});

describe('a callback', () => {
  const read = (fields: object) => callbackSchema.parse({ success: true, ...fields });
  const wrong = (fields: object) => {
    const [{ path, message }] = callbackSchema.safeParse({ success: true, ...fields }).error?.issues ?? [];
    return `${path.join('.')}: ${message}`;
  };
  const long = (length: number) => 'x'.repeat(length);
  const WORD = 'expected text of at most 200 characters';
  const TEXT = 'expected text or a number';
  const ID = 'expected a whole number or text of at most 200 characters';

  it.each([true, 1, '1', 'true', 'True', 'TRUE'])('succeeded by %j', (success) => {
    expect(read({ success })).toEqual({ success: true });
  });

  it.each([false, 0, '0', 'false', 'False', 'FALSE'])('failed by %j', (success) => {
    expect(read({ success })).toEqual({ success: false });
  });

  it.each<[object, string]>([
    [{ success: 'yes' }, 'success: expected true or false'],
    [{ success: undefined }, 'success: expected true or false'],
    ...[1.5, {}].map((id): [object, string] => [{ id }, `id: ${ID}`]),
    [{ msg_id: long(201) }, `msg_id: ${ID}`],
    [{ type: long(201) }, `type: ${WORD}`],
    [{ type: 5 }, `type: ${WORD}`],
    [{ status: long(201) }, `status: ${WORD}`],
    [{ request_id: long(201) }, `request_id: ${WORD}`],
    [{ request_id: {} }, `request_id: ${WORD}`],
    [{ error: {} }, `error: ${TEXT}`],
    [{ error: [1] }, `error: ${TEXT}`],
    [{ updated: Infinity }, `updated: ${TEXT}`],
    [{ reply: Number.NaN }, `reply: ${TEXT}`],
    [{ duration: '1,5' }, 'duration: expected a number'],
    [{ duration: '5x' }, 'duration: expected a number'],
    [{ duration: '1234567890123456' }, 'duration: expected a number'],
    [{ duration: '1.1234567890123456' }, 'duration: expected a number'],
    [{ duration: '1.' }, 'duration: expected a number'],
    [{ replies: [{ message: 'a' }, {}] }, 'replies.1: expected "message" or "media" in a reply'],
    [{ replies: [{ message: 'a', datetime: {} }] }, `replies.0.datetime: ${TEXT}`],
    [{ replies: [{ message: false }] }, `replies.0.message: ${TEXT}`],
    [{ replies: [{ media: { filesize: 'big' } }] }, 'replies.0.media.filesize: expected a number'],
  ])('is malformed by %j', (fields, message) => expect(wrong(fields)).toBe(message));

  it('takes words of 200 characters, and numbers as forms write them', () => {
    const fields = {
      id: long(200),
      msg_id: long(200),
      type: long(200),
      status: long(200),
      request_id: long(200),
    };
    expect(read(fields)).toEqual({ success: true, ...fields });
    expect(read({ duration: ' 12.5 ' }).duration).toBe(12.5);
    expect(read({ duration: '123456789012345.123456789012345' }).duration).toBeCloseTo(123456789012345, 0);
    expect(read({ duration: -1.5 }).duration).toBe(-1.5);
    expect(read({ duration: null }).duration).toBeNull();
    expect(read({ request_id: 5 }).request_id).toBe('5');
  });

  it('takes false and an empty list for none', () => {
    for (const none of [false, [], null]) {
      expect(read({ error: none, updated: none, reply: none })).toEqual({
        success: true,
        error: null,
        updated: null,
        reply: null,
      });
    }
    expect(read({ error: '', reply: 0 })).toMatchObject({ error: '', reply: '0' });
  });

  it('takes replies with a message or media, and media as forms have it', () => {
    const media = (value: unknown) => read({ replies: [{ media: value }] }).replies?.[0].media;
    expect(['', false, [], null].map(media)).toEqual([null, null, null, null]);
    const filled = { url: 'u', filename: null, filesize: '5', more: 1 };
    expect(media(filled)).toEqual({ ...filled, filesize: 5 });
    expect(media({ filesize: '' })).toEqual({ filesize: null });
    expect(read({ replies: [{ message: null, more: 1 }] }).replies).toEqual([{ message: null, more: 1 }]);
    expect(read({ replies: null }).replies).toBeNull();
    expect(read({ more: { a: 1 } })).toEqual({ success: true, more: { a: 1 } });
  });
});
