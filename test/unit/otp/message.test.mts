/** The message of a code: the operation for each choice of channels, and the parameters that it needs. */
import type { IDataObject } from 'n8n-workflow';

import { readWhole, wholeProperty } from '../../../nodes/MessagingGateway/fields/whole-number.ts';
import {
  codeProperties,
  COOLDOWN,
  hasText,
  MAX_ATTEMPTS,
  PER_NUMBER_LIMIT,
  readChannels,
  readCodeLength,
  readExpiresIn,
  readMessage,
  RESEND_OPTION,
  WORKFLOW_LIMIT,
} from '../../../nodes/MessagingGateway/otp/fields.ts';
import type { CodeChannel } from '../../../nodes/MessagingGateway/otp/fields.ts';
import { buildCodeOperation } from '../../../nodes/MessagingGateway/otp/operation.ts';
import { refusedByLimit, unrecorded } from '../../../nodes/MessagingGateway/otp/refusals.ts';
import type { LimitReason } from '../../../nodes/gateway/otp/rate-limits.ts';
import { sendForm } from '../../support/otp.mts';

const PHONE = 447700900001;
const CODE = '012345';
const SPOKEN = '0, 1, 2, 3, 4, 5';

const build = (channels: CodeChannel[], form: IDataObject = {}, expiresIn = 300) =>
  buildCodeOperation(
    {
      id: 5,
      phone: PHONE,
      channels,
      text: 'Code {code}, {code} for {minutes} or {minutes} minutes',
      code: CODE,
      expiresIn,
    },
    (name) => sendForm(form)[name],
  );
const textWith = (code: string, minutes = 5) => `Code ${code}, ${code} for ${minutes} or ${minutes} minutes`;
const TARGET = { id: 5, phone: PHONE };
const VOICE = { gender: 'female', language: 'en-US', name: 'en-US-A' };
const FORM = { voiceGender: 'female' };

describe('the operation', () => {
  it.each<[CodeChannel[], object]>([
    [['sms'], { type: 'sms', sms_message: textWith(CODE), sms_signature: 'TestSender', sms_lifetime: 3600 }],
    [['telegram'], { type: 'telegram', message: CODE, telegram_lifetime: 300 }],
    [['call'], { type: 'call/otp' }],
    [
      ['viber'],
      {
        type: 'viber',
        viber_type: 'text',
        viber_message: textWith(CODE),
        viber_signature: 'ViberSender',
        viber_lifetime: 300,
      },
    ],
    [['voice'], { type: 'voice', message: textWith(SPOKEN), dtmf: false, voice: VOICE }],
    [
      ['rcs'],
      { type: 'pipeline', pipeline: ['rcs'], rcs: { message: textWith(CODE), signature: 'RcsSender' } },
    ],
    [
      ['whatsapp', 'voice', 'telegram', 'viber', 'sms'],
      {
        type: 'pipeline',
        pipeline: ['whatsapp', 'voice', 'telegram', 'viber', 'sms'],
        whatsapp: { message: textWith(CODE), signature: 'Any' },
        voice: { message: textWith(SPOKEN), ...VOICE },
        telegram: { message: CODE },
        viber: { message: textWith(CODE), signature: 'ViberSender', type: 'text' },
        sms: { message: textWith(CODE), signature: 'TestSender' },
      },
    ],
  ])('through %j', (channels, operation) => {
    expect(build(channels, FORM)).toEqual({ ...TARGET, ...operation });
  });

  it.each<[CodeChannel, string, number, number]>([
    ['sms', 'sms_lifetime', 30, 3600],
    ['sms', 'sms_lifetime', 3600, 3600],
    ['viber', 'viber_lifetime', 30, 60],
    ['viber', 'viber_lifetime', 61, 61],
    ['telegram', 'telegram_lifetime', 30, 60],
    ['telegram', 'telegram_lifetime', 3600, 3600],
  ])(
    'through %s has a %s that ends with a code of %i seconds, as far as the channel allows: %i',
    (channel, field, expiresIn, lifetime) => {
      expect(build([channel], FORM, expiresIn)).toMatchObject({ [field]: lifetime });
    },
  );

  it.each([
    [30, 1],
    [59, 1],
    [60, 1],
    [119, 1],
    [120, 2],
    [3600, 60],
  ])('promises for %i seconds %i minutes', (expiresIn, minutes) => {
    expect(build(['sms'], FORM, expiresIn)).toMatchObject({ sms_message: textWith(CODE, minutes) });
  });

  it('takes nothing else of the form that its parameters are named like', () => {
    const form = { ...FORM, smsMessage: 'other', viberMessage: 'other', viberType: 'image', dtmf: true };
    expect(build(['sms'], form)).toMatchObject({ sms_message: textWith(CODE) });
    expect(build(['viber'], form)).toMatchObject({ viber_type: 'text', viber_message: textWith(CODE) });
    expect(build(['voice'], form)).toMatchObject({ dtmf: false });
  });

  it('names the sender that a stage lacks', () => {
    expect(() => build(['sms', 'viber'], { ...FORM, viberSignature: '' })).toThrow(
      "'Viber Sender' must be the name of a sender that is approved for your account",
    );
  });
});

describe('the parameters', () => {
  const get = (values: Record<string, unknown>) => (name: string) => values[name];
  const channels = (value: unknown) => readChannels(get({ channels: value }));

  it.each<[unknown, CodeChannel[]]>([
    [undefined, ['sms']],
    [
      ['viber', 'sms'],
      ['viber', 'sms'],
    ],
    ['viber, sms ', ['viber', 'sms']],
    [['call'], ['call']],
    [
      ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp'],
      ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp'],
    ],
  ])('Channels takes %j', (value, expected) => expect(channels(value)).toEqual(expected));

  it.each([[[]], [''], [5], [{}], [['pigeon']], [['sms', 'sms']], [['call', 'sms']], [[5]], [['sms', null]]])(
    'Channels refuses %j',
    (value) => {
      expect(() => channels(value)).toThrow(
        "'Channels' must be a list of voice, telegram, viber, rcs, sms, whatsapp, each at most once, or call alone",
      );
    },
  );

  it('Message needs the place of the code, unless no channel has words', () => {
    expect(readMessage(get({ message: 'Code {code}' }), ['telegram', 'sms'])).toBe('Code {code}');
    for (const message of ['Code', '{minutes}', undefined, '']) {
      expect(() => readMessage(get({ message }), ['sms'])).toThrow(
        "'Message' must be text that contains {code}",
      );
    }
    expect(readMessage(get({ message: 'Code' }), ['telegram'])).toBe('');
    expect(readMessage(get({}), ['call'])).toBe('');
    expect(
      (['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp', 'call'] as const).filter(hasText),
    ).toEqual([...['voice', 'viber', 'rcs', 'sms', 'whatsapp']]);
  });

  it('Code Length is that of the form, and four digits for a call', () => {
    expect(readCodeLength(get({}), ['sms'])).toBe(6);
    expect(readCodeLength(get({ codeLength: 8 }), ['sms'])).toBe(8);
    expect(readCodeLength(get({ codeLength: 8 }), ['call'])).toBe(4);
  });

  it.each<[label: string, min: number, max: number, read: (value: unknown) => number]>([
    ['Code Length', 4, 8, (value: unknown) => readCodeLength(get({ codeLength: value }), ['sms'])],
    ['Expires In (Seconds)', 30, 3600, (value: unknown) => readExpiresIn(get({ expiresIn: value }))],
    ...[COOLDOWN, PER_NUMBER_LIMIT, WORKFLOW_LIMIT, MAX_ATTEMPTS].map(
      (option): [string, number, number, (value: unknown) => number] => [
        option.displayName,
        option.min,
        option.max,
        (value) => readWhole(option, get({ [option.name]: value })),
      ],
    ),
  ])('%s is a whole number from %i to %i', (label, min, max, read) => {
    expect([min, max, String(max)].map(read)).toEqual([min, max, max]);
    for (const value of [min - 1, max + 1, min + 0.5]) {
      expect(() => read(value)).toThrow(`'${label}' must be a whole number from ${min} to ${max}`);
    }
  });

  it('have the limits and defaults that the design names', () => {
    const specs = [COOLDOWN, PER_NUMBER_LIMIT, WORKFLOW_LIMIT, MAX_ATTEMPTS];
    expect(specs.map((spec) => [spec.name, spec.default, spec.min, spec.max])).toEqual([
      ['cooldown', 30, 0, 3600],
      ['perNumberLimit', 5, 1, 100],
      ['workflowLimit', 100, 1, 2000],
      ['maxAttempts', 5, 1, 10],
    ]);
    expect(wholeProperty(COOLDOWN)).toMatchObject({
      name: 'cooldown',
      type: 'number',
      default: 30,
      typeOptions: { minValue: 0, maxValue: 3600 },
    });
    expect(readExpiresIn(get({}))).toBe(300);
    expect(RESEND_OPTION).toMatchObject({ name: 'challenge', type: 'string', default: '' });
  });

  it('are shown for the channels that need them', () => {
    const words = ['voice', 'viber', 'rcs', 'sms', 'whatsapp'];
    const shown = codeProperties.map(({ name, required, displayOptions }) => [
      name,
      required ?? false,
      displayOptions?.show?.channels ?? 'always',
    ]);
    expect(shown).toEqual([
      ['channels', true, 'always'],
      ['message', true, words],
      ['smsSignature', true, ['sms']],
      ['viberSignature', true, ['viber']],
      ['rcsSignature', true, ['rcs']],
      ['whatsappSignature', true, ['whatsapp']],
      ...['voiceGender', 'voiceLanguage', 'voiceName'].map((name) => [name, true, ['voice']]),
      ['codeLength', false, ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp']],
      ['expiresIn', false, 'always'],
    ]);
    const [{ options = [], default: standard }, message] = codeProperties;
    expect(standard).toEqual(['sms']);
    expect(options.map(({ name }) => name)).toEqual([
      ...['Call From a Number That Ends in the Code', 'RCS', 'SMS', 'Telegram', 'Viber', 'Voice Call'],
      'WhatsApp',
    ]);
    expect(message).toMatchObject({ typeOptions: { rows: 2 }, default: expect.stringContaining('{code}') });
  });
});

describe('a refusal', () => {
  const refused = (reason: LimitReason, limit: number, retryAfterMs: number, cooldownMs = 30_000) =>
    refusedByLimit({ reason, limit, retryAfterMs }, { phone: PHONE, cooldownMs });

  it.each<[LimitReason, number, string, string]>([
    ['cooldown', 1, 'This number got a code less than 30 seconds ago', 'Cooldown (Seconds)'],
    ['number_limit', 5, 'This number got 5 codes within an hour', 'Limit per Number'],
    ['number_limit', 1, 'This number got 1 code within an hour', 'Limit per Number'],
    ['workflow_limit', 100, 'This workflow sent 100 codes within an hour', 'Limit per Workflow'],
  ])('by %s of %i says what to do', (reason, limit, message, option) => {
    const { error, state, json } = refused(reason, limit, 20_000);
    expect(error).toEqual({
      kind: 'input',
      message,
      description: `Nothing was sent for this item, since strangers could have codes sent at your cost. Another code can be sent in 20 seconds. The option '${option}' sets the limit.`,
    });
    expect(state).toBe('notSent');
    expect(json).toEqual({ phone: PHONE, state: 'notSent', reason, retry_after: 20 });
  });

  it.each([
    [1, 1, '1 second'],
    [1000, 1, '1 second'],
    [1001, 2, '2 seconds'],
    [119_000, 119, '119 seconds'],
    [119_001, 120, '2 minutes'],
    [121_000, 121, '3 minutes'],
    [3_600_000, 3600, '60 minutes'],
    [0, 1, '1 second'],
  ])('of %i ms asks to wait %i s, in words %s', (retryAfterMs, seconds, words) => {
    const { error, json } = refused('number_limit', 5, retryAfterMs);
    expect(json?.retry_after).toBe(seconds);
    expect(error.description).toContain(`can be sent in ${words}.`);
  });

  it('names a cooldown in minutes', () => {
    expect(refused('cooldown', 1, 1000, 600_000).error.message).toContain('less than 10 minutes ago');
  });

  it('quotes what the database threw, whatever that is', () => {
    expect(unrecorded('odd', 'Nothing was sent.').error.description).toBe(
      "Nothing was sent. n8n's database answered: odd. Run the node again.",
    );
  });
});
