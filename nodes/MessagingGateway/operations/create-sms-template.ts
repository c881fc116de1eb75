import { wireOperation } from '../sending/wire-operation';
import { templateName, templateText } from '../templates/fields';
import { smsTemplateSchema } from '../templates/output';

export const createSmsTemplate = wireOperation({
  resource: 'smsTemplate',
  operation: 'create',
  name: 'Create',
  action: 'Create SMS template',
  description: 'Create a new SMS template',
  wireType: 'template/create',
  fields: [templateText, templateName],
  effect: 'changes',
  outputSchema: smsTemplateSchema,
});
