import { createSmsTemplate } from './create-sms-template';
import type { WireOperationDefinition } from '../run/definition';
import { limitProperties, templateItems } from '../sending/templates';

export const getAllSmsTemplates: WireOperationDefinition = {
  resource: 'smsTemplate',
  operation: 'getAll',
  name: 'Get Many',
  action: 'Get many SMS templates',
  description: 'List the templates of the account',
  wireType: 'template/list',
  fields: [],
  extra: limitProperties,
  sends: false,
  recovery: 'repeat',
  output: templateItems,
  outputSchema: createSmsTemplate.outputSchema,
};
