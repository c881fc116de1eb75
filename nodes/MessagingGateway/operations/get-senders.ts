import { z } from 'zod';

import type { WireOperationDefinition } from '../run/definition';
import { asList, payloadFields } from '../../gateway/payloads/lists';
import { readSenders } from '../../gateway/payloads/senders';

export const getSenders: WireOperationDefinition = {
  resource: 'account',
  operation: 'getSenders',
  name: 'Get Senders',
  action: 'Get the senders of the account',
  description: 'Ask which sender names are approved for the account',
  wireType: 'sender',
  fields: [],
  sends: false,
  recovery: 'repeat',
  output({ payload }) {
    const fields = asList(payload) ? {} : payloadFields(payload);
    return [{ ...fields, senders: readSenders(payload).map((sender) => ({ ...sender })) }];
  },
  outputSchema: z.object({
    senders: z.array(z.object({ name: z.string(), channel: z.string().optional() })),
  }),
};
