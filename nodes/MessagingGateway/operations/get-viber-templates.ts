import { createViberTemplate } from './create-viber-template';
import { limitProperties, templateItems } from '../sending/templates';
import { wireOperation } from '../sending/wire-operation';

export const getViberTemplates = wireOperation({
  resource: 'viberTemplate',
  operation: 'getAll',
  name: 'Get Many',
  action: 'Get many Viber templates',
  description: 'List the templates of the account',
  wireType: 'template/viber/list',
  fields: [],
  extra: limitProperties,
  effect: 'reads',
  recovery: 'repeat',
  result: templateItems,
  outputSchema: createViberTemplate.outputSchema,
});
