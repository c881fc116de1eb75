import { z } from 'zod/v3';

import { payloadFields } from '../../gateway/contract/payloads';
import { phone } from '../fields/target';
import { calledCode } from '../../gateway/otp/code';
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
  result(accepted) {
    const code = calledCode(payloadFields(accepted.payload).code);
    return code === undefined ? undefined : sendOutput(accepted).map((fields) => ({ ...fields, code }));
  },
  outputSchema: sendOutputSchema.omit({ request_id: true }).extend({ code: z.string(), price: z.number() }),
});
