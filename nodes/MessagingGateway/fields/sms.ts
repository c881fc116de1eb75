import { senderField, textField } from './make-field';

export const smsMessage = textField({
  parameter: 'smsMessage',
  wire: 'sms_message',
  displayName: 'SMS Text',
  rows: 3,
  placeholder: 'e.g. Your order is ready',
  description: 'Text of the SMS',
});

export const smsSignature = senderField({
  parameter: 'smsSignature',
  wire: 'sms_signature',
  displayName: 'SMS Sender',
  listMethod: 'searchSmsSenders',
});
