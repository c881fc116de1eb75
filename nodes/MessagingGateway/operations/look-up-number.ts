import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { messageId, phone } from '../fields/target';
import { payloadFields } from '../../gateway/payloads/fields';
import type { Accepted } from '../sending/sending';
import { wireOperation } from '../sending/wire-operation';

const network = z.object({
  name: z.string(),
  prefix: z.string(),
  country: z.object({ name: z.string(), prefix: z.string() }),
});

/** Returns the output of a lookup: the gateway's own fields go first, since they say of the number what was asked for. */
export const lookUpOutput = ({ sent, payload }: Accepted): IDataObject[] => [
  { ...sent, ...(payloadFields(payload) as IDataObject), id: sent.id },
];

export const lookUpNumber = wireOperation({
  resource: 'number',
  operation: 'lookup',
  name: 'Look Up',
  action: 'Look up number',
  description: 'Look up the operator of a phone number and whether it is in service (HLR)',
  wireType: 'hlr',
  fields: [phone, messageId],
  effect: 'reads',
  // A lookup is billed, so it isn't repeated when its outcome is unknown.
  recovery: 'none',
  result: lookUpOutput,
  outputSchema: z.object({
    id: z.number(),
    type: z.string(),
    phone: z.number(),
    status: z.string().optional(),
    imsi: z.string().optional(),
    mccmnc: z.string().optional(),
    ported: z.boolean().optional(),
    network: z.object({ origin: network, ported: network.optional() }).optional(),
  }),
});
