import { pipeline } from '../fields/pipeline';
import { messageId, phone } from '../fields/target';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const sendPipeline: WireOperationDefinition = {
  resource: 'message',
  operation: 'sendPipeline',
  name: 'Send Through Channels',
  action: 'Send a message through several channels',
  description: 'Try several channels in the order given until one delivers the message',
  wireType: 'pipeline',
  fields: [phone, pipeline, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema,
};
