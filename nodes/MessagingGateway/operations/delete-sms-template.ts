import { wireOperation } from '../sending/wire-operation';
import { exactTemplateText, smsTemplateId } from '../templates/fields';
import { deletedItem, deletedSchema } from '../templates/output';

export const deleteSmsTemplate = wireOperation({
  resource: 'smsTemplate',
  operation: 'delete',
  name: 'Delete',
  action: 'Delete SMS template',
  description: 'Delete an SMS template permanently, by its ID, its exact text, or both',
  wireType: 'template/delete',
  fields: [smsTemplateId, exactTemplateText],
  effect: 'changes',
  result: deletedItem,
  outputSchema: deletedSchema,
});
