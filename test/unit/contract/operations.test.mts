/** Fields, limits and rules of all operations, by the sandbox's reading of gateway-api.md or by hand, so that a misreading shows. */
import { isViberContent } from '../../../nodes/gateway/contract/channels.ts';
import {
  hasField,
  smsTextOf,
  viberTypesOf,
  WIRE_TYPES,
  wireFieldsOf,
} from '../../../nodes/gateway/contract/operations.ts';
import type { WireType } from '../../../nodes/gateway/contract/operations.ts';
import { FIELD_SCHEMAS, stageSchemas } from '../../../nodes/gateway/contract/wire-fields.ts';
import type { WireField } from '../../../nodes/gateway/contract/wire-fields.ts';
import { operationOf, PHONE } from '../../support/contract-samples.mts';
import { CHANNEL_NAMES } from '../../../sandbox/operations/channels.mts';
import { OTHER_SHAPES, SEND_SHAPES } from '../../../sandbox/operations/fields.mts';
import { findIssueIn } from '../../support/whole-operations.mts';

const words = (text: string): string[] => text.split(' ').filter(Boolean);

/** Required and optional fields as the sandbox has them, which reads the contract on its own. */
const FIELDS: Record<string, [required: readonly string[], optional: readonly string[]]> = {
  // Those of a pipeline have another form there.
  pipeline: [words('id phone pipeline'), [...CHANNEL_NAMES, 'hook']],
};
for (const [type, { fields, required }] of Object.entries({ ...SEND_SHAPES, ...OTHER_SHAPES })) {
  const optional = Object.keys(fields).filter((name) => name !== 'type' && !required.includes(name));
  FIELDS[type] = [required, optional];
}

const SLIDE = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };
const VOICE = { gender: 'male', language: 'en-US', name: 'Any' };
const STAGE = { message: 'Hi', signature: 'Any' };

const validOperation = (type: WireType): Record<string, unknown> =>
  type === 'pipeline' ? { type, id: 1, phone: PHONE, pipeline: ['sms'], sms: STAGE } : operationOf(type);
const check = (type: WireType, operation: Record<string, unknown>) => {
  const failed = findIssueIn(type, operation);
  return failed ? `${failed.path.join('.')}: ${failed.message}` : 'fine';
};

describe.each(WIRE_TYPES)('%s', (type) => {
  const [required, optional] = FIELDS[type].map((fields) => [...fields].sort());

  it('has the fields of sandbox/operations/fields.mts', () => {
    const fields = wireFieldsOf(type);
    expect([fields.required, fields.optional].map((list) => [...list].sort())).toEqual([required, optional]);
    const all = (Object.keys(FIELD_SCHEMAS) as WireField[]).filter((field) => hasField(type, field));
    expect(all.sort()).toEqual([...required, ...optional].sort());
  });
});

/** What fields accept and refuse, and the words that complete "… must be". */
const LINK = 'a complete web address such as https://example.com/page';
const BUTTON = 'a complete address such as https://example.com/page';
const TEXT = 'text with at least one visible character';
const SIGNATURE = 'the name of a sender that is approved for your account';
const NO_TEXT = ['', ' ', '\n', 5, null, {}];

const CHECKS: Array<[fields: string, phrase: string, accepted: unknown[], refused: unknown[]]> = [
  ['id', 'a whole number from 0 to 9007199254740991', [0, 1, 2 ** 53 - 1], [-1, 0.5, 2 ** 53, '1', null]],
  [
    'phone',
    'a phone number in international format (7 to 15 digits, country code first)',
    [1_000_000, 999_999_999_999_999],
    [999_999, 1e15, 1_000_000.5, '380501234567'],
  ],
  [
    'sms_lifetime',
    'a whole number of seconds from 3600 to 259200',
    [3600, 259200],
    [3599, 259201, 3600.5, '3600'],
  ],
  [
    'viber_lifetime rcs_lifetime telegram_lifetime',
    'a whole number of seconds, 60 or more',
    [60, 61, Number.MAX_SAFE_INTEGER],
    [59, 60.5, -60, '60', Number.NaN, 2 ** 53],
  ],
  [
    'hook viber_image rcs_image',
    LINK,
    ['https://a.example/x', 'http://a.example'],
    ['a.example', 'ftp://a.example', 'viber://a', '', 5, null, 'https://'],
  ],
  [
    'viber_link rcs_link',
    BUTTON,
    words(
      'https://a.example viber://chat tel:+441 MAILTO:a@b.example sms:1 geo:1,2 market:x intent:x a+b-c.1://x',
    ),
    [
      ...words(`example.com:8080/x a.example javascript:1 1a://x https:// ${'a'.repeat(32)}://x`),
      ...['', ' https://a.example', 5],
    ],
  ],
  ['viber_button rcs_button', 'a button caption with at least one visible character', ['a'], NO_TEXT],
  ['sms_message viber_message rcs_message message template', TEXT, ['a', ' a '], NO_TEXT],
  ['sms_signature viber_signature rcs_signature signature', SIGNATURE, ['a'], NO_TEXT],
  ['short_link unsubscribe_link dtmf', 'on or off', [true, false], ['true', 1, null]],
  ['name', 'text, or left empty', ['a'], NO_TEXT],
  [
    'viber_type',
    'one of text, image, text+link, text+image+link, carousel',
    ['text', 'image', 'text+link', 'text+image+link', 'carousel'],
    ['', 'Text', 'video', null],
  ],
  [
    'viber_carousel',
    'a list of 2 to 5 slides',
    [2, 5].map((count) => Array(count).fill(SLIDE)),
    [[], [SLIDE], Array(6).fill(SLIDE), 'slides', SLIDE],
  ],
];

it.each(CHECKS)('%s must be %s', (fields, phrase, accepted, refused) => {
  for (const field of words(fields)) {
    const schema = FIELD_SCHEMAS[field as WireField];
    for (const value of accepted)
      expect([field, value, schema.safeParse(value).success]).toEqual([field, value, true]);
    for (const value of refused) {
      const messages = schema.safeParse(value).error?.issues.map(({ message }) => message);
      expect([field, value, [...new Set(messages)]]).toEqual([field, value, [phrase]]);
    }
  }
});

describe('parts of a field', () => {
  const { viber_carousel: carousel, voice: voiceOf } = FIELD_SCHEMAS;
  interface Schema {
    safeParse(value: unknown): { error?: { issues: Array<{ path: unknown[]; message: string }> } };
  }
  const issue = (schema: Schema, value: unknown) => {
    const [first] = schema.safeParse(value).error?.issues ?? [];
    return first && `${first.path.join('.')}: ${first.message}`;
  };

  it('slides need caption, image, link and button', () => {
    const ofSlide = (more: object) => issue(carousel, [SLIDE, { ...SLIDE, ...more }]);
    expect(ofSlide({ url2: 'https://b.example', button2: 'c' })).toBeUndefined();
    const FILLED_IN = 'filled in on every slide';
    const phrases = { caption: FILLED_IN, button: FILLED_IN, image: LINK, url: BUTTON };
    for (const [name, phrase] of Object.entries(phrases))
      for (const none of ['', undefined]) expect(ofSlide({ [name]: none })).toBe(`1.${name}: ${phrase}`);
    expect(ofSlide({ url2: 'b' })).toBe(`1.url2: ${BUTTON}`);
    expect(ofSlide({ button2: '' })).toBe('1.button2: filled in, or left out');
  });

  it.each([
    [{ gender: 'female' }, undefined],
    [{ gender: 'other' }, 'gender: one of female, male'],
    [{ language: '' }, 'language: a language tag such as en-US'],
    [{ name: undefined }, 'name: the name of a voice model'],
  ])('a voice with %j is refused as %s', (more, message) => {
    expect(issue(voiceOf, { ...VOICE, ...more })).toBe(message);
  });

  it('a voice stage may have a text, which is not empty', () => {
    expect(issue(stageSchemas.voice, { ...VOICE, message: 'Hi' })).toBeUndefined();
    expect(issue(stageSchemas.voice, { ...VOICE, message: '' })).toBe(`message: ${TEXT}`);
    // A voice operation has its text beside the voice.
    const voiceWith = (type: WireType, more: object) =>
      check(type, { ...validOperation(type), ...more, voice: { ...VOICE, message: '' } });
    expect(voiceWith('voice', {})).toBe('fine');
    expect(voiceWith('pipeline', { pipeline: ['voice'] })).toBe(`voice.message: ${TEXT}`);
  });

  it('a Telegram message is a code of 4 to 8 digits', () => {
    const ofMessage = (message: unknown) => check('telegram', { ...validOperation('telegram'), message });
    for (const message of ['1234', '12345678', '0000']) {
      expect(ofMessage(message)).toBe('fine');
      expect(issue(stageSchemas.telegram, { message })).toBeUndefined();
    }
    for (const message of ['123', '123456789', 'a1234', '1234a', '12 34', '', '１２３４', 1234])
      expect(ofMessage(message)).toBe('message: 4 to 8 digits, without other text');
  });

  it('the id of an SMS template is text, that of a Viber template a number', () => {
    const ofId = (type: WireType, id: unknown) => check(type, { type, id });
    expect(ofId('template/delete', '5')).toBe('fine');
    expect(ofId('template/delete', '')).toBe('id: the id of a template');
    expect(ofId('template/delete', 5)).toMatch(/^id: /);
    expect(ofId('template/viber/delete', 5)).toBe('fine');
    expect(ofId('template/viber/delete', '5')).toMatch(/^id: /);
  });
});

describe('what Viber needs by type', () => {
  const TYPES = ['text', 'image', 'text+link', 'text+image+link', 'carousel'];

  it('depends on the type in its contents alone', () => {
    const contents = words('viber_message viber_image viber_button viber_link viber_carousel');
    expect((Object.keys(FIELD_SCHEMAS) as WireField[]).filter(isViberContent)).toEqual(contents);
  });

  it('a fallback to SMS alone takes no carousel', () => {
    expect(viberTypesOf('viber+sms')).toEqual(['text', 'image', 'text+link', 'text+image+link']);
    for (const type of ['viber', 'rcs+viber+sms'] as const) expect(viberTypesOf(type)).toEqual(TYPES);
    for (const type of WIRE_TYPES.filter((one) => !one.includes('viber') || one.startsWith('template'))) {
      expect(viberTypesOf(type)).toEqual([]);
    }
    const carousel = { viber_type: 'carousel', viber_carousel: [SLIDE, SLIDE] };
    expect(check('rcs+viber+sms', { ...validOperation('rcs+viber+sms'), ...carousel })).toBe('fine');
    expect(check('viber+sms', { ...validOperation('viber+sms'), ...carousel })).toBe(
      'viber_type: one of text, image, text+link, text+image+link',
    );
  });
});

it('a pipeline needs the object of each of its channels, and of no other; a plain send needs none', () => {
  expect(check('sms', { ...validOperation('sms'), pipeline: ['rcs'] })).toBe('fine');
  const pipeline = (channels: unknown, stages: object) =>
    check('pipeline', { type: 'pipeline', id: 1, phone: PHONE, pipeline: channels, ...stages });
  expect(pipeline(['sms', 'telegram'], { sms: STAGE, telegram: { message: '1234' } })).toBe('fine');
  expect(pipeline(['sms', 'telegram'], { sms: STAGE })).toBe('telegram: filled in');
  expect(pipeline(['rcs', 'whatsapp'], {})).toBe('rcs: filled in');
  const each = /^pipeline: one or several of Voice Call, .*WhatsApp.*, each once$/;
  for (const none of [['pigeon'], []]) expect(pipeline(none, {})).toMatch(each);
  expect(pipeline(['sms', 'telegram', 'sms'], { sms: STAGE, telegram: { message: '1234' } })).toMatch(each);
  expect(pipeline('sms', { sms: STAGE })).toMatch(each);
});

it('finds the text of an SMS in an operation, in a fallback and in the stage of a pipeline', () => {
  const textOf = (type: WireType, operation: object, pipeline?: string[]) =>
    smsTextOf({ type, ...operation, pipeline });
  expect(textOf('viber+sms', { sms_message: 'Hi' })).toBe('Hi');
  expect(textOf('pipeline', { sms: STAGE, sms_message: 'No field of a pipeline' }, ['sms'])).toBe('Hi');
  for (const none of [{}, { sms: {} }, { sms: { message: 5 } }, { viber: STAGE }])
    expect(textOf('pipeline', none, ['sms'])).toBeUndefined();
});

it('finds no text of an SMS that no channel tries', () => {
  expect(smsTextOf({ type: 'pipeline', sms: STAGE, pipeline: ['whatsapp'] })).toBeUndefined();
  expect(smsTextOf({ type: 'viber', sms_message: 'Hi' })).toBeUndefined();
});
