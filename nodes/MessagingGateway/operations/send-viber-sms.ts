import { smsMessage, smsSignature } from '../fields/channels';
import { viberFields } from '../fields/viber';
import { messageOperation } from '../sending/wire-operation';

export const sendViberSms = messageOperation({
  resource: 'message',
  operation: 'sendViberSms',
  name: 'Send Viber, Then SMS',
  action: 'Send Viber, then SMS',
  description: 'Send a Viber message, and an SMS if it is not delivered',
  wireType: 'viber+sms',
  fields: [...viberFields, smsSignature, smsMessage],
});
