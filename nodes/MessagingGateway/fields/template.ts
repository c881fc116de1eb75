import { typedIdentifier } from '../../gateway/contract/envelope';
import type { Field } from './field';
import { InvalidParameter, quoted } from './field';
import { locatorField, senderField, textField } from './make-field';

export const templateText = textField({
  parameter: 'template',
  wire: 'template',
  displayName: 'Template Text',
  rows: 3,
  placeholder: 'e.g. Your code is %w{1,8}',
  description: 'Text of the template',
});

export const exactTemplateText = textField({
  parameter: 'template',
  wire: 'template',
  displayName: 'Template Text',
  rows: 3,
  description: 'Exact text of the template to delete. Fill in this field, the field above, or both.',
});

export const templateName = textField({
  parameter: 'name',
  wire: 'name',
  displayName: 'Template Name',
  placeholder: 'e.g. Order ready',
  description: 'Name under which the template is listed',
});

export const templateSender = senderField({
  parameter: 'signature',
  wire: 'signature',
  displayName: 'Viber Sender',
  description: 'Sender that uses the template. It must be approved for your account.',
  listMethod: 'searchViberSenders',
});

const templateId = (listMethod: 'searchSmsTemplates' | 'searchViberTemplates'): Field =>
  locatorField({
    parameter: 'templateId',
    wire: 'id',
    displayName: 'Template',
    description: 'The template to delete',
    listMethod,
    manual: { mode: 'id', label: 'By ID', placeholder: 'e.g. 1234' },
  });

/** `id` of an SMS template: a string on the wire. */
export const smsTemplateId: Field = templateId('searchSmsTemplates');

const viberLocator = templateId('searchViberTemplates');

/** `id` of a Viber template: an integer on the wire. */
export const viberTemplateId: Field = {
  ...viberLocator,
  read(get, type) {
    const { id } = viberLocator.read(get, type);
    if (id === undefined) return {};
    const number = typedIdentifier(id);
    if (typeof number === 'number') return { id: number };
    throw new InvalidParameter(
      quoted(viberLocator.displayName),
      'the ID of a Viber template, a whole number',
      id,
    );
  },
};

/**
 * Requires the ID or the text of the template to delete.
 * @throws InvalidParameter where the operation has neither
 */
export function requireTemplate(operation: Record<string, unknown>): void {
  if (operation.id !== undefined || operation.template !== undefined) return;
  throw new InvalidParameter(
    `${quoted(smsTemplateId.displayName)} or ${quoted(exactTemplateText.displayName)}`,
    'filled in',
    '',
    'both are empty',
  );
}
