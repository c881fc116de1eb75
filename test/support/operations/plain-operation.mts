/** A new operation that is one operation object of the gateway for each item: a file, and a line in the list. */
import { smsMessage, smsSignature } from '../../../nodes/MessagingGateway/fields/sms.ts';
import { messageId, phone } from '../../../nodes/MessagingGateway/fields/target.ts';
import { messageOperation } from '../../../nodes/MessagingGateway/sending/wire-operation.ts';

export const sendReminder = messageOperation({
  resource: 'message',
  operation: 'sendReminder',
  name: 'Send Reminder',
  action: 'Send reminder',
  description: 'Send an SMS that reminds of something',
  wireType: 'sms',
  fields: [phone, smsSignature, smsMessage, messageId],
});
