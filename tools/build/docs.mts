import type { INodeProperties } from 'n8n-workflow';

import type { Problem } from '../../nodes/gateway/errors/problem.ts';
import type { Words } from '../../nodes/gateway/errors/words.ts';
import type { GeneratedFile } from './generated-file.mts';
import { toJsonSchema } from './json-schema.mts';
import type { DescribedOperation } from './output-schemas.mts';

/** What an operation of the node says of its form. */
export interface DocumentedOperation extends DescribedOperation {
  name: string;
  description: string;
  properties: INodeProperties[];
}

/** An error as the node shows it. */
export interface DocumentedError {
  title: string;
  description: string;
}

export interface DocumentedNode {
  operations: readonly DocumentedOperation[];
  /** Labels of the resources, by name, in the order of the pages. */
  resources: Record<string, string>;
  errors: {
    /** Refusals in the gateway's words. */
    texts: DocumentedError[];
    /** HTTP codes of servers. */
    statuses: DocumentedError[];
    /** Connections that were not made, and answers that did not come. */
    connections: DocumentedError[];
  };
}

/** The parts of the node that the pages follow from; the compiled ones in a build, the sources in a test. */
export interface NodeParts {
  operations: readonly DocumentedOperation[];
  resources: Record<string, string>;
  /** What the gateway refuses, and what it means. */
  textEntries: ReadonlyArray<{
    title(words: Words): string;
    description(words: Words, wireType: undefined): string;
  }>;
  statusEntries: Readonly<Record<number, unknown>>;
  explain(problem: Problem, words: Words): { message: string; description: string };
  words: Words;
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'];
const TLS = [
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
];
const PROBLEMS: Problem[] = [
  ...UNREACHABLE.map((code) => ({ kind: 'unreachable', code }) as const),
  ...TLS.map((code) => ({ kind: 'tls', code }) as const),
  { kind: 'timeout' },
  { kind: 'connectionLost', code: 'ECONNRESET' },
  { kind: 'notGateway', contentType: 'text/html' },
  { kind: 'unknownOutcome' },
  { kind: 'notTold' },
  { kind: 'cancelled' },
];

/** Returns what the pages document, with the labels of all forms. */
export function documentedNode({ operations, resources, explain, ...parts }: NodeParts): DocumentedNode {
  const all = operations.flatMap(({ properties }) => properties);
  const options = all.flatMap((property) => (property.name === 'options' ? (property.options ?? []) : []));
  const labelled = [...all, ...(options as INodeProperties[])];
  const words: Words = {
    ...parts.words,
    label: (parameter) => labelled.find(({ name }) => name === parameter)?.displayName,
  };
  const explained = (problem: Problem): DocumentedError => {
    const { message, description } = explain(problem, words);
    return { title: message, description };
  };
  return {
    operations,
    resources,
    errors: {
      texts: parts.textEntries.map(({ title, description }) => ({
        title: title(words),
        description: description(words, undefined),
      })),
      statuses: Object.keys(parts.statusEntries).map((status) =>
        explained({ kind: 'http', status: Number(status) }),
      ),
      connections: PROBLEMS.map(explained),
    },
  };
}

const GENERATED = 'This page is generated from the node (`npm run build`).';

/** Returns the pages of the documentation that follow from the code: all operations, and all errors. */
export const docs = (node: DocumentedNode): GeneratedFile[] => [
  { path: 'docs/reference.md', text: reference(node) },
  { path: 'docs/when-something-fails.md', text: errorsPage(node) },
];

function reference({ operations, resources }: DocumentedNode): string {
  const parts = ['# All operations', GENERATED];
  for (const [resource, label] of Object.entries(resources)) {
    parts.push(`## ${label}`);
    for (const operation of operations.filter((one) => one.resource === resource)) {
      parts.push(...operationSection(operation));
    }
  }
  return `${[...parts, ONCE].join('\n\n')}\n`;
}

const ONCE = `## The id of a Send Once Key

The first 53 bits, as a number, of the SHA-256 of the key without white space around it, a line feed, and the digits of the
phone number, all in UTF-8. So other systems can ask for the status of a message by its key. In Python:

\`\`\`python
int(hashlib.sha256(f"{key.strip()}\\n{phone}".encode()).hexdigest()[:16], 16) >> 11
\`\`\`

\`1001-shipped\` to 380501234567 is 4341055739646830.`;

function operationSection({ name, description, properties, outputSchema }: DocumentedOperation): string[] {
  const fields = properties.filter(({ type, name: parameter }) => type !== 'notice' && parameter !== 'options');
  const options = properties
    .filter(({ name: parameter }) => parameter === 'options')
    .flatMap((collection) => (collection.options ?? []) as INodeProperties[]);
  const output = Object.keys(toJsonSchema(outputSchema).properties ?? {});
  return [
    `### ${name}`,
    `${description}.`,
    ...(fields.length > 0 ? [table('Field', fields)] : []),
    ...(options.length > 0 ? [table('Option', options)] : []),
    ...(output.length > 0 ? [`Output: ${output.map((field) => `\`${field}\``).join(', ')}`] : []),
  ];
}

function table(title: string, properties: INodeProperties[]): string {
  const rows = new Map(properties.map((property) => [property.displayName, aboutField(property)]));
  return [
    `| ${title} | Description |`,
    '|---|---|',
    ...[...rows].map(([label, about]) => `| ${label} | ${about} |`),
  ].join('\n');
}

function aboutField({ description, hint, required, type, options = [] }: INodeProperties): string {
  const choices = type === 'options' || type === 'multiOptions' ? options.map(({ name }) => name).join(', ') : '';
  const sentences = [required ? 'Required' : '', description, hint, choices && `One of: ${choices}`];
  return inCell(sentences.map(asSentence).filter(Boolean).join(' '));
}

const asSentence = (text = ''): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** Text of a form, which may have HTML, as a cell of a table. */
const inCell = (text: string): string =>
  text.replaceAll(/<\/?code>/g, '`').replaceAll(/<[^>]+>/g, '').replaceAll('|', '\\|').replaceAll('\n', ' ');

function errorsPage({ errors }: DocumentedNode): string {
  return `${[
    '# When something fails',
    `${GENERATED} Search it for the words of the error.`,
    'An error says what happened, and its details say what to do. With several items, it ends with the index of the item, from 0. `state` says what became of the message: `refused` and `notSent` were not sent; `unknown` may have been sent, so look it up with *Get Status* before you send it again.',
    '![An error in the panel of the node](pictures/error.png)',
    '## The gateway refuses a message or a request',
    'The error quotes the gateway\'s words.',
    errorTable(errors.texts),
    '## A server answers with an HTTP error',
    errorTable(errors.statuses),
    '## The gateway can\'t be reached, or its answer can\'t be used',
    errorTable(errors.connections),
    'The test of the credential says the same in its dialog.',
    '## A field is invalid',
    'The error names the field in single quotes, what it accepts, and what it received. Nothing was sent for that item; with *On Error* set to stop, nothing was sent for any item.',
    '## No callbacks arrive',
    'See [Start a workflow on delivery callbacks](trigger.md): the workflow must be published, and the gateway must be able to reach the address of n8n (`WEBHOOK_URL`).',
  ].join('\n\n')}\n`;
}

function errorTable(entries: DocumentedError[]): string {
  const rows = new Map(entries.map(({ title, description }) => [title, description]));
  return [
    '| Error | What to do |',
    '|---|---|',
    ...[...rows].map(([title, description]) => `| ${inCell(title)} | ${inCell(description)} |`),
  ].join('\n');
}
