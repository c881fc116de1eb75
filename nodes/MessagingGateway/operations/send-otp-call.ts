import { z } from 'zod';

import { messageId, phone } from '../fields/target';
import { sendOutputSchema } from '../sending/output';
import { messageOperation } from '../sending/wire-operation';

export const sendOtpCall = messageOperation({
  resource: 'otp',
  operation: 'call',
  name: 'Call',
  action: 'Call with a one-time password',
  description: 'Call a phone number from a number whose last 4 digits are the one-time password',
  wireType: 'call/otp',
  fields: [phone, messageId],
  outputSchema: sendOutputSchema.extend({ code: z.string(), price: z.number() }),
});
