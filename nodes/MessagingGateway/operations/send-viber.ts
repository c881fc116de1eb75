import { messageId, phone } from '../fields/target';
import { viberFields } from '../fields/viber';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const sendViber: WireOperationDefinition = {
  resource: 'message',
  operation: 'sendViber',
  name: 'Send Viber',
  action: 'Send a Viber message',
  description: 'Send a Viber message with text, a picture, a button or a carousel',
  wireType: 'viber',
  fields: [phone, ...viberFields, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema,
};
