import { z } from 'zod';

import { templateSender, templateText } from '../fields/template';
import type { WireOperationDefinition } from '../run/definition';
import { plainOutput } from '../../gateway/payloads/lists';

export const createViberTemplate: WireOperationDefinition = {
  resource: 'viberTemplate',
  operation: 'create',
  name: 'Create',
  action: 'Create a Viber template',
  description: 'Create a template for Viber texts and hand it in for moderation',
  wireType: 'template/viber/create',
  fields: [templateText, templateSender],
  sends: false,
  recovery: 'none',
  output: plainOutput,
  outputSchema: z.object({
    id: z.union([z.number(), z.string()]),
    template: z.string().optional(),
    signature: z.string().optional(),
    status: z.string().optional(),
  }),
};
