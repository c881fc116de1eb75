import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { sendersPayload } from '../../gateway/contract/payloads';
import { wireOperation } from '../sending/wire-operation';

export const getSenders = wireOperation({
  resource: 'account',
  operation: 'getSenders',
  name: 'Get Senders',
  action: 'Get account senders',
  description: 'Retrieve a list of the sender names that are approved for the account',
  wireType: 'sender',
  fields: [],
  effect: 'reads',
  result: ({ payload }) => [sendersPayload(payload) as unknown as IDataObject],
  outputSchema: z.object({
    senders: z.array(z.object({ name: z.string(), channel: z.string().optional() })),
  }),
});
