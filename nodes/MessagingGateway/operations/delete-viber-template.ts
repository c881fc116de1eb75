import { wireOperation } from '../sending/wire-operation';
import { exactTemplateText, viberTemplateId } from '../templates/fields';
import { deletedItem, deletedSchema } from '../templates/output';

export const deleteViberTemplate = wireOperation({
  resource: 'viberTemplate',
  operation: 'delete',
  name: 'Delete',
  action: 'Delete Viber template',
  description: 'Delete a Viber template permanently, by its ID, its exact text, or both',
  wireType: 'template/viber/delete',
  fields: [viberTemplateId, exactTemplateText],
  effect: 'changes',
  result: deletedItem,
  outputSchema: deletedSchema,
});
