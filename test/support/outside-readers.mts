/**
 * Everything that reads a text which somebody outside wrote: a stranger who calls the trigger, a person who answers, the
 * gateway, a connector, an agent. By file below `nodes/` and export; `unit/outside-texts` compares the names with the code.
 */
import type { AnswerField } from '../../nodes/gateway/pages/answer-fields.ts';
import { PAGE_TEXTS } from '../../nodes/gateway/pages/question-page.ts';
import { scriptedConnector, result } from './scripted-connector.mts';

/** What an exported function makes of a long text; a promise of it where it waits for something. */
export type Reader = (text: string) => unknown;

/** The exports of a module, by name, without their types: each reader knows what it calls. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- A table of some hundred functions of all types.
export type Exports = Record<string, any>;

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
const reports = (text: string) => [
  { status: text, type: text, reply: text, msg_id: text, replies: text },
  { status: 'DELIVERED', replies: repliesOf(text), error: text, updated: text },
];
const problems = (text: string) => [
  { kind: 'envelope', text, status: 500 },
  { kind: 'item', text, wireType: 'sms' },
  { kind: 'item', text, wireType: 'status' },
  { kind: 'blocked', text },
  { kind: 'notGateway', contentType: text },
  { kind: 'unreachable', code: text },
  { kind: 'tls', code: text },
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
const rowInDoubt = (problem: object) => ({
  ...{ operation: MESSAGE, endpoint: 'sync', hasOwnId: true },
  state: { is: 'unknown', problem },
});
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
    { success: true, request_id: text },
    ...results.map((item) => ({ success: true, data: Array<object>(count).fill(item) })),
  ];
  return [text, ...bodies.map((body) => JSON.stringify(body))].map((body) => ({
    ...{ kind: 'answer', status: 200, contentType: text, body },
  }));
};

/** A run of the client, whose time passes at once. */
const runOf = (answer: unknown) => ({
  transport: async () => await Promise.resolve(answer),
  known: { add: () => undefined, at: () => 2 },
  unusedIds: () => [3, 4],
  now: () => 0,
  sleep: async () => await Promise.resolve(),
  stopped: () => false,
  record: () => undefined,
  settle: () => undefined,
});
const told = (text: string) =>
  [...reports(text), { id: text }].flatMap((report) =>
    ['taken', 'failed', 'rejected', 'seen'].map((is) => ({ is, report })),
  );
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
  texts: { ...PAGE_TEXTS, expiredText: text },
  call: { tool: 'a', arguments: { a: text } },
});

/** Takes a module's exports and returns its readers; `undefined` stands for an export that gets no text from outside. */
type ReadersOf = (module: Exports) => Record<string, Reader | undefined>;

const none = undefined;

export const READERS: Record<string, ReadersOf> = {
  'gateway/callback/address': (m) => ({
    withoutSecret: behind(LINKS, m.withoutSecret),
    withSentType: none,
    isTriggerAddress: behind(LINKS, m.isTriggerAddress),
    isNear: behind(LINKS, m.isNear),
    unreachableReason: behind(LINKS, m.unreachableReason),
  }),
  'gateway/callback/parse': (m) => ({
    parseCallback: (text) =>
      [
        ...[
          text,
          { [text]: '' },
          { success: '1', id: '1', [text]: 'a' },
          { data: text },
          { [text]: 'a', 'a[b]': text },
        ],
        ...[
          'success',
          'id',
          'msg_id',
          'request_id',
          'type',
          'status',
          'error',
          'updated',
          'reply',
          'duration',
          'replies',
        ].map((field) => ({ success: 'true', id: '1', [field]: text })),
        callback({ replies: repliesOf(text) }),
        parts(text, 1000).map((one) => callback({ error: one })),
      ].map((body) => m.parseCallback(body)),
    splitReplies: (text) => m.splitReplies(events(text)),
  }),
  'gateway/callback/sealed-fields': (m) => ({
    deriveCallbackKeys: none,
    sealFields: none,
    openFields: behind(['', 'mgseal1_'], (text) => m.openFields({ seal: KEY, nonce: KEY }, 1, text)),
  }),
  'gateway/callback/seen': (m) => ({
    SeenEvents: (text) => new m.SeenEvents().take('t', events(text)),
  }),
  'gateway/callback/stop-words': (m) => ({
    readStopWords: none,
    isStop: (text) => {
      const words = m.readStopWords(['stop']);
      return [
        m.isStop(words, { reply: text }),
        ...[100, 190].map((length) =>
          m.isStop(words, { replies: parts(text, length).map((message) => ({ message })) }),
        ),
      ];
    },
  }),
  'gateway/client/ask': (m) => ({
    askOne: async (text) => {
      for (const answer of gatewayAnswers(text))
        await m.askOne(async () => await Promise.resolve(answer), MESSAGE);
    },
  }),
  'gateway/client/doubt': (m) => ({
    isKnownToStatus: none,
    isTimed: none,
    afterDeparture: none,
    enter: (text) => problems(text).map((problem) => m.enter(rowInDoubt(problem), 0)),
    afterResult: (text) =>
      problems(text).map((problem) => m.afterResult(rowInDoubt(problem), { state: 'refused', problem })),
    afterFailure: (text) =>
      problems(text).map((problem) => m.afterFailure(rowInDoubt(problem), { kind: 'refused', problem }, 1)),
    believe: (text) =>
      problems(text).map((problem) => m.believe({ ...rowInDoubt(problem), doubt: 'contested' }, 'none')),
    decide: (text) =>
      problems(text).map((problem) =>
        told(text).map((one) =>
          m.decide(rowInDoubt(problem), 'broken', one, { atSeconds: 120, isLast: true }),
        ),
      ),
  }),
  'gateway/client/progress': (m) => ({
    partOf: none,
    Progress: (text) =>
      problems(text).map((problem) => new m.Progress().learn({ kind: 'refused', problem }, 1, 0)),
  }),
  'gateway/client/response': (m) => ({
    judge: (text) =>
      ['sync', 'async'].map((endpoint) =>
        gatewayAnswers(text).map((answer) => m.judge(endpoint, answer, [MESSAGE])),
      ),
    saysNo: (text) => problems(text).map(m.saysNo),
  }),
  'gateway/client/row': (m) => ({ statusWordsOf: (text) => reports(text).map(m.statusWordsOf) }),
  'gateway/client/send': (m) => ({
    sendOperations: async (text) => {
      for (const answer of gatewayAnswers(text)) {
        const row = { operation: MESSAGE, endpoint: 'sync', state: { is: 'ready' } };
        await m.sendOperations([row], { endpoint: 'sync', pauseMs: 0, recovery: 'status' }, runOf(answer));
      }
    },
  }),
  'gateway/client/status': (m) => ({
    questionSize: none,
    KnownMessages: none,
    askStatuses: async (text) => {
      for (const answer of gatewayAnswers(text)) await m.askStatuses(runOf(answer).transport, [1]);
    },
    reportIn: (text) => reports(text).map((payload) => m.reportIn({ state: 'accepted', payload })),
    askAbout: async (text) => {
      for (const answer of gatewayAnswers(text, 4)) {
        const witnesses = { unused: [3, 4], known: 2 };
        await m.askAbout(runOf(answer).transport, [rowInDoubt({ kind: 'timeout' })], witnesses, {
          atMost: 1,
        });
      }
    },
  }),
  'gateway/client/words': (m) => ({
    isFault: (text) => problems(text).map(m.isFault),
    asksToWait: (text) => problems(text).map(m.asksToWait),
    isTooLarge: (text) => problems(text).map(m.isTooLarge),
    isDuplicateRefusal: (text) => problems(text).map(m.isDuplicateRefusal),
  }),
  'gateway/connector/answer': (m) => ({
    findAnswer: (text) =>
      [
        text,
        `data:${parts(text, 5).join('\n\ndata:')}`,
        JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: text } }),
      ].map((one) => m.findAnswer(one, 1)),
  }),
  'gateway/connector/client': (m) => ({
    ConnectorClient: async (text) => await new m.ConnectorClient(connectorOf(text).transport).call('a', {}),
    askHealth: async (text) => await m.askHealth(scriptedConnector(() => ({ body: text })).transport),
    callFailure: none,
    statusOf: none,
  }),
  'gateway/connector/explain': (m) => ({
    explainConnector: (text) =>
      [...problems(text), ...rpcProblems(text)].map((problem) => m.explainConnector(problem)),
  }),
  'gateway/connector/tools': (m) => ({
    argumentSchemas: (text) => m.argumentSchemas(tool(text)),
    isSending: (text) => m.isSending(tool(text)),
    takesConfirmation: (text) => m.takesConfirmation(tool(text)),
    readToolResult: (text) => toolResults(text).map(m.readToolResult),
    listTools: async (text) =>
      await m.listTools({
        call: async () => ({ ok: true, value: { tools: [tool(text)] } }),
      }),
    callTool: async (text) =>
      await m.callTool({ call: async () => ({ ok: true, value: toolResults(text)[1] }) }, 'a', {}),
  }),
  'gateway/contract/callback': (m) => ({
    replyEntries: (text) => m.replyEntries(repliesOf(text)),
    readReply: (text) => [text, { message: text, media: text }].map(m.readReply),
    replyList: (text) => m.replyList({ ...parts(text, 10) }),
  }),
  'gateway/contract/envelope': (m) => ({
    isNone: m.isNone,
    errorText: (text) => [text, parts(text, 5), { a: text }].map(m.errorText),
    readEnvelope: (text) =>
      [{ success: false, error: text }, { success: true, data: parts(text, 10) }, { success: text }].map(
        m.readEnvelope,
      ),
    typedIdentifier: m.typedIdentifier,
  }),
  'gateway/contract/readers': (m) => ({
    readFlag: m.readFlag,
    placedEntries: (text) => m.placedEntries({ ...parts(text, 10) }),
    readList: (text) => m.readList({ ...parts(text, 10), [text]: 1 }),
  }),
  'gateway/delivery/reports': (m) => ({
    reportsToHook: none,
    reportOfStatus: (text) => reports(text).map(m.reportOfStatus),
    isMessageNumber: m.isMessageNumber,
    classify: (text) => reports(text).map((report) => m.classify(report, text)),
    mayGoOn: (text) => reports(text).map((report) => m.mayGoOn(report, 'viber+sms')),
    meaningOf: (text) => reports(text).map((report) => m.meaningOf(report, text)),
    withReport: (text) => reports(text).map((report) => m.withReport({ id: 1 }, report)),
    withReply: (text) => reports(text).map(m.withReply),
  }),
  'gateway/delivery/statuses': (m) => ({
    canonicalStatus: m.canonicalStatus,
    outcomeOfStatus: (text) => m.outcomeOfStatus(m.canonicalStatus(text)),
  }),
  'gateway/errors/catalogue': (m) => ({
    policyOf: (text) => problems(text).map((problem) => m.policyOf(problem)),
    explain: (text) => problems(text).map((problem) => m.explain(problem)),
    whatCame: m.whatCame,
  }),
  'gateway/errors/classify': (m) => ({
    mayHaveArrived: none,
    classifyTransportError: (text) => errors(text).map(m.classifyTransportError),
  }),
  'gateway/errors/network': (m) => ({
    isLasting: none,
    connectionEntry: (text) => m.connectionEntry({ kind: 'tls', code: text }),
  }),
  'gateway/errors/retry-after': (m) => ({
    isBeyondPatience: none,
    retryAfterSeconds: (text) => m.retryAfterSeconds(text, 0),
  }),
  'gateway/errors/text-entries': (m) => ({ findTextEntry: m.findTextEntry }),
  'gateway/keys/question': (m) => ({
    deriveQuestionKey: none,
    canBeSecret: m.canBeSecret,
    equalSecrets: (text) => m.equalSecrets('a', text),
    questionSecret: none,
  }),
  'gateway/keys/seal': (m) => ({ sealText: none, openSeal: (text) => m.openSeal(KEY, text, 'a') }),
  'gateway/keys/session': (m) => ({
    deriveSessionKey: none,
    sessionIdOf: (text) => m.sessionIdOf(KEY, { identifier: 'id', value: text }),
  }),
  'gateway/text/hosts': (m) => ({
    isInRange: none,
    isLocalHost: behind(['', '[', ...NETWORKS], m.isLocalHost),
    parseIp: behind(NETWORKS, m.parseIp),
    parseIpRange: behind(NETWORKS, m.parseIpRange),
  }),
  'gateway/numbers/allowed-prefixes': (m) => ({
    parsePrefixes: m.parsePrefixes,
  }),
  'gateway/numbers/countries': (m) => ({
    findCountry: m.findCountry,
    countryOf: none,
    nationalNumbers: none,
  }),
  'gateway/numbers/phone': (m) => ({
    parsePhone: (text) => [m.parsePhone(text), ...parts(text, 190).map((part) => m.parsePhone(part))],
  }),
  'gateway/otp/challenge': (m) => ({
    sealChallenge: none,
    openChallenge: (text) => m.openChallenge(OTP_KEYS, text),
    compareCode: (text) => m.compareCode(OTP_KEYS, { challenge: text, phone: text, code: text }, 0),
  }),
  'gateway/otp/code': (m) => ({
    spokenCode: none,
    deriveCode: none,
    typedCode: (text) => m.typedCode(text, 6),
    equalCodes: (text) => m.equalCodes('123456', text),
    calledCode: m.calledCode,
  }),
  'gateway/pages/answer-fields': (m) => ({
    renderAnswers: (text) => m.renderAnswers(FIELDS, { text0: text, textarea0: [text] }),
    renderField: (text) => {
      const sent = submitted(text);
      return FIELDS.map((field, i) => m.renderField(field, i, 'A', sent));
    },
    readAnswers: (text) => m.readAnswers(FIELDS, submitted(text)),
  }),
  'gateway/pages/markup': (m) => ({
    Markup: none,
    markup: (text) => m.markup(['', ''], text),
    visible: m.visible,
    readable: m.readable,
  }),
  'gateway/pages/question-page': (m) => ({
    readableQuestion: (text) => m.readableQuestion(question(text)),
    expiredPage: (text) => m.expiredPage(question(text)),
    refusedPage: (text) => m.refusedPage(question(text)),
    closedPage: (text) => m.closedPage(question(text)),
    questionPage: (text) => m.questionPage(question('A'), 'token', submitted(text)),
    recordedPage: (text) => m.recordedPage(question('A'), text, { text0: text }),
    takenPage: (text) => m.takenPage(question('A'), '1234', text),
  }),
  'gateway/payloads/fields': (m) => ({
    payloadFields: (text) => [text, { [text]: text }, parts(text, 10)].map(m.payloadFields),
  }),
  'gateway/payloads/lists': (m) => ({
    listEntries: (text) => [parts(text, 10), { [text]: parts(text, 10) }].map(m.listEntries),
  }),
  'gateway/payloads/senders': (m) => ({
    readSenders: (text) => [parts(text, 10), { [text]: parts(text, 10) }].map(m.readSenders),
    sendersPayload: (text) => [text, parts(text, 10)].map(m.sendersPayload),
  }),
  'gateway/sms/accents': (m) => ({ withoutAccents: m.withoutAccents }),
  'gateway/sms/segments': (m) => ({
    isInGsm: m.isInGsm,
    measureSms: m.measureSms,
    costlyCharacters: m.costlyCharacters,
  }),
  'gateway/sms/shorten': (m) => ({
    shortenSms: (text) => m.shortenSms(text, ['punctuation', 'transliterate', 'accents']),
  }),
  'gateway/text/characters': (m) => ({
    asciiForms: m.asciiForms,
    beginningOf: (text) => [60, 100_000].map((most) => m.beginningOf(text, most)),
    shortened: (text) => m.shortened(text, 60),
    whyNotWhole: m.whyNotWhole,
    withoutUnseen: m.withoutUnseen,
    isUnseen: m.isUnseen,
    comparedWord: (text) => [text, ...parts(text, 100)].map(m.comparedWord),
  }),
  'gateway/text/json': (m) => ({
    isObject: none,
    fromJson: m.fromJson,
    fromForeignJson: behind(['', 'x', '{"a":1}', '{"a":"'], m.fromForeignJson),
    toShortJson: (text) => [text, parts(text, 10)].map(m.toShortJson),
  }),
  'gateway/text/links': (m) => ({
    whyNotWebLink: behind(LINKS, (text) => m.whyNotWebLink(text)),
    whyNotButtonLink: behind(LINKS, m.whyNotButtonLink),
  }),
  'gateway/text/phrases': (m) => ({
    joined: none,
    capitalised: none,
    counted: none,
    withReason: (text) => m.withReason('It failed', text),
    quote: m.quote,
  }),
  'gateway/text/redact': (m) => ({ keyRedactor: (text) => m.keyRedactor('a-key-of-tests')(text) }),
  'gateway/text/secrets': (m) => ({
    secretMasker: (text) => m.secretMasker(['123456', 'mgseal1_a'])([text, parts(text, 10)]),
  }),
  'gateway/text/url': (m) => ({ toUrl: behind(LINKS, (text) => m.toUrl(text)) }),
  'MessagingGateway/agent/answer': (m) => ({
    answerAgent: async (text) =>
      await m.answerAgent({}, { effect: 'reads' }, async () => [
        { json: { text, ...Object.fromEntries(parts(text, 5).map((one, i) => [i, one])) } },
      ]),
  }),
  'MessagingGateway/approval/reply-words': (m) => ({
    readReplyWords: none,
    decisionOf: (text) =>
      [text, ...parts(text, 6990), ...parts(text, 100)].map((reply) =>
        m.decisionOf(reply, { approve: ['yes'], decline: [] }),
      ),
  }),
  'MessagingGateway/approval/wording': (m) => ({
    withLink: (text) => m.withLink(text, 'https://a.example/1'),
    withoutLink: m.withoutLink,
    messageWording: (text) =>
      m.messageWording(text, 'https://a.example/1', { caption: 'Open', bySms: true, isShortened: false }),
  }),
  'MessagingGateway/methods/connector-tools': (m) => ({
    searchTools: none,
    getToolArguments: none,
    fieldsOf: (text) => m.fieldsOf(tool(text)),
  }),
  'MessagingGatewayTrigger/for-agents': (m) => ({
    agentFields: (text) => m.agentFields(KEY, events(text)[0]),
    hasReply: (text) => m.hasReply(events(text)[0]),
    readSessionKey: none,
  }),
  'n8n/incoming-call': (m) => ({
    loadBody: none,
    readRequestBody: (text) => {
      const request = { rawBody: Buffer.from(text), headers: {} };
      return m.readRequestBody({ getRequestObject: () => request, getBodyData: () => ({ [text]: text }) });
    },
    refuse: none,
    warnOfRefused: none,
  }),
};
