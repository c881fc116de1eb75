import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import type { OperationDefinition } from '../../nodes/MessagingGateway/run/run.ts';
import { outputFields } from './output-fields.mts';
import { inCell } from './tables.mts';

const INTRODUCTION = `The build (\`npm run build\`) writes this page from the node. Each operation lists what it alone has; what
several operations have is explained once, at the end: [fields](#shared-fields), [options](#shared-options) and
[outputs](#shared-outputs). The form shows a field once the choice is made to which the field belongs. [Options in
detail](options.md) says more of those that need it.`;

const TEMPLATES = `A template is a text that your gateway account keeps. No send takes a template by its ID: map the \`text\` of *Get Many* into
the text of the send. The contract doesn't say whether a gateway treats such a text differently: ask your provider.`;

const SAME_TEMPLATES = `The same for Viber, where the gateway also moderates it: see [SMS Template](#sms-template).`;

/** The purpose of a resource, where its operations don't say the purpose. */
const ABOUT: Record<string, string> = { smsTemplate: TEMPLATES, viberTemplate: SAME_TEMPLATES };

/** Between the name of a group and that of a field inside it. */
const INSIDE = ': ';

/** What an operation has, by its kind: each row is a name with its explanation. */
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
    const ofResource = operations.filter((one) => one.resource === resource);
    const kinds = kindsOf(ofResource, shared);
    for (const { words, names } of kinds) parts.push(`${words}:\n\n${listed(names)}`);
    for (const operation of ofResource) parts.push(operationSection(operation, shared, kinds));
  }
  parts.push('## Messaging Gateway Trigger', ownLines(formTables(trigger)).join('\n'));
  for (const [head, rows] of Object.entries(shared)) {
    parts.push(`## Shared ${head.toLowerCase()}s`, linesOf(rows).join('\n'));
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

/**
 * Returns lines of a list, the fields of a group below it; `before` says what their names are of. Names of outputs are code already.
 */
function linesOf(rows: Row[], before = ''): string[] {
  let group = '';
  return merged(rows).map(([names, about]) => {
    const all = names.split(', ');
    if (all.every((name) => name.startsWith(`${group}${INSIDE}`)))
      return `  - *${names.replaceAll(`${group}${INSIDE}`, '')}*: ${about}`;
    group = names;
    return `- ${before}${names.startsWith('`') ? names : `*${names}*`}: ${about}`;
  });
}

const ownLines = ({ Field, Option, Output = [] }: Partial<Tables> & Omit<Tables, 'Output'>): string[] => [
  ...linesOf(Field),
  ...linesOf(Option, 'Option '),
  ...linesOf(Output),
];

/** Puts the names that are explained in the same words into one row. */
function merged(rows: Row[]): Row[] {
  const byWords = new Map<string, string[]>();
  for (const [name, about] of rows) byWords.set(about, [...(byWords.get(about) ?? []), name]);
  return [...byWords].map(([about, names]) => [names.join(', '), about]);
}

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

/** Names of shared rows, by their kind. */
type Names = Record<keyof Tables, string[]>;

const KINDS = ['Field', 'Option', 'Output'] as const satisfies Array<keyof Tables>;

const namesBy = (find: (kind: keyof Tables) => string[]): Names =>
  Object.fromEntries(KINDS.map((kind) => [kind, find(kind)])) as Names;

/** Returns what an operation has of the shared rows, but for the fields inside a group. */
function sharedNames(operation: OperationDefinition, shared: Tables): Names {
  const tables = tablesOf(operation);
  return namesBy((kind) => {
    const common = new Map(shared[kind]);
    const found = tables[kind].filter(
      ([name, about]) => common.get(name) === about && !name.includes(INSIDE),
    );
    return found.map(([name]) => name);
  });
}

/** Several operations of a resource, with what all of them have. */
interface Kind {
  words: string;
  operations: OperationDefinition[];
  names: Names;
}

/** Returns the operations that have much in common, where there are three or more: those that send, and of these those that can wait. */
function kindsOf(ofResource: OperationDefinition[], shared: Tables): Kind[] {
  const sending = ofResource.filter(({ effect }) => effect === 'sends');
  const waiting = sending.filter(({ properties }) =>
    properties.some(({ name }) => name === 'waitForDelivery'),
  );
  if (waiting.length < 3) return [];
  const inAll = (all: OperationDefinition[]): Names => {
    const [first, ...others] = all.map((operation) => sharedNames(operation, shared));
    return namesBy((kind) => first[kind].filter((name) => others.every((one) => one[kind].includes(name))));
  };
  const ofSending = inAll(sending);
  const ofWaiting = inAll(waiting);
  return [
    { words: 'All that send have', operations: sending, names: ofSending },
    {
      words: 'Those with *Wait for Delivery* also have',
      operations: waiting,
      names: namesBy((kind) => ofWaiting[kind].filter((name) => !ofSending[kind].includes(name))),
    },
  ];
}

const listed = (names: Names): string =>
  KINDS.filter((kind) => names[kind].length > 0)
    .map((kind) => `- [${kind}s](#shared-${kind.toLowerCase()}s): ${names[kind].join(', ')}`)
    .join('\n');

/** Returns the section of an operation, without what the section of its resource says of its kinds. */
function operationSection(operation: OperationDefinition, shared: Tables, kinds: Kind[]): string {
  const tables = tablesOf(operation);
  const [Field, Option, Output] = KINDS.map((kind) => {
    const common = new Map(shared[kind]);
    return tables[kind].filter(([name, about]) => common.get(name) !== about);
  });
  const said = kinds.filter(({ operations }) => operations.includes(operation));
  const names = sharedNames(operation, shared);
  const rest = namesBy((kind) =>
    names[kind].filter((name) => !said.some((one) => one.names[kind].includes(name))),
  );
  const lines = [...ownLines({ Field, Option, Output }), listed(rest)].filter(Boolean);
  return [`### ${operation.name}`, `${operation.description}.`, lines.join('\n')].join('\n\n');
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
    [`${group}${property.displayName}`, aboutField(property)] as Row,
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

function aboutField(property: INodeProperties): string {
  const { description, hint, required, type, options = [] } = property;
  const choices = type === 'options' || type === 'multiOptions' ? named(options) : '';
  const unexplained = insideOf(property).filter((field, _, fields) => !isExplained(field, fields));
  const sentences = [
    isOfTool(property) ? "Only in an agent's tool" : '',
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

const asSentence = (text = ''): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
