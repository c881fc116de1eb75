import { pipeline } from '../../../nodes/MessagingGateway/fields/pipeline.ts';
import * as channelFields from '../../../nodes/MessagingGateway/fields/channels.ts';
import type { Field } from '../../../nodes/MessagingGateway/fields/field.ts';
import { readFields } from '../../../nodes/MessagingGateway/fields/field.ts';
import { phone } from '../../../nodes/MessagingGateway/fields/target.ts';
import { viberSignature } from '../../../nodes/MessagingGateway/fields/viber.ts';
import { FIELD_SCHEMAS } from '../../../nodes/gateway/contract/wire-fields.ts';
import { PIPELINE_CHANNELS } from '../../../nodes/gateway/contract/channels.ts';
import { CHANNEL_NAMES } from '../../../sandbox/operations/channels.mts';
import { readChannels } from '../../../nodes/MessagingGateway/message-parts/by-channels.ts';
import { SENDER_CHANNELS } from '../../support/contract-samples.mts';
import { compileBuilder } from '../../../nodes/MessagingGateway/sending/build.ts';

const build = (stages: unknown, options = {}) => {
  const form: Record<string, unknown> = { phone: '380501234567', pipeline: { stages } };
  const builder = compileBuilder({ wireType: 'pipeline', fields: [phone, pipeline] });
  return builder({ read: (name) => form[name], options, idFor: () => 5 });
};

const SMS = { channel: 'sms', message: 'Hi', signature: ' TestSender ' };
const VIBER = { channel: 'viber', message: 'Hi', signature: 'ViberSender' };
const TELEGRAM = { channel: 'telegram', message: 482913 };
const SPEAKER = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A' };
const VOICE = { channel: 'voice', ...SPEAKER, message: '' };

it.each(['SMS', ' sms', 'Sms'])('takes the channel as people write it: %j', (channel) =>
  expect(build([{ ...SMS, channel }])).toMatchObject({ pipeline: ['sms'], sms: { message: 'Hi' } }),
);

it('takes channels of a list as people write them', () =>
  expect(readChannels('SMS, Voice Call', PIPELINE_CHANNELS)).toEqual(['sms', 'voice']));

it.each([
  [['pigeon', 'dog'], undefined],
  [['SMS', 'sms'], 'has SMS twice'],
])('refuses the list %j, and says what is twice', (channels, reason) =>
  expect(() => readChannels(channels, PIPELINE_CHANNELS)).toThrow(expect.objectContaining({ reason })),
);

it('reads only the fields of each channel: no text that is empty, and nothing left over of another channel', () => {
  const leftOver = { ...SMS, voiceName: 'left over', viberType: 'image' };
  const { voice, telegram, sms } = build([VOICE, TELEGRAM, leftOver]);
  expect({ voice, telegram, sms }).toEqual({
    voice: { gender: 'male', language: 'en-US', name: 'en-US-A' },
    telegram: { message: '482913' },
    sms: { message: 'Hi', signature: 'TestSender' },
  });
});

it.each([undefined, null, 'text'])('sends text by Viber where the type is %p', (viberType) => {
  expect(build([{ ...VIBER, viberType }])).toMatchObject({ viber: { type: 'text' } });
});

it.each(['image', 'carousel', 'video', '', ['text'], {}])(
  'refuses the Viber type %j, which a stage has no fields for',
  (viberType) => {
    expect(() => build([SMS, { ...VIBER, viberType }])).toThrow(
      expect.objectContaining({
        message: "'Viber Message Type' of channel 2 (Viber) in 'Channels' must be \"text\"",
        received: viberType,
      }),
    );
  },
);

it.each<[string, unknown[]]>([
  ["'Text' of channel 1 (WhatsApp)", [{ channel: 'whatsapp', signature: 'A' }, SMS]],
  ["'Text' of channel 1 (RCS)", [{ channel: 'rcs', message: { a: 1 }, signature: 'A' }]],
  ["'Sender' of channel 3 (SMS)", [VIBER, TELEGRAM, { ...SMS, signature: ['A'] }]],
  ["'Voice Gender' of channel 2 (Voice Call)", [SMS, { ...VOICE, voiceGender: 'other' }]],
  ["'Voice Language' of channel 1 (Voice Call)", [{ ...VOICE, voiceLanguage: {} }]],
  ["'Text to Speak' of channel 1 (Voice Call)", [{ ...VOICE, message: [] }]],
  ["'Sender' of channel 2 (SMS)", [VIBER, null]],
  ["'Sender' of channel 1 (SMS)", ['sms']],
])('an error names %s, where the value stands', (place, stages) =>
  expect(() => build(stages)).toThrow(`${place} in 'Channels' must be `),
);

it.each(['pigeon', '', 5, {}, 'constructor'])('refuses the channel %j, and says which', (channel) => {
  expect(() => build([SMS, { ...VIBER, channel }])).toThrow(
    `'Channel' at position 2 of 'Channels' must be one of ${CHANNEL_NAMES.join(', ')}`,
  );
});

it.each([
  [[], /^'Channels' must be one or several of .*, each once$/],
  [[SMS, VIBER, SMS], /^'Channels' must be one or several of .*, each once$/],
  ['sms', /^'Channels' must be a list of channels$/],
])('refuses the stages %j', (stages, message) => expect(() => build(stages)).toThrow(message));

it('refuses a channel that is there twice, also where it is preferred', () => {
  expect(() => build([VIBER, SMS, VIBER], { preferredChannel: 'viber' })).toThrow(
    expect.objectContaining({ reason: 'has Viber twice' }),
  );
});

const SENDERS: Record<string, unknown> = { ...channelFields, viberSignature };

describe.each(SENDER_CHANNELS)('the sender of %s', (channel) => {
  const sender = SENDERS[`${channel}Signature`] as Field;
  const read = (value: string) =>
    readFields([sender], () => value, {
      [sender.wire]: { schema: FIELD_SCHEMAS.signature, isRequired: true },
    });

  it('is sent without the blanks around it', () =>
    expect(Object.values(read(' TestSender\n'))).toEqual(['TestSender']));

  it.each(['undefined', 'Shop NaN', 'null', '[object Object]', '{{ $json.brand }}'])(
    'is refused with what an expression left over: %s',
    (leftover) => expect(() => read(leftover)).toThrow(/^'.+ Sender' must be the name of a sender/),
  );
});
