import { z } from 'zod/v3';

import { wireOperation } from '../sending/wire-operation';
import { templateSender, templateText } from '../templates/fields';

export const createViberTemplate = wireOperation({
  resource: 'viberTemplate',
  operation: 'create',
  name: 'Create',
  action: 'Create Viber template',
  description: 'Create a new Viber template and submit it for moderation',
  wireType: 'template/viber/create',
  fields: [templateText, templateSender],
  effect: 'changes',
  outputSchema: z.object({
    id: z.union([z.number(), z.string()]),
    text: z.string().optional(),
    signature: z.string().optional(),
    status: z.string().optional(),
  }),
});
