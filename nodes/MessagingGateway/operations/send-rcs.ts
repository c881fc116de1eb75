import { rcsFields } from '../fields/channels';
import { messageOperation } from '../sending/wire-operation';

export const sendRcs = messageOperation({
  resource: 'message',
  operation: 'sendRcs',
  name: 'Send RCS',
  action: 'Send RCS message',
  description: 'Send an RCS message with text, a picture and a button',
  wireType: 'rcs',
  fields: rcsFields,
});
