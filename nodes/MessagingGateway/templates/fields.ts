import type { Field } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import type { LabelledField, ListMethod } from '../fields/make-field';
import { fromList, locatorField, numberedField, senderField, textField } from '../fields/make-field';

export const templateText = textField('Template Text', 'template', 'Text of the template', {
  placeholder: 'e.g. Your order is ready',
  typeOptions: { rows: 3 },
});

export const templateName = textField('Template Name', 'name', 'Name under which the template is listed', {
  placeholder: 'e.g. Order ready',
});

export const templateSender = senderField(
  'Viber Sender',
  'signature',
  'searchViberSenders',
  'Sender that uses the template. It must be approved for your account.',
);

const TEMPLATE_LABEL = 'Template';

const templateId = (listMethod: ListMethod, makeField = locatorField): LabelledField<'id'> =>
  makeField(TEMPLATE_LABEL, 'id', 'The template to delete', {
    name: 'templateId',
    ...fromList(listMethod, 'ID', 'id', 'e.g. 1234'),
  });

/** `id` of an SMS template: a string on the wire. */
export const smsTemplateId = templateId('searchSmsTemplates');

/** `id` of a Viber template: an integer on the wire. */
export const viberTemplateId = templateId('searchViberTemplates', numberedField);

const EXACT_TEXT = textField(
  'Template Text',
  'template',
  'Exact text of the template to delete. Fill in this field, the field above, or both.',
  { typeOptions: { rows: 3 } },
);

/** The exact text of a template to delete; required where the field above it, for the ID, is empty. */
export const exactTemplateText: Field = {
  ...EXACT_TEXT,
  fill(operation, get, rules) {
    EXACT_TEXT.fill(operation, get, rules);
    if (operation.id !== undefined || operation.template !== undefined) return;
    const either = `${quoted(TEMPLATE_LABEL)} or ${quoted(EXACT_TEXT.displayName)}`;
    throw new InvalidParameter(either, 'filled in', '');
  },
};
