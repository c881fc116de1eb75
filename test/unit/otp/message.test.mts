/** The message of a code: the operation for each choice of channels, the parameters that it needs, and refusals in words. */
import type { IDataObject } from 'n8n-workflow';

import { readWhole, wholeProperty } from '../../../nodes/MessagingGateway/fields/property.ts';
import * as fields from '../../../nodes/MessagingGateway/otp/fields.ts';
import type { CodeChannel } from '../../../nodes/MessagingGateway/otp/fields.ts';
import type { SendReason } from '../../../nodes/MessagingGateway/otp/limits.ts';
import { buildCodeOperation, overLimit } from '../../../nodes/MessagingGateway/otp/send-code.ts';
import { CHANNELS } from '../../../sandbox/operations/channels.mts';
import { sendForm } from '../../support/otp.mts';

const PHONE = 447700900001;
const CODE = '012345';

const textWith = (code: string, minutes: number | string = 5) =>
  `Code ${code}, ${code} for ${minutes} or ${minutes} minutes`;
const MARKED = textWith('{code}', '{minutes}');
const build = (channels: CodeChannel[], form: IDataObject = {}, expiresIn = 300, text = MARKED) =>
  buildCodeOperation(
    { id: 5, phone: PHONE, channels, expiresIn, text },
    CODE,
    (name) => sendForm({ voiceGender: 'female', ...form })[name],
  );
const TEXT = textWith(CODE);
const SPOKEN = textWith('0, 1, 2, 3, 4, 5');
const VOICE = { gender: 'female', language: 'en-US', name: 'en-US-A' };
const VIBER = { viber_type: 'text', viber_message: TEXT, viber_signature: 'ViberSender' };
const ALL = ['whatsapp', 'voice', 'telegram', 'viber', 'sms'] as const;

describe('The operation', () => {
  it.each<[CodeChannel[], object]>([
    [['sms'], { type: 'sms', sms_message: TEXT, sms_signature: 'TestSender', sms_lifetime: 3600 }],
    [['telegram'], { type: 'telegram', message: CODE, telegram_lifetime: 300 }],
    [['call'], { type: 'call/otp' }],
    [['viber'], { type: 'viber', ...VIBER, viber_lifetime: 300 }],
    [['voice'], { type: 'voice', message: SPOKEN, dtmf: false, voice: VOICE }],
    [['rcs'], { type: 'pipeline', pipeline: ['rcs'], rcs: { message: TEXT, signature: 'RcsSender' } }],
    [
      [...ALL],
      {
        type: 'pipeline',
        pipeline: ALL,
        whatsapp: { message: TEXT, signature: 'Any' },
        voice: { message: SPOKEN, ...VOICE },
        telegram: { message: CODE },
        viber: { message: TEXT, signature: 'ViberSender', type: 'text' },
        sms: { message: TEXT, signature: 'TestSender' },
      },
    ],
  ])('through %j carries the code and nothing else of the form.', (channels, operation) => {
    const other = { smsMessage: 'other', viberMessage: 'other', viberType: 'image', dtmf: true };
    expect(build(channels, other)).toEqual({ id: 5, phone: PHONE, ...operation });
  });

  it('ends with its code, as far as the channel lets it.', () => {
    expect(build(['sms'], {}, 30, '{code}')).toMatchObject({ sms_lifetime: 3600 });
    expect(build(['viber'], {}, 30, '{code}')).toMatchObject({ viber_lifetime: 60 });
    expect(build(['viber'], {}, 61)).toMatchObject({ viber_lifetime: 61 });
    expect(build(['telegram'], {}, 3600)).toMatchObject({ telegram_lifetime: 3600 });
  });

  it('promises no more minutes than its code is valid.', () => {
    for (const [expiresIn, minutes] of Object.entries({
      30: 0.5,
      59: 0.9,
      60: 1,
      119: 1.9,
      120: 2,
      3600: 60,
    }))
      expect(build(['sms'], {}, Number(expiresIn))).toMatchObject({ sms_message: textWith(CODE, minutes) });
  });
});

describe('The parameter', () => {
  const get = (values: Record<string, unknown>) => (name: string) => values[name];
  const channels = (value: unknown) => fields.readCodeChannels(get({ channels: value }));

  it('Channels takes several, each once, or the call alone.', () => {
    const taken = [['sms'], ALL, ['viber', 'sms'], ['call']];
    expect([undefined, ALL, 'viber, sms ', ['call']].map(channels)).toEqual(taken);
    for (const value of [[], '', 5, {}, ['pigeon'], ['sms', 'sms'], ['call', 'sms'], ['sms', 5]])
      expect(() => channels(value)).toThrow(
        /^'Channels' must be one or several of Voice Call, .*WhatsApp.*, each once, or call alone$/,
      );
  });

  it('Message needs the mark of the code, unless no channel has words.', () => {
    const read = (message: string | undefined, channels: CodeChannel[]) =>
      fields.readMessage(get({ message }), channels);
    expect(read('Code {code}', ['telegram', 'sms'])).toBe('Code {code}');
    const withWords = Object.entries(CHANNELS).flatMap(([name, { stage, tolerated }]) => {
      const { message } = { ...stage.fields, ...tolerated };
      return message && message('Code') === undefined ? [name as CodeChannel] : [];
    });
    expect(withWords).toContain('sms');
    for (const channel of withWords) {
      for (const message of ['Code', '{minutes}', undefined, '']) {
        expect(() => read(message, [channel])).toThrow("'Message' must be text that contains {code}");
      }
    }
    expect(() => read('Code {code} \ud83d', ['sms'])).toThrow("'Message' must be text with");
    expect(read('Code', ['telegram'])).toBe('');
    expect(read(undefined, ['call'])).toBe('');
  });

  it.each([
    [fields.CODE_LENGTH, 'Code Length', 'codeLength', 6, 4, 8],
    [fields.EXPIRES_IN, 'Expires In (Seconds)', 'expiresIn', 300, 30, 3600],
    [fields.COOLDOWN, 'Cooldown (Seconds)', 'cooldown', 30, 0, 3600],
    [fields.PER_NUMBER_LIMIT, 'Limit per Number', 'perNumberLimit', 5, 1, 100],
    [fields.WORKFLOW_LIMIT, 'Limit per Workflow', 'workflowLimit', 100, 1, 2000],
    [fields.MAX_ATTEMPTS, 'Max Attempts', 'maxAttempts', 5, 1, 10],
    [fields.MAX_ATTEMPTS_PER_NUMBER, 'Max Attempts per Number', 'maxAttemptsPerNumber', 10, 1, 100],
  ])('%# is a whole number in the range that the design names.', (whole, label, name, usual, min, max) => {
    const typeOptions = { minValue: min, maxValue: max };
    expect(wholeProperty(whole)).toMatchObject({ displayName: label, name, default: usual, typeOptions });
    const read = (value?: unknown) => readWhole(whole, get({ [name]: value }));
    expect([undefined, min, max, String(max)].map(read)).toEqual([usual, min, max, max]);
    for (const value of [min - 1, max + 1, min + 0.5])
      expect(() => read(value)).toThrow(`'${label}' must be a whole number from ${min} to ${max}`);
  });
});

describe('A refusal', () => {
  const refusedBy = (reason: SendReason, max: number, retryAfterMs: number, cooldownMs = 30_000) =>
    overLimit(
      { stopsAtErrors: false, items: [{ json: {} }] },
      { phone: PHONE, cooldownMs },
      { by: { reason, max }, retryAfterMs },
    );

  it.each<[SendReason, number, string, string]>([
    ['cooldown', 1, 'This number gets one code in 30 seconds at most', 'Cooldown (Seconds)'],
    ['number_limit', 5, 'This number gets 5 codes an hour at most', 'Limit per Number'],
    ['number_limit', 1, 'This number gets 1 code an hour at most', 'Limit per Number'],
    ['workflow_limit', 100, 'This workflow sends 100 codes an hour at most', 'Limit per Workflow'],
  ])('by %s of %i says what to do.', (reason, limit, message, option) => {
    expect(refusedBy(reason, limit, 20_000)).toEqual({
      error: {
        kind: 'input',
        message,
        description: `Nothing was sent for this row this time. The limit keeps strangers from having codes sent at your cost. Another code can be sent in 20 seconds. The option '${option}' sets the limit.`,
        todo: 'send another code in 20 seconds',
      },
      state: 'notSent',
      json: { phone: PHONE, reason, retry_after: 20 },
    });
  });

  it.each([
    [0, 1, '1 second'],
    [1001, 2, '2 seconds'],
    [119_000, 119, '119 seconds'],
    [119_001, 120, '2 minutes'],
    [121_000, 121, '3 minutes'],
  ])('of %i ms asks to wait %i s, in words %s.', (retryAfterMs, seconds, words) => {
    const { error, json } = refusedBy('cooldown', 1, retryAfterMs, 600_000);
    expect(json?.retry_after).toBe(seconds);
    expect(error.description).toContain(`can be sent in ${words}.`);
    expect(error.message).toContain('one code in 10 minutes at most');
  });
});
