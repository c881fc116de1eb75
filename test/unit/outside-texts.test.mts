/** No text from outside holds n8n: whatever it is made of, each of its readers takes a fixed time for each character. */
import { parseCallback } from '../../nodes/gateway/callback/parse.ts';
import { isTriggerAddress, unreachableReason, withoutSecret } from '../../nodes/gateway/callback/address.ts';
import { openFacts } from '../../nodes/gateway/callback/message-facts.ts';
import { SeenEvents } from '../../nodes/gateway/callback/seen.ts';
import { isStop, readStopWords } from '../../nodes/gateway/callback/replies.ts';
import { asOutput } from '../../nodes/gateway/delivery/reports.ts';
import { DepartedMessages } from '../../nodes/gateway/client/departed.ts';
import { askOne } from '../../nodes/gateway/client/ask.ts';
import type { Row } from '../../nodes/gateway/client/row.ts';
import { deliver } from '../../nodes/gateway/client/deliver.ts';
import { askAbout, askStatuses, atOnce } from '../../nodes/gateway/client/status.ts';
import type { Transport } from '../../nodes/gateway/client/transport.ts';
import { ConnectorClient, findAnswer } from '../../nodes/gateway/connector/client.ts';
import { explainConnector } from '../../nodes/gateway/connector/explain.ts';
import * as tools from '../../nodes/gateway/connector/tools.ts';
import { explain } from '../../nodes/gateway/errors/catalogue.ts';
import { classifyTransportError, retryAfterSeconds } from '../../nodes/gateway/errors/classify.ts';
import { replyFields } from '../../nodes/MessagingGatewayTrigger/reply-fields.ts';
import { parsePrefixes } from '../../nodes/gateway/numbers/allowed-prefixes.ts';
import { findCountry } from '../../nodes/gateway/numbers/countries.ts';
import { parsePhone } from '../../nodes/gateway/numbers/phone.ts';
import { compareCode } from '../../nodes/gateway/otp/challenge.ts';
import { calledCode } from '../../nodes/gateway/otp/code.ts';
import type { AnswerField } from '../../nodes/gateway/pages/answer-fields.ts';
import { readAnswers } from '../../nodes/gateway/pages/answer-fields.ts';
import { visible } from '../../nodes/gateway/pages/markup.ts';
import * as pages from '../../nodes/gateway/pages/question-page.ts';
import { listEntries, payloadFields, readSenders } from '../../nodes/gateway/contract/payloads.ts';
import { costlyCharacters } from '../../nodes/gateway/sms/segments.ts';
import { shortenSms } from '../../nodes/gateway/sms/shorten.ts';
import { isLocalHost, parseIpRange } from '../../nodes/gateway/text/hosts.ts';
import { fromForeignJson } from '../../nodes/gateway/text/json.ts';
import { whyNotButtonLink, whyNotWebLink } from '../../nodes/gateway/text/links.ts';
import { beginningOf, leftoverIn, whyNotWhole } from '../../nodes/gateway/text/characters.ts';
import { LONGEST_VALUE } from '../../nodes/gateway/text/gate.ts';
import { sendOnceId } from '../../nodes/gateway/keys/send-once-id.ts';
import { asMessage } from '../../nodes/MessagingGateway/fields/values.ts';
import { keyRedactor, secretMasker } from '../../nodes/gateway/text/secrets.ts';
import { answerAgent } from '../../nodes/MessagingGateway/agent/answer.ts';
import { MisnamedColumns } from '../../nodes/MessagingGateway/parameters/misnamed-column.ts';
import { fittingText, withLink } from '../../nodes/MessagingGateway/approval/message-text.ts';
import { decisionOf } from '../../nodes/MessagingGateway/approval/reply-words.ts';
import { fieldsOf } from '../../nodes/MessagingGateway/methods/connector-tools.ts';
import { readBody } from '../../nodes/n8n/incoming-call.ts';
import { slowness } from '../support/processor-time.mts';
import { result, scriptedConnector } from '../support/scripted-connector.mts';

const LENGTH = 200_000;

/** What becomes of a long text; a promise where something is waited for. */
type Reader = (text: string) => unknown;

/** The text in parts of so many characters, since many short texts may cost as much as a long one. */
const parts = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));

/** A reader for each of several beginnings of its text. */
const behind =
  (beginnings: string[], read: Reader): Reader =>
  (text) =>
    beginnings.map((beginning) => read(beginning + text));

const LINKS = [
  '',
  'https://',
  'https://[',
  'https://a.example/',
  'https://a.example/?',
  'intent:#',
  '?secret=',
];
const NETWORKS = ['', '::', '1.', '1.2.3.4/', '2001:db8::/', 'fe80::1%'];
const KEY = Buffer.alloc(32);
const OTP_KEYS = { code: KEY, challenge: KEY, record: KEY };

const callback = (more: object) => ({ success: true, id: 1, status: 'DELIVERED', ...more });
const repliesOf = (text: string) =>
  parts(text, 1000).map((message) => ({ message, media: { url: message } }));
const events = (text: string) => [
  callback({
    outcome: 'replied',
    reply: text,
    error: text,
    updated: text,
    type: text,
    replies: repliesOf(text),
  }),
];
const problems = (text: string) => [
  { kind: 'request', text, status: 500 },
  { kind: 'operation', text },
  { kind: 'blocked', text },
  { kind: 'notGateway', contentType: text },
  { kind: 'unreachable', code: text },
  { kind: 'connectionLost', code: text },
];
const rpcProblems = (text: string) =>
  [-32602, -32601, -32000].map((code) => ({ kind: 'rpc', code, message: text, status: 200 }));
const errors = (text: string) => [
  { message: text, code: 'EPROTO' },
  { code: text, httpCode: text },
  { messages: parts(text, 1000), code: 'EPROTO' },
  { response: { status: 503, headers: { 'retry-after': text } } },
];
const tool = (text: string) => ({
  ...{ name: text, title: text, description: text },
  inputSchema: {
    properties: Object.fromEntries(
      parts(text, 5).map((name, i) => [`${i}${name}`, { title: name, enum: [name] }]),
    ),
    required: parts(text, 5).map((name, i) => `${i}${name}`),
  },
});
const toolResults = (text: string) => [
  text,
  { content: [{ type: 'text', text }], isError: true },
  { content: [{ type: 'text', text: JSON.stringify({ refused: true, reason: text }) }] },
  { structuredContent: { success: false, error: { message: text } } },
];

const MESSAGE = { type: 'sms', id: 1, phone: 380501234567 };
const taken = (data: object) => ({ success: true, data });

/** Answers of a gateway to a request of so many operations, each as long as the text. */
const gatewayAnswers = (text: string, count = 1) => {
  const part = text.slice(0, text.length / count);
  const results = [
    { success: false, error: part },
    taken({ id: part }),
    taken({ status: part }),
    taken({ replies: repliesOf(part) }),
    taken(Object.fromEntries(parts(part, 5).map((field, i) => [`${i}${field}`, field]))),
  ];
  const bodies = [
    { success: false, error: text },
    { success: text },
    { success: true, request_id: text },
    ...results.map((item) => ({ success: true, data: Array<object>(count).fill(item) })),
  ];
  return [text, ...bodies.map((body) => JSON.stringify(body))].map((body) => ({
    ...{ kind: 'answer', status: 200, contentType: text, body },
  }));
};

/** A run of the client, whose time passes at once. */
const runOf = (answer: unknown) => ({
  transport: (async () => await Promise.resolve(answer)) as Transport,
  knownMessages: { add: () => undefined, at: () => 2, forget: () => undefined },
  departed: new DepartedMessages(),
  execution: 'one',
  unusedIds: () => [3, 4],
  clock: { now: () => 0, sleep: async () => await Promise.resolve(), isStopped: false },
});
const connectorOf = (value: unknown) =>
  scriptedConnector(({ id, rpc }) => (rpc === 'initialize' ? undefined : result(id, value)));

/** A form of each type of field, twenty of each, and what is sent for them: the text in parts that are taken at their longest. */
const FIELDS: AnswerField[] = [
  'email',
  'text',
  'textarea',
  'number',
  'date',
  'checkbox',
  'radio',
  'dropdown',
].flatMap((type) =>
  Array.from({ length: 20 }, (_, i) => ({
    type: type as AnswerField['type'],
    name: `${type}${i}`,
    label: 'A',
    options: ['a'],
  })),
);
const submitted = (text: string) =>
  Object.fromEntries(
    FIELDS.map((_, i) => [`f${i}`, i % 2 ? text.slice(0, 10_000) : `a@${text.slice(0, 9998)}`]),
  );
const question = (text: string) => ({
  ...{ title: text, from: 'A', text, language: 'en', fields: FIELDS, choices: [{ value: 'a', label: 'A' }] },
  texts: { ...pages.PAGE_TEXTS, expiredText: text },
  call: { tool: 'a', arguments: { a: text } },
});

/** The callbacks in a body, or why it is refused. */
function parsed(body: unknown): unknown {
  try {
    return parseCallback(body);
  } catch (thrown) {
    return thrown;
  }
}

/** What a text from outside is, and the functions that read it first; whatever they hand it on to reads it in the same test. */
const READERS: Record<string, Reader> = {
  'the body of a callback': (text) =>
    [
      ...[text, { [text]: '' }, { success: '1', id: '1', [text]: 'a' }, { data: text }],
      { [text]: 'a', 'a[b]': text },
      ...[
        ...['success', 'id', 'msg_id', 'request_id', 'type', 'status', 'error', 'updated', 'reply'],
        ...['duration', 'replies'],
      ].map((field) => ({ success: 'true', id: '1', [field]: text })),
      callback({ replies: repliesOf(text) }),
      parts(text, 1000).map((one) => callback({ error: one })),
    ].map(parsed),
  'a request to n8n': async (text) =>
    await readBody({
      getRequestObject: () => ({ rawBody: Buffer.from(text), headers: {} }),
      getBodyData: () => ({ [text]: text }),
    } as never),
  'an event that may have come before': (text) => new SeenEvents().add(events(text) as never),
  'a reply that may say stop': (text) => {
    const words = readStopWords(['stop']);
    return [
      isStop(words, { reply: text } as never),
      ...[100, 190].map((length) =>
        isStop(words, { replies: parts(text, length).map((message) => ({ message })) } as never),
      ),
    ];
  },
  'the seal of callback fields': behind(['', 'mgseal1_'], (text) =>
    openFacts(KEY, { id: 1, trigger: '' }, text),
  ),
  'a reply that starts a workflow': (text) => {
    const added = { stopWords: readStopWords(['stop']) } as never;
    return [...events(text), { reply: text, id: text }].map((event) =>
      replyFields(asOutput(event as never), added, KEY),
    );
  },
  'a callback address': behind(LINKS, (text) => [
    withoutSecret(text),
    isTriggerAddress(text),
    unreachableReason(text),
  ]),
  'an address of the internet': behind(['[', ...NETWORKS], (text) => [parseIpRange(text), isLocalHost(text)]),
  'the answer to a send': async (text) => {
    for (const answer of gatewayAnswers(text)) {
      const row = { operation: MESSAGE, endpoint: 'sync', state: { is: 'ready' } } as Row;
      const events = deliver([row], { pauseMs: 0, recovery: 'status' }, runOf(answer) as never);
      let count = 0;
      for await (const { rows } of events) count += rows.length;
      expect(count).toBeGreaterThan(1);
    }
  },
  'what status says of a message': async (text) => {
    for (const answer of gatewayAnswers(text)) await askStatuses(runOf(answer).transport, [1]);
    const row = {
      operation: MESSAGE,
      endpoint: 'sync',
      state: { is: 'unknown', problem: { kind: 'timeout' } },
    };
    for (const answer of gatewayAnswers(text, 4)) {
      const beside = { unused: [3, 4] as const, witness: 2 };
      await askAbout(runOf(answer).transport, [row as Row], beside, atOnce());
    }
  },
  'the answer about the account': async (text) => {
    for (const answer of gatewayAnswers(text)) await askOne(runOf(answer).transport, MESSAGE as never);
  },
  'the payload of an answer': (text) => [
    ...[text, { [text]: text }, parts(text, 10)].map((payload) => payloadFields(payload)),
    ...[parts(text, 10), { [text]: parts(text, 10) }].map((list) => [listEntries(list), readSenders(list)]),
  ],
  'what went wrong': (text) => [
    ...problems(text).map((problem) => explain(problem as never)),
    ...errors(text).map((error) => classifyTransportError(error)),
    retryAfterSeconds(text, 0),
  ],
  'the answer of a connector': async (text) => {
    await new ConnectorClient(connectorOf(text).transport).callTool('a', {});
    await new ConnectorClient(scriptedConnector(() => ({ body: text })).transport).health();
  },
  'the events of a connector': (text) =>
    [text, `data:${parts(text, 5).join('\n\ndata:')}`].map((events) => findAnswer(events, 1)),
  'what a connector refuses': (text) =>
    [...problems(text), ...rpcProblems(text)].map((problem) => explainConnector(problem as never)),
  'a tool of a connector': (text) => [
    tools.argumentSchemas(tool(text) as never),
    tools.takesConfirmation(tool(text) as never),
    ...toolResults(text).map((one) => tools.readToolResult(one)),
    fieldsOf(tool(text) as never),
  ],
  'what an agent gets': async (text) =>
    await answerAgent({ definition: { effect: 'reads' } } as never, async () => [
      { json: { text, ...Object.fromEntries(parts(text, 5).map((one, i) => [i, one])) } },
    ]),
  'a phone number': (text) => [parsePhone(text), ...parts(text, 190).map((part) => parsePhone(part))],
  'a country, or the beginnings of numbers': (text) => [findCountry(text), parsePrefixes(text)],
  'a challenge and a code': (text) => [
    compareCode(OTP_KEYS as never, { challenge: text, phone: text, code: text } as never, 0),
    calledCode(text),
  ],
  'the answers of a form': (text) => {
    const sent = submitted(text);
    return [
      readAnswers(FIELDS, sent),
      pages.questionPage(question('A') as never, 'token', { submitted: sent }),
    ];
  },
  'the question on a page': (text) => {
    const shown = question(text) as never;
    return [
      pages.readableQuestion(shown),
      pages.expiredPage(shown, { at: 0, zone: 'UTC' }),
      pages.refusedPage(shown),
      pages.closedPage(shown),
      pages.recordedPage(question('A') as never, text, { text0: text }),
    ];
  },
  'what an agent asks a person': (text) => visible(text),
  'a reply that may decide': (text) =>
    [text, ...parts(text, 6990), ...parts(text, 100)].map((reply) =>
      decisionOf(reply, { approve: ['yes'], decline: [] } as never),
    ),
  'the text of a question': (text) =>
    withLink(fittingText(text, 'https://a.example/1'), 'https://a.example/1'),
  'the text of an SMS': (text) => [
    // A longer text stays as it is.
    shortenSms(text.slice(0, 5000), ['punctuation', 'transliterate', 'accents']),
    costlyCharacters(text),
  ],
  'a text with the leftover of an expression': (text) => [
    leftoverIn(text),
    asMessage(text, 'Text'),
    whyNotWhole(text),
    beginningOf(text, 100),
  ],
  'a key of a message, at its longest': (text) => sendOnceId(text.slice(0, LONGEST_VALUE.word), 1),
  'a link': behind(LINKS, (text) => [whyNotWebLink(text), whyNotButtonLink(text)]),
  'JSON of others': behind(['', 'x', '{"a":1}', '{"a":"'], (text) => fromForeignJson(text)),
  'a text that may hold a secret': (text) => [
    keyRedactor('a-key-of-tests')(text),
    secretMasker(['123456', 'mgseal1_a'])([text, parts(text, 10)]),
  ],
};

/** What texts are made of that keep readers busy: each pattern of theirs looks for the end of some of these. */
const ALPHABETS: Record<string, string> = {
  blanks: ' \u00a0\t',
  'line ends': '\r\n\r',
  dots: '.',
  'signs that NFKC makes 4 of': '\u2057',
  'signs that NFKC makes 18 of': '\ufdfa',
  marks: '\u0301\u0323',
  'halves of pairs': '\ud83d',
  'digits of several scripts': '0٣५',
  'controls and invisible signs': '\u0000\u200b\u202e',
  'families of emoji': '👨‍👩‍👧🇺🇦',
  braces: '{',
  'pairs of braces': '{{ ',
  'angle brackets': '<',
  parentheses: '(',
  'the beginning of an event': 'data:',
  brackets: '[{"a":',
  'closed brackets': '{"a":[]},',
  'quotes and backslashes': '"\\',
  'parts of addresses': 'a@b.https://',
  'parts of forms': '%5B&a[]=',
  markup: '<html>&',
  events: 'data: \n\n',
  'words of refusals': 'id not found_ no such message ',
};
const made = (unit: string): string => `a${unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)}a`;

/** Milliseconds that are nothing; n8n's other users notice 200. */
const NOTHING_MS = 100;

/** Microseconds of processor time for each character, on a busy machine: a reader that takes the square of the length takes seconds. */
const MAX_PER_CHARACTER = 10;
const MAX_TRIES = 4;

/** Milliseconds that reading so many characters may take: each at most so many microseconds. */
const limitFor = (characters: number, each: number): number => NOTHING_MS + (characters * each) / 1000;

/** Microseconds for each character of JSON, of which a reader takes the first thousands of values and leaves the rest. */
const MAX_OF_JSON = 0.5;

/** The milliseconds of processor time that reading a text takes: of the first try below a limit, else of the fastest. */
async function timeOf(read: Reader, text: string, limit: number): Promise<number> {
  let fastest = Infinity;
  // What takes ten times as long isn't slow by chance.
  for (
    let tries = 0;
    tries < MAX_TRIES && fastest > limit && (tries === 0 || fastest < 10 * limit);
    tries++
  ) {
    const start = process.threadCpuUsage();
    await read(text);
    const { user, system } = process.threadCpuUsage(start);
    const time = (user + system) / 1000;
    fastest = Math.min(fastest, time < limit ? time : time / slowness());
  }
  return fastest;
}

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it('is read in no time, whatever it is made of', async () => {
    const slow: unknown[] = [];
    const limit = limitFor(LENGTH, MAX_PER_CHARACTER);
    for (const [alphabet, unit] of Object.entries(ALPHABETS)) {
      const time = await timeOf(read, made(unit), limit);
      if (time > limit) slow.push({ alphabet, time, limit });
    }
    expect(slow).toEqual([]);
  });
});

it.each<[what: string, body: unknown]>([
  ['keys', `{"success":true,"id":1,${Array.from({ length: LENGTH / 14 }, (_, i) => `"key${i}":1`).join()}}`],
  ['lists in each other', '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2)],
  ['objects in each other', `${'{"a":'.repeat(LENGTH / 6)}1${'}'.repeat(LENGTH / 6)}`],
  [
    'callbacks',
    Array.from({ length: 1000 }, (_, id) => ({ success: true, id, replies: [{ media: { url: 'u' } }] })),
  ],
  [
    'replies beside as many fields as a callback may have',
    {
      ...{ success: true, id: 1, replies: Array.from({ length: LENGTH }, () => ({})) },
      ...Object.fromEntries(Array.from({ length: 190 }, (_, i) => [`field${i}`, 1])),
    },
  ],
  ...['field#', 'a[#]', 'a[][b#]', 'a[b#][c][d][e][f]', 'a#[b]'].map((name): [string, unknown] => [
    `form fields named ${name}`,
    Object.fromEntries(Array.from({ length: LENGTH / 14 }, (_, i) => [name.replace('#', String(i)), '1'])),
  ]),
])('a body of thousands of %s is read in no time', async (_, body) => {
  const limit = limitFor(typeof body === 'string' ? body.length : JSON.stringify(body).length, MAX_OF_JSON);
  expect(await timeOf(() => parsed(body), '', limit)).toBeLessThan(limit);
});

it('of rows of a stranger, the first thousand columns are compared with the column that a placeholder names', () => {
  const compared = jest.spyOn(String.prototype, 'normalize');
  const columns = new MisnamedColumns();
  for (let row = 0; row < 100; row++) {
    const names = Array.from({ length: 200 }, (_, i) => [`${row} ${i} \ufdfa`, 1]);
    columns.meantBy('{{ $json.number }}', Object.fromEntries(names));
  }
  expect(compared.mock.calls.length).toBeGreaterThan(1000);
  expect(compared.mock.calls.length).toBeLessThan(1100);
  compared.mockRestore();
});

it.each<[what: string, result: object]>([
  ['an error of 200 KB', { success: false, error: '1a'.repeat(LENGTH / 2) }],
  ['a text of 200 KB', { success: true, data: { note: '1a'.repeat(LENGTH / 2) } }],
  [
    'thousands of fields',
    {
      success: true,
      data: Object.fromEntries(Array.from({ length: LENGTH / 40 }, (_, i) => [`key${i}`, `${i}`])),
    },
  ],
])(
  'an answer about 100 messages is read in no time, though what it says of unknown ones is %s',
  async (_, long) => {
    const messages = Array.from(
      { length: 100 },
      (__, i): Row => ({
        operation: { type: 'sms', id: 10 + i, phone: 380501234567 },
        endpoint: 'sync',
        state: { is: 'unknown', problem: { kind: 'timeout' } },
      }),
    );
    const data = [...messages.map(() => ({ success: false, error: 'None' })), long, long, long];
    const body = JSON.stringify({ success: true, data });
    const transport: Transport = async () =>
      await Promise.resolve({ kind: 'answer', status: 200, contentType: 'application/json', body });
    const ask = () => askAbout(transport, messages, { unused: [3, 4], witness: 2 }, atOnce());
    const limit = limitFor(body.length, MAX_OF_JSON);
    expect(await timeOf(ask, '', limit)).toBeLessThan(limit);
  },
);
