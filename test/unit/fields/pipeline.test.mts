import { pipeline } from '../../../nodes/MessagingGateway/fields/pipeline.ts';
import { phone } from '../../../nodes/MessagingGateway/fields/target.ts';
import { compileBuilder } from '../../../nodes/MessagingGateway/sending/build.ts';

const build = (stages: unknown, options = {}) => {
  const form: Record<string, unknown> = { phone: '380501234567', pipeline: { stages } };
  const builder = compileBuilder({ wireType: 'pipeline', fields: [phone, pipeline] });
  return builder({ read: (name) => form[name], options, id: 5 });
};

const SMS = { channel: 'sms', message: 'Hi', signature: ' TestSender ' };
const VIBER = { channel: 'viber', message: 'Hi', signature: 'ViberSender' };
const TELEGRAM = { channel: 'telegram', message: 482913 };
const SPEAKER = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A' };
const VOICE = { channel: 'voice', ...SPEAKER, message: '' };

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
    const known = ['image', 'carousel'].includes(viberType as string);
    expect(() => build([SMS, { ...VIBER, viberType }])).toThrow(
      expect.objectContaining({
        message: "'Viber Message Type' of channel 2 (Viber) in 'Channels' must be \"text\"",
        received: viberType,
        reason: known ? expect.stringContaining("'Send Viber'") : undefined,
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
    "'Channel' at position 2 of 'Channels' must be one of voice, telegram, viber, rcs, sms, whatsapp",
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
