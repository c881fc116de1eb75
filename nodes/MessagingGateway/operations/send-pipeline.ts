import { pipeline } from '../fields/pipeline';
import { messageId, phone } from '../fields/target';
import { messageOperation } from '../sending/wire-operation';

export const sendPipeline = messageOperation({
  resource: 'message',
  operation: 'sendPipeline',
  name: 'Send Through Channels',
  action: 'Send a message through several channels',
  description: 'Try several channels in the given order until one delivers the message',
  wireType: 'pipeline',
  fields: [phone, pipeline, messageId],
});
