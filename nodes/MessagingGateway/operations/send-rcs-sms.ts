import { rcsFields, smsMessage, smsSignature } from '../fields/channels';
import { messageOperation } from '../sending/wire-operation';

export const sendRcsSms = messageOperation({
  resource: 'message',
  operation: 'sendRcsSms',
  name: 'Send RCS, Then SMS',
  action: 'Send RCS, then SMS',
  description: 'Send an RCS message, and an SMS if it is not delivered',
  wireType: 'rcs+sms',
  fields: [...rcsFields, smsSignature, smsMessage],
});
