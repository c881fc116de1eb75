import { messageId, phone } from '../fields/target';
import { dtmf, voice, voiceMessage } from '../fields/voice';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const sendVoice: WireOperationDefinition = {
  resource: 'message',
  operation: 'sendVoice',
  name: 'Send Voice Call',
  action: 'Send a voice call',
  description: 'Call a phone number and read a text out',
  wireType: 'voice',
  fields: [phone, voiceMessage, voice, dtmf, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema,
};
