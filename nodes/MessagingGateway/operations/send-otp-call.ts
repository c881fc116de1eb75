import { z } from 'zod';

import { messageId, phone } from '../fields/target';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const call: WireOperationDefinition = {
  resource: 'otp',
  operation: 'call',
  name: 'Call',
  action: 'Call with a one-time password',
  description: 'Call a phone number from a number whose last 4 digits are the one-time password',
  wireType: 'call/otp',
  fields: [phone, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema.extend({ code: z.string(), price: z.number() }),
};
