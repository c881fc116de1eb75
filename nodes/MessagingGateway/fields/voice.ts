import { VOICE_GENDERS } from '../../gateway/contract/channels';
import { capitalised } from '../../gateway/errors/words';
import type { Field } from './field';
import { quoted, readFields } from './field';
import { booleanField, choiceField, textField } from './make-field';

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

/** The fields of a voice by key of the wire object, shared with the voice stage of a pipeline. */
export const voiceFields = [
  choiceField({
    parameter: 'voiceGender',
    wire: 'gender',
    displayName: 'Voice Gender',
    options: VOICE_GENDERS.map((value) => ({ name: capitalised(value), value })),
    default: 'female',
    description: 'Gender of the voice that reads the text',
  }),
  textField({
    parameter: 'voiceLanguage',
    wire: 'language',
    displayName: 'Voice Language',
    placeholder: 'e.g. en-US',
    description: 'Language tag of the voice',
  }),
  textField({
    parameter: 'voiceName',
    wire: 'name',
    displayName: 'Voice Name',
    placeholder: 'e.g. en-US-Standard-A',
    description: 'Name of a voice model that your gateway offers, exactly as its documentation shows it',
  }),
];

/** The wire object of a voice. */
export const voice: Field = {
  wire: 'voice',
  displayName: 'Voice Name',
  properties: (type) => voiceFields.flatMap((field) => field.properties(type)),
  read: (get, type) => ({ voice: readFields(voiceFields, get, type) }),
  describe([key]) {
    const found = voiceFields.find(({ wire }) => wire === key);
    return found && quoted(found.displayName);
  },
};
