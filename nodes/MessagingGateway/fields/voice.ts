import { VOICE_GENDERS } from '../../gateway/contract/channels';
import type { Field, FieldProperty } from './field';
import { booleanField, textField } from './make-field';
import { asText } from './values';

export const voiceMessage = textField({
  parameter: 'message',
  wire: 'message',
  displayName: 'Text to Speak',
  rows: 3,
  placeholder: 'e.g. Your order is ready. Press 1 to confirm.',
  description: 'Text that is read out to the recipient',
});

export const dtmf = booleanField({
  parameter: 'dtmf',
  wire: 'dtmf',
  displayName: 'Collect Keypad Input',
  description: 'Whether a digit that the recipient presses on the phone is collected (DTMF)',
});

const LABELS = { gender: 'Voice Gender', language: 'Voice Language', name: 'Voice Name' } as const;

/** The three parameters of a voice; the stages of a pipeline have the same. */
export const voiceProperties: FieldProperty[] = [
  {
    displayName: LABELS.gender,
    name: 'voiceGender',
    type: 'options',
    options: VOICE_GENDERS.map((value) => ({ name: value === 'female' ? 'Female' : 'Male', value })),
    default: 'female',
    description: 'Gender of the voice that reads the text',
  },
  {
    displayName: LABELS.language,
    name: 'voiceLanguage',
    type: 'string',
    default: '',
    placeholder: 'e.g. en-US',
    description: 'Language tag of the voice',
  },
  {
    displayName: LABELS.name,
    name: 'voiceName',
    type: 'string',
    default: '',
    placeholder: 'e.g. en-US-Standard-A',
    description: 'Name of a voice model that your gateway offers',
  },
];

export const voiceLabel = (key: string | number): string | undefined =>
  key in LABELS ? LABELS[key as keyof typeof LABELS] : undefined;

/** Reads the three parameters into the wire object. */
export function readVoice(get: (parameter: string) => unknown): Record<string, unknown> {
  return {
    gender: asText(get('voiceGender'), LABELS.gender),
    language: asText(get('voiceLanguage'), LABELS.language),
    name: asText(get('voiceName'), LABELS.name),
  };
}

export const voice: Field = {
  wire: 'voice',
  displayName: LABELS.name,
  properties: () => voiceProperties,
  read: (get) => ({ voice: readVoice(get) }),
  describe: ([key]) => {
    const label = voiceLabel(key);
    return label === undefined ? undefined : `'${label}'`;
  },
};
