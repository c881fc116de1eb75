import { VOICE_GENDERS } from '../../gateway/contract/channels';
import { OTP_DIGITS, rulesIn, voiceSchema } from '../../gateway/contract/wire-fields';
import { capitalised } from '../../gateway/text/phrases';
import type { Field } from './field';
import { readFields } from './field';
import { booleanField, locatorField, messageField, richFields, senderField, textField } from './make-field';

export const smsMessage = messageField('SMS Text', 'sms_message', 'Text of the SMS', {
  placeholder: 'e.g. Your order is ready',
  typeOptions: { rows: 3 },
});

export const smsSignature = senderField('SMS Sender', 'sms_signature', 'searchSmsSenders');
export const whatsappSignature = locatorField(
  'WhatsApp Sender',
  'signature',
  'Sender name that the recipient sees. It must be approved for your account.',
  { name: 'whatsappSignature', placeholder: 'e.g. TestSender' },
);
export const rcsSignature = senderField('RCS Sender', 'rcs_signature', 'searchRcsSenders');

/** The fields that every RCS part needs, in form order. */
export const rcsFields = [
  rcsSignature,
  ...richFields(
    'rcs',
    'RCS',
    'RCS needs a picture here. Text alone goes by the operation Send with Channel Fallback.',
  ),
];

export const telegramMessage = textField(
  'One-Time Password',
  'message',
  `The password to send: ${OTP_DIGITS.min} to ${OTP_DIGITS.max} digits, without other text`,
  { placeholder: 'e.g. 482913' },
);

export const voiceMessage = messageField('Text to Speak', 'message', 'Text to read aloud to the recipient', {
  placeholder: 'e.g. Your order is ready. Press 1 to confirm.',
  typeOptions: { rows: 3 },
});

export const dtmf = booleanField(
  'Collect Keypad Input',
  'dtmf',
  'Whether to collect a digit that the recipient presses on the phone (DTMF)',
);

/** The fields of a voice by key of the wire object, shared with the voice stage of a pipeline. */
export const voiceFields = [
  textField('Voice Gender', 'gender', 'Gender of the voice that reads the text', {
    name: 'voiceGender',
    type: 'options',
    options: VOICE_GENDERS.map((value) => ({ name: capitalised(value), value })),
    default: 'female',
  }),
  textField('Voice Language', 'language', 'Language tag of the voice', {
    name: 'voiceLanguage',
    placeholder: 'e.g. en-US',
  }),
  textField(
    'Voice Name',
    'name',
    'Name of a voice model that your gateway offers, exactly as its documentation shows it',
    { name: 'voiceName', placeholder: 'e.g. en-US-Standard-A' },
  ),
];

const VOICE_RULES = rulesIn(voiceSchema);

export const voice: Field = {
  wire: 'voice',
  properties: (type) => voiceFields.flatMap((field) => field.properties(type)),
  fill(operation, get) {
    operation.voice = readFields(voiceFields, get, VOICE_RULES);
  },
};
