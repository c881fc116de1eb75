import { viberFields } from '../fields/viber';
import { messageOperation } from '../sending/wire-operation';

export const sendViber = messageOperation({
  resource: 'message',
  operation: 'sendViber',
  name: 'Send Viber',
  action: 'Send Viber message',
  description: 'Send a Viber message with text, a picture, a button or a carousel',
  wireType: 'viber',
  fields: viberFields,
});
