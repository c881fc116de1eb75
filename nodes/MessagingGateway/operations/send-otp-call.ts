import { z } from 'zod/v3';

import { payloadFields } from '../../gateway/payloads/fields';
import { sendOutputSchema } from '../sending/output';
import { messageOperation } from '../sending/wire-operation';

export const sendOtpCall = messageOperation({
  resource: 'otp',
  operation: 'call',
  name: 'Send by Call',
  action: 'Send one-time password by call',
  description: 'Call a phone number from a number whose last 4 digits are the one-time password',
  wireType: 'call/otp',
  fields: [],
  onlyAtOnce: true,
  // Only the answer to the call contains the code; `status` doesn't report it.
  lacking: (payload) => ('code' in payloadFields(payload) ? undefined : 'its one-time password'),
  outputSchema: sendOutputSchema.extend({ code: z.string(), price: z.number() }),
});
