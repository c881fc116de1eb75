import { z } from 'zod/v3';

import { payloadFields } from '../../gateway/contract/payloads';
import { phone } from '../fields/target';
import { sendOutput, sendOutputSchema } from '../sending/output';
import { wireOperation } from '../sending/wire-operation';

export const sendOtpCall = wireOperation({
  resource: 'otp',
  operation: 'call',
  name: 'Send by Call',
  action: 'Send one-time password by call',
  description: 'Call a phone number from a number whose last 4 digits are the one-time password',
  wireType: 'call/otp',
  fields: [phone],
  effect: 'sends',
  syncOnly: true,
  result: (accepted) => ('code' in payloadFields(accepted.payload) ? sendOutput(accepted) : undefined),
  outputSchema: sendOutputSchema.omit({ request_id: true }).extend({ code: z.string(), price: z.number() }),
});
