import { z } from 'zod';

import { exactTemplateText, requireTemplate, viberTemplateId } from '../fields/template';
import type { WireOperationDefinition } from '../run/definition';
import { deletedItem } from '../sending/templates';

export const deleteViberTemplate: WireOperationDefinition = {
  resource: 'viberTemplate',
  operation: 'delete',
  name: 'Delete',
  action: 'Delete a Viber template',
  description: 'Delete a template by its ID, by its exact text, or by both',
  wireType: 'template/viber/delete',
  fields: [viberTemplateId, exactTemplateText],
  sends: false,
  recovery: 'none',
  check: requireTemplate,
  output: deletedItem,
  outputSchema: z.object({ deleted: z.boolean(), count: z.number().optional() }),
};
