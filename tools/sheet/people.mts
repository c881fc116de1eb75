/** Codes, questions to people, the connector and the trigger. */
import type { IDataObject } from 'n8n-workflow';

import { TRIGGER } from '../../test/support/real-n8n.mts';
import { approvalForm } from '../../test/support/approval.mts';
import { sendForm, verifyForm } from '../../test/support/otp.mts';
import { options, PHONE, rowsOf, sms } from './case.mts';
import type { SheetCase, SheetCases, View } from './case.mts';

let numbers = 0;

/** Each case has a number of its own, since one gets a code in half a minute, whichever workflow sends it. */
const code = (over: IDataObject = {}): IDataObject =>
  sendForm({ phone: `4477009002${10 + numbers++}`, ...over });
const verify = (over: IDataObject): SheetCase => ({
  form: { ...verifyForm, challenge: 'x', phone: PHONE, code: '123456', ...over },
});

const CODES: SheetCases = {
  'Code: a second one at once': { form: code(), runs: 2 },
  'Code: a number twice in a run': {
    form: sendForm(),
    input: [...rowsOf(2), ...rowsOf(1)],
  },
  'Code: more than the limit of a number': {
    form: code(options({ cooldown: 0, perNumberLimit: 1 })),
    runs: 2,
  },
  'Code: more than the limit of the workflow': {
    form: sendForm(options({ workflowLimit: 1 })),
    input: rowsOf(2),
  },
  'Code: a text without the code': { form: code({ message: 'Hello' }) },
  'Code: a text of many parts': { form: code({ message: `{code} ${'word '.repeat(200)}` }) },
  'Code: no channel': { form: code({ channels: [] }), shows: 'notification' },
  'Code: a call beside others': { form: code({ channels: ['call', 'sms'] }) },
  'Code: gateway down': {
    form: code(),
    faults: [{ kind: 'status-before', status: 502, sparesStatus: false }],
  },
  'Code: sender not approved': {
    form: code({ smsSignature: { __rl: true, mode: 'name', value: 'NoSuchSender' } }),
  },
  'Code: challenge of a stranger on sending': { form: code(options({ challenge: 'nothing' })) },
  'Verify: a challenge that is none': verify({}),
  'Verify: an empty challenge': verify({ challenge: '={{ $json.challenge }}' }),
  'Verify: an empty code': verify({ code: '={{ $json.code }}' }),
  'Telegram code: words': {
    form: { resource: 'otp', operation: 'sendTelegram', phone: PHONE, message: 'Hello' },
  },
};

const question = (over: IDataObject = {}): SheetCase => ({ form: approvalForm({ phone: PHONE, ...over }) });

const QUESTIONS: SheetCases = {
  'Approval: no text': question({ text: '={{ $json.text }}' }),
  'Approval: a number that is none': question({ phone: 'the boss' }),
  'Approval: no channel': { ...question({ channels: [] }), shows: 'notification' },
  'Approval: sender not approved': question({
    smsSignature: { __rl: true, mode: 'name', value: 'NoSuchSender' },
  }),
  'Approval: a form without fields': question({
    responseType: 'customForm',
    defineForm: 'json',
    jsonOutput: '[]',
  }),
  'Approval: a date that is past': question(
    options({
      limitWaitTime: { values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' } },
    }),
  ),
  'Approval: the same words for both answers': question({
    channels: ['viber'],
    ...options({ approveWords: 'ok', declineWords: 'ok' }),
  }),
  'Approval: gateway down': {
    ...question(),
    faults: [{ kind: 'status-before', status: 502, sparesStatus: false }],
  },
};

const tool = (name: string, over: IDataObject = {}): IDataObject => ({
  resource: 'assistant',
  operation: 'callTool',
  tool: { __rl: true, mode: 'name', value: name },
  ...over,
});

const CONNECTOR: SheetCases = {
  'Connector: no address': { form: tool('balance'), credential: { mcpUrl: '' } },
  'Connector: a wrong path': {
    form: tool('balance'),
    credential: { mcpUrl: 'http://127.0.0.1:{port}/nothing' },
  },
  'Connector: nothing listens': { form: tool('balance'), credential: { mcpUrl: 'http://127.0.0.1:9/mcp' } },
  'Connector: wrong key': { form: tool('balance'), credential: { apiKey: 'another-key' } },
  'Connector: a tool that does not exist': { form: tool('teleport') },
  'Connector: arguments that are none': { form: tool('message_status', { arguments: 'id 7' }) },
  'Connector: arguments that are missing': { form: tool('message_status', { arguments: '{}' }) },
  'Connector: sending without consent': {
    form: tool('send_sms', { arguments: `{"phone":${PHONE},"text":"Hi","sender":"TestSender"}` }),
  },
  'Connector: sending without consent of the gateway': {
    form: tool('send_sms', {
      arguments: `{"phone":${PHONE},"text":"Hi","sender":"TestSender"}`,
      confirm: true,
    }),
    config: { connector: { sendEnabled: false } },
  },
  'Connector: health while it is down': {
    form: { resource: 'assistant', operation: 'getHealth' },
    faults: [{ kind: 'status-before', status: 503, endpoint: 'health' }],
  },
  'Connector: an answer that is lost after a send': {
    form: tool('send_sms', {
      arguments: `{"phone":${PHONE},"text":"Hi","sender":"TestSender"}`,
      confirm: true,
    }),
    faults: [{ kind: 'drop-after', endpoint: 'mcp', after: 2 }],
  },
};

let triggers = 0;

/** A trigger whose event the editor waits for; each has an address of its own, since n8n publishes none twice. */
const trigger = (parameters: IDataObject, shows: View = 'notification'): SheetCase => ({
  form: {},
  shows,
  node: {
    name: 'Messaging Gateway Trigger',
    type: TRIGGER,
    typeVersion: 1.1,
    webhookId: `c1d0f3ac-3a40-4a3e-8b2e-4f6f0f4b7f${10 + triggers++}`,
    parameters,
  },
});

const TRIGGERS: SheetCases = {
  'Trigger: Secret without a value': trigger({ options: { secret: '={{ undefined }}' } }),
  'Trigger: addresses that are none': trigger({ options: { allowedIps: 'my office' } }),
  'Trigger: no Stop Words': trigger({ options: { stopWords: ' , ' } }),
  'Trigger: its panel, not published': trigger({}, 'trigger panel'),
  'Trigger: its panel, not published, dark': { ...trigger({}, 'trigger panel'), isDark: true },
  'Trigger: its panel, published': trigger({}, 'published trigger panel'),
  'Trigger: its panel, published, dark': { ...trigger({}, 'published trigger panel'), isDark: true },
};

const OUTPUTS: SheetCases = {
  'Check Only, three parts': {
    form: sms({ smsMessage: 'Long text '.repeat(40), ...options({ checkOnly: true }) }),
  },
  'Check Only, two of three bad, the node goes on': {
    form: sms({ phone: '={{ $json.phone }}', ...options({ checkOnly: true }) }),
    input: [...rowsOf(1), { phone: 'none' }, { phone: '' }],
    settings: { onError: 'continueRegularOutput' },
  },
  'The same message to one number': { form: sms(), input: rowsOf(5) },
  'The same lookup five times': {
    form: { resource: 'number', operation: 'lookup', phone: PHONE },
    input: rowsOf(5),
  },
  'Send Once Key, a second run': { form: sms(options({ sendOnceKey: 'order-7' })), runs: 2 },
  'On the Stop List': {
    form: sms({ phone: '={{ $json.phone }}', ...options({ stopList: '447700900110' }) }),
    input: rowsOf(2),
  },
};

export const PEOPLE_CASES: SheetCases = { ...CODES, ...QUESTIONS, ...CONNECTOR, ...TRIGGERS, ...OUTPUTS };
