import { smsMessage, smsSignature } from '../fields/channels';
import { messageOperation } from '../sending/wire-operation';

export const sendSms = messageOperation({
  resource: 'message',
  operation: 'sendSms',
  name: 'Send SMS',
  action: 'Send SMS',
  description: 'Send a text message to a phone number',
  wireType: 'sms',
  fields: [smsSignature, smsMessage],
});
