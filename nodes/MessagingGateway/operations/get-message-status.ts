import { z } from 'zod';

import { sentMessageId } from '../fields/target';
import { classifyStatus } from '../../gateway/delivery/statuses';
import type { WireOperationDefinition } from '../run/definition';
import { payloadFields } from '../../gateway/payloads/lists';

export const getStatus: WireOperationDefinition = {
  resource: 'message',
  operation: 'getStatus',
  name: 'Get Status',
  action: 'Get the status of a message',
  description: 'Ask what became of a message that was sent before',
  wireType: 'status',
  fields: [sentMessageId],
  sends: false,
  recovery: 'repeat',
  output({ operation, payload }) {
    const fields = payloadFields(payload);
    return [{ ...fields, id: operation.id, ...classifyStatus(fields) }];
  },
  outputSchema: z.object({
    id: z.number(),
    type: z.string().optional(),
    status: z.string(),
    updated: z.string().optional(),
    outcome: z.string(),
    final: z.boolean(),
  }),
};
