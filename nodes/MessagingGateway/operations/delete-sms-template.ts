import { z } from 'zod';

import { exactTemplateText, requireTemplate, smsTemplateId } from '../fields/template';
import type { WireOperationDefinition } from '../run/definition';
import { deletedItem } from '../sending/templates';

export const deleteSmsTemplate: WireOperationDefinition = {
  resource: 'smsTemplate',
  operation: 'delete',
  name: 'Delete',
  action: 'Delete an SMS template',
  description: 'Delete a template by its ID, by its exact text, or by both',
  wireType: 'template/delete',
  fields: [smsTemplateId, exactTemplateText],
  sends: false,
  recovery: 'none',
  check: requireTemplate,
  output: deletedItem,
  outputSchema: z.object({ deleted: z.boolean(), count: z.number().optional() }),
};
