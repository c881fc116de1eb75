import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { OperationDefinition } from '../../nodes/MessagingGateway/run/definition.ts';
import { outputFields } from './output-fields.mts';
import { inCell, table } from './tables.mts';

const ONCE = `## The id of a Send Once Key

The first 53 bits, as a number, of the SHA-256 of the key, a line feed, and the digits of the phone number, all in UTF-8. The key
is taken without format characters, in the normal form NFC, and with one blank for each run of blanks, line breaks and control
characters, so that keys that look alike are alike. Case counts, and so does \`17.0\` for \`17\`. Other systems can ask for the
status of a message by its key. In Python:

\`\`\`python
import hashlib, re, unicodedata

seen = "".join(c for c in key if unicodedata.category(c) != "Cf")
plain = re.sub(r"[\\s\\x00-\\x1f\\x7f-\\x9f]+", " ", unicodedata.normalize("NFC", seen)).strip()
int(hashlib.sha256(f"{plain}\\n{phone}".encode()).hexdigest()[:16], 16) >> 11
\`\`\`

\`1001-shipped\` to 380501234567 is 4341055739646830.
`;

/** Returns the page of all operations; `resources` are the labels of the resources, by name, in the order of the page. */
export function reference(
  operations: readonly OperationDefinition[],
  resources: Record<string, string>,
): string {
  const parts = ['# All operations', 'This page is generated from the node (`npm run build`).'];
  for (const [resource, label] of Object.entries(resources)) {
    parts.push(`## ${label}`);
    for (const operation of operations.filter((one) => one.resource === resource)) {
      parts.push(...operationSection(operation));
    }
  }
  return [...parts, ONCE].join('\n\n');
}

/** What the collection "Options" of an operation's form offers. */
export const optionsOf = ({ properties }: OperationDefinition): INodeProperties[] =>
  properties
    .filter(({ name }) => name === 'options')
    .flatMap((collection) => (collection.options ?? []) as INodeProperties[]);

function operationSection(operation: OperationDefinition): string[] {
  const { name, description, properties } = operation;
  const fields = properties.filter(
    ({ type, name: parameter }) => type !== 'notice' && type !== 'hidden' && parameter !== 'options',
  );
  const tables = {
    Field: rowsOf(fields),
    Option: rowsOf(optionsOf(operation)),
    Output: outputFields(operation),
  };
  return [
    `### ${name}`,
    `${description}.`,
    ...Object.entries(tables)
      .filter(([, rows]) => rows.length > 0)
      .map(([title, rows]) => table([[title, 'Description'], ...rows]).trimEnd()),
  ];
}

/** The fields of a form; of several with one label, the last, but that of a tool beside that of the form. */
const rowsOf = (properties: INodeProperties[]): string[][] => [
  ...new Map(
    properties.map((property) => [
      `${property.displayName} ${isOfTool(property)}`,
      [property.displayName, aboutField(property, properties)],
    ]),
  ).values(),
];

function aboutField(property: INodeProperties, form: readonly INodeProperties[]): string {
  const { description, hint, required, type, options = [] } = property;
  const choices = type === 'options' || type === 'multiOptions' ? named(options) : '';
  const sentences = [
    whereShown(property, form),
    required ? 'Required' : '',
    ...[description, hint, choices && `One of: ${choices}`],
  ];
  return inCell(sentences.map(asSentence).filter(Boolean).join(' '));
}

const isOfTool = ({ displayOptions }: Pick<INodeProperties, 'displayOptions'>): boolean =>
  displayOptions?.show?.['@tool']?.includes(true) === true;

/** The names of choices, told apart also where one of them has a comma. */
function named(choices: ReadonlyArray<{ name: string }>): string {
  const names = choices.map(({ name }) => name);
  return names.join(names.some((name) => name.includes(',')) ? '; ' : ', ');
}

/** Where a form shows a field, unless it always does: in a tool, or with a choice in another field. */
function whereShown({ displayOptions }: INodeProperties, form: readonly INodeProperties[]): string {
  if (isOfTool({ displayOptions })) return 'Only in a tool of an AI agent';
  const about = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => ({
    field: form.find((one) => one.name === name),
    values: values ?? [],
  }));
  const { field, values } = about.find(({ field: one }) => one !== undefined) ?? {};
  if (field === undefined || values === undefined) return '';
  if (field.type === 'boolean')
    return `Only with *${field.displayName}* ${values[0] === true ? 'on' : 'off'}`;
  const chosen = ((field.options ?? []) as INodePropertyOptions[]).filter(({ value }) =>
    values.includes(value),
  );
  return chosen.length === 0 ? '' : `Only with *${field.displayName}*: ${named(chosen)}`;
}

const asSentence = (text = ''): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
