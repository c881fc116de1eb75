import type { INodeProperties } from 'n8n-workflow';

import type { explain } from '../../nodes/gateway/errors/catalogue.ts';
import type { Problem } from '../../nodes/gateway/errors/problem.ts';
import type { TextEntry } from '../../nodes/gateway/errors/text-entries.ts';
import type { Words } from '../../nodes/gateway/errors/words.ts';
import type { OperationDefinition } from '../../nodes/MessagingGateway/run/definition.ts';
import type { GeneratedFile } from './generated-file.mts';
import { outputFields } from './output-fields.mts';

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
  { kind: 'notGateway', contentType: 'text/html' },
  { kind: 'blocked', text: '…' },
  { kind: 'notTold' },
  { kind: 'cancelled' },
];
/** Those that leave it open whether something was sent. */
const UNKNOWN: Problem[] = [
  { kind: 'timeout' },
  { kind: 'connectionLost', code: 'ECONNRESET' },
  { kind: 'lengthMismatch', sent: 2, received: 1 },
  { kind: 'idMismatch' },
  { kind: 'unknownOutcome' },
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
  const { name, description, properties } = operation;
  const fields = properties.filter(
    ({ type, name: parameter }) => type !== 'notice' && type !== 'hidden' && parameter !== 'options',
  );
  const options = optionsOf(operation);
  return [
    `### ${name}`,
    `${description}.`,
    ...(fields.length > 0 ? [table('Field', rowsOf(fields))] : []),
    ...(options.length > 0 ? [table('Option', rowsOf(options))] : []),
    table('Output', outputFields(operation)),
  ];
}

/** The fields of a form; of several with one label, the last. */
const rowsOf = (properties: INodeProperties[]): Row[] => [
  ...new Map(properties.map((property) => [property.displayName, aboutField(property)])),
];

function table(title: string, rows: Row[]): string {
  return [
    `| ${title} | Description |`,
    '|---|---|',
    ...rows.map(([label, about]) => `| ${label} | ${about} |`),
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
  const statuses = [...Object.keys(statusEntries).map(Number), ...OTHER_STATUSES].sort((a, b) => a - b);
  return `${[
    '# When something fails',
    `${GENERATED} Search it for a few words of the error, without names, numbers and what stands in quotation marks.`,
    '![An error in the panel of the node](pictures/error.png)',
    HOW_TO_READ,
    NOTHING_SHOWN,
    '## The gateway refuses a message or a request',
    "The error quotes the gateway's words. Nothing was sent for a row that the gateway did not accept.",
    errorTable(textEntries.map(({ title, description }) => [title(words), description(words)])),
    'In any other words:',
    explained([
      { kind: 'item', text: '…', wireType: 'sms' },
      { kind: 'envelope', text: '…' },
    ]),
    '## A server answers with an HTTP error',
    explained(statuses.map((status) => ({ kind: 'http', status }))),
    "## The gateway can't be reached, or its answer can't be used",
    'Where the error begins with "Not sent:", nothing was sent.',
    explained(PROBLEMS),
    'The test of the credential says the same in its dialog.',
    '## The answer was lost',
    'The error begins with "Unknown whether this was sent:" where the node couldn\'t find out by itself. Ask *Get Status* with the `id` of the error before you send the message again.',
    explained(UNKNOWN),
    '## The node refuses by itself',
    'Nothing was sent for what such an error is about.',
    errorTable(OWN_REFUSALS),
    '## The assistant connector',
    "A connector that can't be reached, or answers with an HTTP error, is explained in the tables above, with *connector* in place of *gateway*. Nothing was sent, unless the error says that the outcome of a tool is unknown, or that a tool failed.",
    errorTable(OF_THE_CONNECTOR),
    '## No callbacks arrive',
    'See [Start a workflow on delivery callbacks](trigger.md): the workflow must be published, and the gateway must be able to reach the address of n8n (`WEBHOOK_URL`).',
  ].join('\n\n')}\n`;
}

/** HTTP codes that share an entry with others. */
const OTHER_STATUSES = [302, 422, 500];

const HOW_TO_READ = `## How to read an error

An error says what happened, and in its details what to do; one of them says whether anything was sent. Where there are several rows, it
ends with the number of n8n's item, which begins at 0: \`[item 1]\` is the second row.

| It begins with, or \`state\` is | Was it sent? | What to do |
|---|---|---|
| "Not sent:", \`notSent\` | No | Run it again, once the cause is gone |
| no such words, \`refused\` | No: the gateway did not accept it | Change what it refuses |
| "Unknown whether this was sent:", \`unknown\` | Perhaps | Ask *Get Status* with the \`id\` of the error before you send it again |
| "It was carried out, but … is unknown", \`unknown\` | Yes, and the answer was lost | To repeat it, run the node again for this row |

A hint below the output, such as "3 of 500 messages were not accepted", counts the rows with an error.`;

const NOTHING_SHOWN = `## The node runs for a minute, or shows nothing

**It still runs.** A request may take 60 seconds (*Timeout (Seconds)* in the options). Where the gateway can't be reached, the
node tries for 15 seconds; where it asks to wait, for two minutes. Where an exchange broke, the node asks for the status until the
gateway must be done with it, half a minute at least; what the gateway doesn't have by then is sent once more and, if that
breaks too, asked about again. So one message to a gateway that keeps failing ends after about a minute. Let it run: it ends
with what is known of each message.

**It was stopped, and its panel is empty.** n8n saves what a node did when the node ends, so nothing is left of a send that was
stopped, or that n8n crashed in: no error, and no ids. What had left before stays sent.

1. Look in your gateway account what has left, or with the sandbox on its phone page.
2. With a *Send Once Key*, run the workflow again a minute later: what was sent isn't sent twice.
3. Without one, don't use *Retry*: it sends all messages again. Take out the rows that were sent, and run the rest.

See [Stop, crash, and Retry](bulk.md#stop-crash-and-retry).`;

type Row = [title: string, about: string];

/** Errors of the node itself, with an ellipsis for what differs. */
const OWN_REFUSALS: Row[] = [
  [
    "'…' must be …",
    'The error names the field, what it accepts, and what it received. Correct the value or the expression. With *On Error* set to stop, nothing was sent for any row; otherwise nothing for this one.',
  ],
  ["'…' can't be read: …", "n8n's words about an expression. Correct it."],
  [
    "'Base URL' of the credential is empty",
    'Enter the address in the credential. The same for *Async URL* and *Assistant Connector URL*.',
  ],
  [
    "'Base URL' of the credential is not a web address",
    'Enter an address that begins with https://, without blanks.',
  ],
  [
    "'API Key' of the credential is empty",
    'Enter the key in the credential, or correct the expression there.',
  ],
  [
    'The API key is only sent to the addresses of the credential',
    'A node sent the credential elsewhere, such as HTTP Request. Use this node, or an address of the credential.',
  ],
  [
    "This run would send … messages; 'Max Messages per Run' is …",
    'Nothing was sent. If the rows are right, change the limit in the option *Limits*. The same for "would have … parts", "SMS parts", and "The balance is …".',
  ],
  ["The balance can't be read", 'Nothing was sent. Run it again, or take *Min Balance* out of *Limits*.'],
  [
    "'Callback to This Workflow' is on, but this workflow has …",
    'Nothing was sent. Keep only one published Messaging Gateway Trigger. See [the trigger](trigger.md#tell-the-gateway-where-to-call).',
  ],
  [
    "This workflow isn't published. Nothing was sent",
    'Click **Publish**, then run it again: *Callback to This Workflow* needs the published trigger of this workflow.',
  ],
  [
    'No Messaging Gateway Trigger of this workflow is published. Nothing was sent',
    'Add the trigger, and publish the workflow again.',
  ],
  [
    'This number got a code less than … ago',
    'Nothing was sent. The details say when another code can be sent. The option *Cooldown* sets the limit.',
  ],
  ['This number got … within an hour', 'The same, with the option *Limit per Number*.'],
  ['This workflow sent … within an hour', 'The same, with the option *Limit per Workflow*.'],
  [
    'Too many wrong codes were tried for this number',
    'No code is sent that could not be verified. The details say when one can be. The option *Max Attempts per Number* of *Verify* sets the limit.',
  ],
  [
    "'Challenge' is empty",
    'Nothing was verified. Take it from the node that sent the code: see [One-time passwords](one-time-passwords.md#a-form). The same for *Phone Number* and *Code*.',
  ],
  [
    'n8n could not record this in its database',
    "Nothing was sent or verified, and it doesn't count. Run the node again.",
  ],
  [
    "'Wait for Delivery' does not work in an agent's tool",
    'Turn it off. The agent can ask with *Get Status*.',
  ],
  [
    "A tool of an agent can't wait for a person",
    'Connect the operation as a human review, or use it outside of the agent: see [Approvals](approvals.md).',
  ],
  [
    "n8n doesn't say which call is to be reviewed, so nobody was asked",
    'Connect the node from the list *Human review* of the tools of an AI Agent.',
  ],
];

const OF_THE_CONNECTOR: Row[] = [
  [
    'The connector did not accept the API key',
    'Check *API Key* in the credential, and that the API is switched on in your gateway account.',
  ],
  [
    'The connector dropped its session, and the new one as well',
    'Nothing was done in the lost sessions. Run it again later.',
  ],
  [
    'The connector did not accept the tool or its arguments',
    '*List Tools* shows the arguments of each tool.',
  ],
  ["The connector doesn't know this method", 'It may be older. A tool can still be called by its name.'],
  [
    'The connector refused the request',
    "These are the connector's words. Ask the support of the gateway, and quote them.",
  ],
  [
    'The connector refused the tool',
    "Nothing was sent. The details have the connector's advice; most often *Confirm* is off.",
  ],
  ['The tool … was not called', 'The connector has sending switched off. Whoever runs it can switch it on.'],
  [
    'The tool … failed',
    "The quoted words say why; the tables above explain the gateway's. The details say whether something may have been sent.",
  ],
  ['The outcome of the tool … is unknown', 'Find out whether the message was sent before you run it again.'],
  ['The assistant connector offers no tool', 'Choose another from the list.'],
];

function errorTable(entries: Row[]): string {
  return [
    '| Error | What to do |',
    '|---|---|',
    ...[...new Map(entries)].map(([title, description]) => `| ${inCell(title)} | ${inCell(description)} |`),
  ].join('\n');
}
