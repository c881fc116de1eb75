import { createViberTemplate } from './create-viber-template';
import type { WireOperationDefinition } from '../run/definition';
import { limitProperties, templateItems } from '../sending/templates';

export const getAllViberTemplates: WireOperationDefinition = {
  resource: 'viberTemplate',
  operation: 'getAll',
  name: 'Get Many',
  action: 'Get many Viber templates',
  description: 'List the templates of the account',
  wireType: 'template/viber/list',
  fields: [],
  extra: limitProperties,
  sends: false,
  recovery: 'repeat',
  output: templateItems,
  outputSchema: createViberTemplate.outputSchema,
};
