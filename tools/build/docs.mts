import type { INodeProperties } from 'n8n-workflow';

import type { explain } from '../../nodes/gateway/errors/catalogue.ts';
import type { Problem } from '../../nodes/gateway/errors/problem.ts';
import type { TextEntry } from '../../nodes/gateway/errors/text-entries.ts';
import type { Words } from '../../nodes/gateway/errors/words.ts';
import type { OperationDefinition } from '../../nodes/MessagingGateway/run/definition.ts';
import type { GeneratedFile } from './generated-file.mts';
import { toJsonSchema } from './json-schema.mts';

/** The parts of the node that the pages follow from; the compiled ones in a build, the sources in a test. */
interface NodeParts {
  operations: readonly OperationDefinition[];
  /** Labels of the resources, by name, in the order of the pages. */
  resources: Record<string, string>;
  /** What the gateway refuses, and what it means. */
  textEntries: readonly TextEntry[];
  statusEntries: Readonly<Record<number, unknown>>;
  explain: typeof explain;
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

const GENERATED = 'This page is generated from the node (`npm run build`).';

/** Returns the pages of the documentation that follow from the code: all operations, and all errors. */
export const docs = (node: NodeParts): GeneratedFile[] => [
  { path: 'docs/reference.md', text: reference(node) },
  { path: 'docs/when-something-fails.md', text: errorsPage(node) },
];

function reference({ operations, resources }: NodeParts): string {
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

/** What the collection "Options" of an operation's form offers. */
const optionsOf = ({ properties }: OperationDefinition): INodeProperties[] =>
  properties
    .filter(({ name }) => name === 'options')
    .flatMap((collection) => (collection.options ?? []) as INodeProperties[]);

function operationSection(operation: OperationDefinition): string[] {
  const { name, description, properties, outputSchema } = operation;
  const fields = properties.filter(
    ({ type, name: parameter }) => type !== 'notice' && parameter !== 'options',
  );
  const options = optionsOf(operation);
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
  const choices =
    type === 'options' || type === 'multiOptions' ? options.map(({ name }) => name).join(', ') : '';
  const sentences = [required ? 'Required' : '', description, hint, choices && `One of: ${choices}`];
  return inCell(sentences.map(asSentence).filter(Boolean).join(' '));
}

const asSentence = (text = ''): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

/** Text of a form, which may have HTML, as a cell of a table. */
const inCell = (text: string): string =>
  text
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');

function errorsPage({ operations, textEntries, statusEntries, ...parts }: NodeParts): string {
  const properties = [...operations.flatMap((one) => one.properties), ...operations.flatMap(optionsOf)];
  const words: Words = {
    ...parts.words,
    label: (parameter) => properties.find(({ name }) => name === parameter)?.displayName,
  };
  const explained = (problems: Problem[]) =>
    errorTable(
      problems.map((problem) => {
        const { message, description } = parts.explain(problem, words);
        return [message, description];
      }),
    );
  return `${[
    '# When something fails',
    `${GENERATED} Search it for the words of the error.`,
    'An error says what happened, and its details say what to do. With several items, it ends with the index of the item, from 0. `state` says what became of the message: `refused` and `notSent` were not sent; `unknown` may have been sent, so look it up with *Get Status* before you send it again.',
    '![An error in the panel of the node](pictures/error.png)',
    '## The gateway refuses a message or a request',
    "The error quotes the gateway's words.",
    errorTable(textEntries.map(({ title, description }) => [title(words), description(words, undefined)])),
    '## A server answers with an HTTP error',
    explained(Object.keys(statusEntries).map((status) => ({ kind: 'http', status: Number(status) }))),
    "## The gateway can't be reached, or its answer can't be used",
    explained(PROBLEMS),
    'The test of the credential says the same in its dialog.',
    '## A field is invalid',
    'The error names the field in single quotes, what it accepts, and what it received. Nothing was sent for that item; with *On Error* set to stop, nothing was sent for any item.',
    '## No callbacks arrive',
    'See [Start a workflow on delivery callbacks](trigger.md): the workflow must be published, and the gateway must be able to reach the address of n8n (`WEBHOOK_URL`).',
  ].join('\n\n')}\n`;
}

function errorTable(entries: Array<[title: string, description: string]>): string {
  return [
    '| Error | What to do |',
    '|---|---|',
    ...[...new Map(entries)].map(([title, description]) => `| ${inCell(title)} | ${inCell(description)} |`),
  ].join('\n');
}
