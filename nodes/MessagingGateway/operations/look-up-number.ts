import { z } from 'zod';

import { messageId, phone } from '../fields/target';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput } from '../../gateway/payloads/lists';

export const lookup: WireOperationDefinition = {
  resource: 'number',
  operation: 'lookup',
  name: 'Look Up',
  action: 'Look up a number',
  description: 'Ask which operator a phone number belongs to and whether it is in service (HLR)',
  wireType: 'hlr',
  fields: [phone, messageId],
  sends: false,
  // A lookup is billed, so it is not repeated when it is not known whether it was made.
  recovery: 'none',
  output: sendOutput,
  outputSchema: z.object({
    id: z.number(),
    type: z.string(),
    phone: z.number(),
    status: z.string().optional(),
    imsi: z.string().optional(),
    mccmnc: z.string().optional(),
    ported: z.boolean().optional(),
  }),
};
