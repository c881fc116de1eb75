import { z } from 'zod';

import { messageId, phone } from '../fields/target';
import { sendOutput } from '../sending/output';
import { wireOperation } from '../sending/wire-operation';

export const lookUpNumber = wireOperation({
  resource: 'number',
  operation: 'lookup',
  name: 'Look Up',
  action: 'Look up a number',
  description: 'Ask which operator a phone number belongs to and whether it is in service (HLR)',
  wireType: 'hlr',
  fields: [phone, messageId],
  effect: 'reads',
  // A lookup is billed, so it is not repeated when it is not known whether it was made.
  recovery: 'none',
  result: sendOutput,
  outputSchema: z.object({
    id: z.number(),
    type: z.string(),
    phone: z.number(),
    status: z.string().optional(),
    imsi: z.string().optional(),
    mccmnc: z.string().optional(),
    ported: z.boolean().optional(),
  }),
});
