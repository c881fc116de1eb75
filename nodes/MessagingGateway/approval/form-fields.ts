import type { INodeProperties } from 'n8n-workflow';

import type { AnswerField, AnswerFieldType } from '../../gateway/pages/answer-fields';
import { ANSWER_FIELD_TYPES } from '../../gateway/pages/answer-fields';
import { fromJson } from '../../gateway/text/json';
import { counted } from '../../gateway/text/phrases';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { choice, inValues, property, shownFor } from '../fields/property';
import { asBoolean, asText } from '../fields/values';

const FIELDS_LABEL = 'Form Fields';
const WITH_OPTIONS: AnswerFieldType[] = ['checkbox', 'dropdown', 'radio'];
const MAX_FIELDS = 50;

/** The field with the time of the answer, which every output has. */
const ANSWERED_AT = 'respondedAt';
const FIELD_TYPES = Object.keys(ANSWER_FIELD_TYPES) as AnswerFieldType[];
const ofFields = (...fieldType: AnswerFieldType[]) => shownFor({ fieldType });
const exceptFields = (...left: AnswerFieldType[]) =>
  ofFields(...FIELD_TYPES.filter((type) => !left.includes(type)));

/** The settings of a field, named as in n8n's own forms. */
const formField: INodeProperties[] = [
  property('Label', 'fieldLabel', 'Label above the field', {
    placeholder: 'e.g. What is your name?',
    required: true,
    ...exceptFields('hiddenField'),
  }),
  {
    ...choice('Element Type', 'fieldType', 'What the person fills in', Object.entries(ANSWER_FIELD_TYPES)),
    default: 'text',
  },
  property('Custom Field Name', 'fieldName', 'Name of the answer in the output. Empty for the label.'),
  property('Placeholder', 'placeholder', 'Sample text in the empty field', {
    ...ofFields('email', 'number', 'password', 'text', 'textarea'),
  }),
  property(
    'Default Value',
    'defaultValue',
    'What the field holds at first. Separate several checkboxes with a comma.',
    exceptFields('hiddenField', 'password'),
  ),
  property('Field Value', 'fieldValue', 'Value in the output; the person does not see it', {
    ...ofFields('hiddenField'),
  }),
  property('Field Options', 'fieldOptions', 'The choices of the field', {
    placeholder: 'Add Field Option',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, sortable: true },
    default: { values: [{ option: '' }] },
    options: inValues([{ displayName: 'Option', name: 'option', type: 'string', default: '' }]),
    ...ofFields(...WITH_OPTIONS),
  }),
  property('Required Field', 'requiredField', 'Whether the field must be filled in', {
    type: 'boolean',
    default: false,
    ...exceptFields('hiddenField'),
  }),
];

export const formFieldProperties: INodeProperties[] = [
  {
    ...choice('Define Form', 'defineForm', 'How the fields of the form are given', [
      ['fields', 'Using Fields Below'],
      ['json', 'Using JSON'],
    ]),
    noDataExpression: true,
    ...shownFor({ responseType: ['customForm'] }),
  },
  property(FIELDS_LABEL, 'formFields', 'What the person fills in', {
    placeholder: 'Add Form Field',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, sortable: true },
    default: {},
    options: inValues(formField),
    ...shownFor({ responseType: ['customForm'], defineForm: ['fields'] }),
  }),
  property(FIELDS_LABEL, 'jsonOutput', 'List of fields as in n8n\'s forms, without "html" and "file"', {
    type: 'json',
    typeOptions: { rows: 5 },
    default:
      '[\n  {\n    "fieldLabel": "Comment",\n    "fieldType": "textarea",\n    "requiredField": true\n  }\n]',
    ...shownFor({ responseType: ['customForm'], defineForm: ['json'] }),
  }),
];

/**
 * Reads the fields of a custom form.
 * @throws InvalidParameter for a field that can't be shown, and for none
 */
export function readFormFields(get: Get): AnswerField[] {
  const json = get('jsonOutput');
  const inJson = typeof json === 'string' ? (fromJson(json) ?? json) : json;
  const inForm = (get('formFields') as { values?: unknown } | undefined)?.values;
  const given = get('defineForm') === 'json' ? inJson : inForm;
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_FIELDS) {
    const reason = Array.isArray(given) ? `has ${counted(given.length, 'field')}` : undefined;
    throw new InvalidParameter(quoted(FIELDS_LABEL), `a list of 1 to ${MAX_FIELDS} fields`, given, reason);
  }
  const fields = given.map(readFormField);
  const names = fields.map(({ name }) => name);
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated === undefined) return fields;
  throw new InvalidParameter(quoted(FIELDS_LABEL), 'fields with different names', repeated);
}

function readFormField(given: unknown, index: number): AnswerField {
  const values = { ...(given as Record<string, unknown> | null) };
  const labelOf = (name: string) => formField.find((property) => property.name === name)?.displayName ?? name;
  const badValue = (name: string, accepted: string) => {
    const place = `${quoted(labelOf(name))} of field ${index + 1} in ${quoted(FIELDS_LABEL)}`;
    return new InvalidParameter(place, accepted, values[name]);
  };
  const { fieldType: type = 'text' } = values as { fieldType?: AnswerFieldType };
  if (!FIELD_TYPES.includes(type)) throw badValue('fieldType', `one of ${FIELD_TYPES.join(', ')}`);
  const read = (name: string) => asText(values[name], labelOf(name));
  const label = read('fieldLabel') ?? '';
  const name = read('fieldName') ?? label;
  if (name === '' || (label === '' && type !== 'hiddenField')) throw badValue('fieldLabel', 'text');
  if (name === ANSWERED_AT) {
    const place = read('fieldName') === undefined ? 'fieldLabel' : 'fieldName';
    throw badValue(place, `other than ${ANSWERED_AT}, which is the time of the answer in the output`);
  }
  const { values: entries = [] } = (values.fieldOptions ?? {}) as { values?: Array<{ option?: unknown }> };
  const options = entries.flatMap(({ option }) => asText(option, 'Option') ?? []);
  if (WITH_OPTIONS.includes(type) && options.length === 0)
    throw badValue('fieldOptions', 'one or several options');
  const required = asBoolean(values.requiredField, labelOf('requiredField')) === true;
  const value = read(type === 'hiddenField' ? 'fieldValue' : 'defaultValue');
  return { type, name, label, required, placeholder: read('placeholder'), value, options };
}
