import { pipeline } from '../fields/pipeline';
import { messageOperation } from '../sending/wire-operation';

export const sendPipeline = messageOperation({
  resource: 'message',
  operation: 'sendPipeline',
  name: 'Send with Channel Fallback',
  action: 'Send message with channel fallback',
  description: 'Try several channels, WhatsApp included, until one delivers the message',
  wireType: 'pipeline',
  fields: [pipeline],
});
