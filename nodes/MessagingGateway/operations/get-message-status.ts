import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { asOutput, meaningOf, reportOfStatus } from '../../gateway/delivery/reports';
import { payloadFields } from '../../gateway/contract/payloads';
import { sentMessageId } from '../fields/target';
import { identifier, reportSchema } from '../sending/output';
import { wireOperation } from '../sending/wire-operation';

export const getMessageStatus = wireOperation({
  resource: 'message',
  operation: 'getStatus',
  name: 'Get Status',
  action: 'Get message status',
  description: 'Retrieve the delivery status of a sent message',
  wireType: 'status',
  fields: [sentMessageId],
  effect: 'reads',
  result({ sent, payload }) {
    const report = reportOfStatus(payloadFields(payload));
    return [asOutput({ ...report, id: sent.id, ...meaningOf(report) }) as IDataObject];
  },
  outputSchema: z.object({
    id: z.number(),
    type: z.string().optional(),
    msg_id: identifier.optional(),
    ...reportSchema.omit({ channel: true }).shape,
    duration: z.number().optional(),
  }),
});
