import { wireOperation } from '../sending/wire-operation';
import { limitProperties, templateItems } from '../templates/output';
import { createViberTemplate } from './create-viber-template';

export const getViberTemplates = wireOperation({
  resource: 'viberTemplate',
  operation: 'getAll',
  name: 'Get Many',
  action: 'Get many Viber templates',
  description: 'Retrieve a list of Viber templates',
  wireType: 'template/viber/list',
  fields: [],
  extra: limitProperties,
  effect: 'reads',
  resultFor: templateItems,
  outputSchema: createViberTemplate.outputSchema,
});
