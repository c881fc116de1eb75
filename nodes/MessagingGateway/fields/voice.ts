import { VOICE_GENDERS } from '../../gateway/contract/channels';
import type { Field, FieldProperty } from './field';
import { quoted } from './field';
import { booleanField, textField } from './make-field';
import { asText } from './values';

export const voiceMessage = textField({
  parameter: 'message',
  wire: 'message',
  displayName: 'Text to Speak',
  rows: 3,
  placeholder: 'e.g. Your order is ready. Press 1 to confirm.',
  description: 'Text to read aloud to the recipient',
});

export const dtmf = booleanField({
  parameter: 'dtmf',
  wire: 'dtmf',
  displayName: 'Collect Keypad Input',
  description: 'Whether to collect a digit that the recipient presses on the phone (DTMF)',
});

const part = (key: string, label: string, rest: Partial<FieldProperty>) => {
  const property: FieldProperty = {
    displayName: `Voice ${label}`,
    name: `voice${label}`,
    type: 'string',
    default: '',
    ...rest,
  };
  return { key, property };
};

/** The parameters of a voice by key of the wire object, shared with the voice stage of a pipeline. */
export const voiceParts = [
  part('gender', 'Gender', {
    type: 'options',
    options: VOICE_GENDERS.map((value) => ({ name: value === 'female' ? 'Female' : 'Male', value })),
    default: 'female',
    description: 'Gender of the voice that reads the text',
  }),
  part('language', 'Language', { placeholder: 'e.g. en-US', description: 'Language tag of the voice' }),
  part('name', 'Name', {
    placeholder: 'e.g. en-US-Standard-A',
    description: 'Name of a voice model that your gateway offers, exactly as its documentation shows it',
  }),
];

/** The wire object of a voice. */
export const voice: Field = {
  wire: 'voice',
  displayName: 'Voice Name',
  properties: () => voiceParts.map(({ property }) => property),
  read: (get) => ({
    voice: Object.fromEntries(
      voiceParts.map(({ key, property }) => [key, asText(get(property.name), property.displayName)]),
    ),
  }),
  describe([key]) {
    const found = voiceParts.find((one) => one.key === key);
    return found && quoted(found.property.displayName);
  },
};
