import { z } from 'zod';

import { templateName, templateText } from '../fields/template';
import type { WireOperationDefinition } from '../run/definition';
import { plainOutput } from '../../gateway/payloads/lists';

export const createSmsTemplate: WireOperationDefinition = {
  resource: 'smsTemplate',
  operation: 'create',
  name: 'Create',
  action: 'Create an SMS template',
  description: 'Create a template for SMS texts',
  wireType: 'template/create',
  fields: [templateText, templateName],
  sends: false,
  recovery: 'none',
  output: plainOutput,
  outputSchema: z.object({
    id: z.union([z.number(), z.string()]),
    template: z.string().optional(),
    name: z.string().optional(),
    parts: z.number().optional(),
  }),
};
