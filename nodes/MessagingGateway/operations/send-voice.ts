import { dtmf, voice, voiceMessage } from '../fields/channels';
import { messageOperation } from '../sending/wire-operation';

export const sendVoice = messageOperation({
  resource: 'message',
  operation: 'sendVoice',
  name: 'Send Voice Call',
  action: 'Send voice call',
  description: 'Call a phone number and read text aloud',
  wireType: 'voice',
  fields: [voiceMessage, voice, dtmf],
});
