import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import type { OperationDefinition } from '../../nodes/MessagingGateway/run/run.ts';
import { outputFields } from './output-fields.mts';
import { inCell, table } from './tables.mts';

const INTRODUCTION = `The build (\`npm run build\`) writes this page from the node. Each operation has a table of its own fields; what
several operations have is explained once, at the end: [fields](#shared-fields), [options](#shared-options) and
[outputs](#shared-outputs). [Options in detail](options.md) says more of those that need it.`;

const TEMPLATES = `A template is a text that your gateway account keeps. No send takes a template by its ID: map the \`text\` of *Get Many* into
the text of the send. The contract doesn't say whether a gateway treats such a text differently: ask your provider.`;

const SAME_TEMPLATES = `The same for Viber, where the gateway also moderates it: see [SMS Template](#sms-template).`;

/** The purpose of a resource, where its operations don't say the purpose. */
const ABOUT: Record<string, string> = { smsTemplate: TEMPLATES, viberTemplate: SAME_TEMPLATES };

/** Between the name of a group and that of a field inside it. */
const INSIDE = ' → ';

/** The tables of an operation by their first head: each row is a name with its explanation. */
type Tables = Record<'Field' | 'Option' | 'Output', Row[]>;
type Row = [name: string, about: string];

/**
 * Returns the page of all operations and of the trigger, by its form; `resources` are the labels of the resources, by name,
 * in the order of the page.
 */
export function reference(
  operations: readonly OperationDefinition[],
  resources: Record<string, string>,
  trigger: readonly INodeProperties[],
): string {
  const all = operations.map(tablesOf);
  const shared: Tables = {
    Field: sharedRows(all.map(({ Field }) => Field)),
    Option: sharedRows(all.map(({ Option }) => Option)),
    Output: sharedRows(all.map(({ Output }) => Output)),
  };
  const parts = ['# All operations', INTRODUCTION];
  for (const [resource, label] of Object.entries(resources)) {
    parts.push(`## ${label}`, ...(resource in ABOUT ? [ABOUT[resource]] : []));
    for (const operation of operations.filter((one) => one.resource === resource)) {
      parts.push(...operationSection(operation, shared));
    }
  }
  parts.push('## Messaging Gateway Trigger', ...ownTables(formTables(trigger)));
  for (const [head, rows] of Object.entries(shared)) {
    parts.push(`## Shared ${head.toLowerCase()}s`, table([[head, 'Description'], ...rows]).trimEnd());
  }
  return `${parts.join('\n\n')}\n`;
}

/** The options of a form. */
const optionsOf = (form: readonly INodeProperties[]): INodeProperties[] =>
  form
    .filter(({ name }) => name === 'options')
    .flatMap((collection) => (collection.options ?? []) as INodeProperties[]);

const formTables = (form: readonly INodeProperties[]): Omit<Tables, 'Output'> => ({
  Field: rowsOf(form.filter(({ name }) => name !== 'options')),
  Option: rowsOf(optionsOf(form)),
});

const tablesOf = (operation: OperationDefinition): Tables => ({
  ...formTables(operation.properties),
  Output: outputFields(operation),
});

const ownTables = (tables: Record<string, Row[]>): string[] =>
  Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([head, rows]) => table([[head, 'Description'], ...rows]).trimEnd());

/** The rows that several operations have in the same words; of a name with several, that of most operations. */
function sharedRows(tables: Row[][]): Row[] {
  const count = new Map<string, { row: Row; times: number }>();
  for (const row of tables.flat()) {
    const key = row.join('\n');
    count.set(key, { row, times: (count.get(key)?.times ?? 0) + 1 });
  }
  const shared = new Map<string, { row: Row; times: number }>();
  for (const one of count.values()) {
    const [name] = one.row;
    if (one.times > Math.max(1, shared.get(name)?.times ?? 0)) shared.set(name, one);
  }
  return [...shared.values()].map(({ row }) => row);
}

function operationSection(operation: OperationDefinition, shared: Tables): string[] {
  const own: Record<string, Row[]> = {};
  const also: string[] = [];
  for (const [head, rows] of Object.entries(tablesOf(operation))) {
    const common = new Map(shared[head as keyof Tables]);
    const isShared = ([name, about]: Row) => common.get(name) === about;
    own[head] = rows.filter((row) => !isShared(row));
    const names = rows.filter(isShared).flatMap(([name]) => (name.includes(INSIDE) ? [] : [name]));
    const title = `Shared ${head.toLowerCase()}s`;
    if (names.length > 0)
      also.push(`- [${title}](#${title.toLowerCase().replace(' ', '-')}): ${names.join(', ')}`);
  }
  const parts = [`### ${operation.name}`, `${operation.description}.`, ...ownTables(own)];
  return also.length > 0 ? [...parts, also.join('\n')] : parts;
}

/**
 * The fields of a form, each followed by those inside it that have words of their own; of several with one label, the last, but
 * that of a tool beside that of the form.
 */
const rowsOf = (properties: readonly INodeProperties[], group = ''): Row[] => {
  const shown = properties.filter(
    (property) =>
      property.type !== 'notice' &&
      property.type !== 'hidden' &&
      (group === '' || isExplained(property, properties)),
  );
  const byLabel = new Map(
    shown.map((property) => [`${property.displayName} ${isOfTool(property)}`, property]),
  );
  return [...byLabel.values()].flatMap((property) => [
    [`${group}${property.displayName}`, aboutField(property, properties)] as Row,
    ...rowsOf(insideOf(property), `${property.displayName}${INSIDE}`),
  ]);
};

/** Whether a field inside a group has words of its own: labels of twelve texts have one description. */
const isExplained = ({ description, name }: INodeProperties, group: readonly INodeProperties[]): boolean =>
  Boolean(description) && group.every((one) => one.name === name || one.description !== description);

/** The fields of a group, as in a collection or in each of its rows. */
function insideOf({ type, options = [] }: INodeProperties): INodeProperties[] {
  if (type === 'collection') return options as INodeProperties[];
  if (type === 'fixedCollection')
    return (options as INodePropertyCollection[])
      .flatMap(({ values }) => values)
      .filter((field) => field.type !== 'hidden');
  return [];
}

function aboutField(property: INodeProperties, form: readonly INodeProperties[]): string {
  const { description, hint, required, type, options = [] } = property;
  const choices = type === 'options' || type === 'multiOptions' ? named(options) : '';
  const unexplained = insideOf(property).filter((field, _, fields) => !isExplained(field, fields));
  const sentences = [
    whereShown(property, form),
    required ? 'Required' : '',
    ...[description, hint, choices && `One of: ${choices}`],
    unexplained.length > 0 ? `Has: ${unexplained.map(({ displayName }) => displayName).join(', ')}` : '',
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
