import { rcsFields } from '../fields/rcs';
import { messageId, phone } from '../fields/target';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const sendRcs: WireOperationDefinition = {
  resource: 'message',
  operation: 'sendRcs',
  name: 'Send RCS',
  action: 'Send an RCS message',
  description: 'Send an RCS message with text, a picture and a button',
  wireType: 'rcs',
  fields: [phone, ...rcsFields, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema,
};
