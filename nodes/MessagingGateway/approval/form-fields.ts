import type { INodeProperties } from 'n8n-workflow';

import { fromJson } from '../../gateway/contract/json';
import type { AnswerField, AnswerFieldType } from '../../gateway/pages/answer-fields';
import { ANSWER_FIELD_TYPES } from '../../gateway/pages/answer-fields';
import type { Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean, asText } from '../fields/values';
import { inValues, text } from './parts';

/** The fields of a custom form, under the names of n8n's own forms. */

const FIELDS_LABEL = 'Form Fields';
const WITH_OPTIONS: readonly AnswerFieldType[] = ['checkbox', 'dropdown', 'radio'];
const MOST_FIELDS = 50;

const types = Object.keys(ANSWER_FIELD_TYPES) as AnswerFieldType[];
const except = (...left: AnswerFieldType[]) => types.filter((type) => !left.includes(type));
const shown = (fieldType: AnswerFieldType[]) => ({ show: { fieldType } });

const fieldValues: INodeProperties[] = [
  {
    displayName: 'Label',
    name: 'fieldLabel',
    type: 'string',
    default: '',
    placeholder: 'e.g. What is your name?',
    description: 'Label above the field',
    required: true,
    displayOptions: shown(except('hiddenField')),
  },
  {
    displayName: 'Element Type',
    name: 'fieldType',
    type: 'options',
    default: 'text',
    description: 'What the person fills in',
    options: types.map((value) => ({ name: ANSWER_FIELD_TYPES[value], value })),
  },
  text('Custom Field Name', 'fieldName', 'Name of the answer in the output. Empty for the label.'),
  {
    ...text('Placeholder', 'placeholder', 'Sample text in the empty field'),
    displayOptions: shown(['email', 'number', 'password', 'text', 'textarea']),
  },
  {
    ...text(
      'Default Value',
      'defaultValue',
      'What the field holds at first. Separate several checkboxes with a comma.',
    ),
    displayOptions: shown(except('hiddenField', 'password')),
  },
  {
    ...text('Field Value', 'fieldValue', 'Value in the output; the person does not see it'),
    displayOptions: shown(['hiddenField']),
  },
  {
    displayName: 'Field Options',
    name: 'fieldOptions',
    placeholder: 'Add Field Option',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, sortable: true },
    default: { values: [{ option: '' }] },
    description: 'The choices of the field',
    options: inValues([{ displayName: 'Option', name: 'option', type: 'string', default: '' }]),
    displayOptions: shown([...WITH_OPTIONS]),
  },
  {
    displayName: 'Required Field',
    name: 'requiredField',
    type: 'boolean',
    default: false,
    description: 'Whether the field must be filled in',
    displayOptions: shown(except('hiddenField')),
  },
];

const labelOf = (name: string): string =>
  fieldValues.find((property) => property.name === name)?.displayName ?? name;

const forForms = (more: Record<string, string[]> = {}) => ({
  show: { responseType: ['customForm'], ...more },
});

export const formFieldProperties: INodeProperties[] = [
  {
    displayName: 'Define Form',
    name: 'defineForm',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    description: 'How the fields of the form are given',
    displayOptions: forForms(),
  },
  {
    displayName: FIELDS_LABEL,
    name: 'formFields',
    placeholder: 'Add Form Field',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, sortable: true },
    default: {},
    description: 'What the person fills in',
    options: inValues(fieldValues),
    displayOptions: forForms({ defineForm: ['fields'] }),
  },
  {
    displayName: FIELDS_LABEL,
    name: 'jsonOutput',
    type: 'json',
    typeOptions: { rows: 5 },
    default:
      '[\n  {\n    "fieldLabel": "Comment",\n    "fieldType": "textarea",\n    "requiredField": true\n  }\n]',
    description: 'List of fields as in n8n\'s forms, without "html" and "file"',
    displayOptions: forForms({ defineForm: ['json'] }),
  },
];

/**
 * Reads the fields of a custom form.
 * @throws InvalidParameter for a field that can't be shown, and for none
 */
export function readFormFields(get: Get): AnswerField[] {
  const json = get('jsonOutput');
  const given =
    get('defineForm') !== 'json'
      ? (get('formFields') as { values?: unknown } | undefined)?.values
      : typeof json === 'string'
        ? (fromJson(json) ?? json)
        : json;
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_FIELDS) {
    throw new InvalidParameter(quoted(FIELDS_LABEL), `a list of 1 to ${MOST_FIELDS} fields`, given);
  }
  const fields = given.map(readFormField);
  const names = fields.map(({ name }) => name);
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated === undefined) return fields;
  throw new InvalidParameter(quoted(FIELDS_LABEL), 'fields with different names', repeated);
}

function readFormField(given: unknown, index: number): AnswerField {
  const values = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const at = (name: string) => `${quoted(labelOf(name))} of field ${index + 1} in ${quoted(FIELDS_LABEL)}`;
  const type = (values.fieldType ?? 'text') as AnswerFieldType;
  if (!types.includes(type)) {
    throw new InvalidParameter(at('fieldType'), `one of ${types.join(', ')}`, type);
  }
  const read = (name: string) => asText(values[name], labelOf(name));
  const label = read('fieldLabel') ?? '';
  const name = read('fieldName') ?? label;
  if (name === '' || (label === '' && type !== 'hiddenField')) {
    throw new InvalidParameter(at('fieldLabel'), 'text', label);
  }
  const options = optionsOf(values.fieldOptions);
  if (WITH_OPTIONS.includes(type) && options.length === 0) {
    throw new InvalidParameter(at('fieldOptions'), 'one or several options', options);
  }
  const value = read(type === 'hiddenField' ? 'fieldValue' : 'defaultValue');
  const placeholder = read('placeholder');
  return {
    type,
    name,
    label,
    ...(asBoolean(values.requiredField, labelOf('requiredField')) === true && { required: true }),
    ...(placeholder !== undefined && { placeholder }),
    ...(value !== undefined && { value }),
    ...(options.length > 0 && { options }),
  };
}

function optionsOf(given: unknown): string[] {
  const { values = [] } = (given ?? {}) as { values?: Array<{ option?: unknown }> };
  return values.map(({ option }) => asText(option, 'Option') ?? '').filter((option) => option !== '');
}
