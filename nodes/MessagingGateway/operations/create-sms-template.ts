import { z } from 'zod/v3';

import { templateName, templateText } from '../fields/template';
import { plainOutput } from '../sending/output';
import { wireOperation } from '../sending/wire-operation';

export const createSmsTemplate = wireOperation({
  resource: 'smsTemplate',
  operation: 'create',
  name: 'Create',
  action: 'Create SMS template',
  description: 'Create a new SMS template',
  wireType: 'template/create',
  fields: [templateText, templateName],
  effect: 'changes',
  recovery: 'none',
  result: plainOutput,
  outputSchema: z.object({
    id: z.union([z.number(), z.string()]),
    template: z.string().optional(),
    name: z.string().optional(),
    parts: z.number().optional(),
  }),
});
