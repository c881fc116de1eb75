import { z } from 'zod/v3';

import { wireOperation } from '../sending/wire-operation';
import { limitProperties, smsTemplateSchema, templateItems } from '../templates/output';

export const getSmsTemplates = wireOperation({
  resource: 'smsTemplate',
  operation: 'getAll',
  name: 'Get Many',
  action: 'Get many SMS templates',
  description: 'Retrieve a list of SMS templates',
  wireType: 'template/list',
  fields: [],
  extra: limitProperties,
  effect: 'reads',
  resultFor: templateItems,
  outputSchema: smsTemplateSchema.extend({ created: z.string().optional() }),
});
