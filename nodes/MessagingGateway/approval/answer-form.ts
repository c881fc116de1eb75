import type { Choice, Question } from '../../gateway/pages/question-page';
import { valuesIn } from '../fields/property';
import type { Item } from '../run/item';
import { readFormFields } from './form-fields';
import { badParameter, readCaption } from './properties';

/** The decisions of a person; the buttons of an approval send these values. */
export const APPROVE = 'approve';
export const DECLINE = 'decline';
export type Decision = typeof APPROVE | typeof DECLINE;

/**
 * Reads how the person answers on the page: its fields, and its buttons.
 * @throws InvalidParameter for a response type that isn't n8n's, and for fields that can't be shown
 */
export function readAnswerForm({ read, options }: Item): Pick<Question, 'fields' | 'choices'> {
  const submit: Choice[] = [
    { value: 'submit', label: readCaption(options, 'responseFormButtonLabel'), style: 'primary' },
  ];
  const type = read('responseType', 'approval');
  switch (type) {
    case 'approval':
      return { fields: [], choices: approvalButtons(valuesIn(read('approvalOptions', {}))) };
    case 'freeText': {
      const label = readCaption(options, 'responseFieldLabel');
      return { fields: [{ type: 'textarea', name: 'text', label, required: true }], choices: submit };
    }
    case 'customForm':
      return { fields: readFormFields(read), choices: submit };
    default:
      throw badParameter('responseType', 'one of approval, freeText, customForm', type);
  }
}

function approvalButtons(values: Record<string, unknown>): Choice[] {
  const { approvalType, buttonApprovalStyle = 'primary', buttonDisapprovalStyle = 'secondary' } = values;
  const approve: Choice = {
    value: APPROVE,
    label: readCaption(values, 'approveLabel'),
    style: String(buttonApprovalStyle),
  };
  if (approvalType === 'single') return [approve];
  const label = readCaption(values, 'disapproveLabel');
  return [approve, { value: DECLINE, label, style: String(buttonDisapprovalStyle) }];
}
