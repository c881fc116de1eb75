import { smsMessage, smsSignature } from '../fields/sms';
import { messageId, phone } from '../fields/target';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const sendSms: WireOperationDefinition = {
  resource: 'message',
  operation: 'sendSms',
  name: 'Send SMS',
  action: 'Send an SMS',
  description: 'Send a text message to a phone number',
  wireType: 'sms',
  fields: [phone, smsSignature, smsMessage, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema,
};
