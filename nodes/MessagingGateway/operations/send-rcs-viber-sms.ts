import { rcsFields, smsMessage, smsSignature } from '../fields/channels';
import { viberFields } from '../fields/viber';
import { messageOperation } from '../sending/wire-operation';

export const sendRcsViberSms = messageOperation({
  resource: 'message',
  operation: 'sendRcsViberSms',
  name: 'Send RCS, Then Viber, Then SMS',
  action: 'Send RCS, then Viber, then SMS',
  description: 'Send an RCS message, then a Viber message, then an SMS, until one is delivered',
  wireType: 'rcs+viber+sms',
  fields: [...rcsFields, ...viberFields, smsSignature, smsMessage],
});
