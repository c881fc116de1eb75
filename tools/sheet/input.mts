/** What a user fills in that can't be sent. */
import type { IDataObject } from 'n8n-workflow';

import { senderNamed } from '../../test/support/sends.mts';
import { CONTINUE, options, PHONE, rowsOf, sms, toRows, viber } from './case.mts';
import type { SheetCase, SheetCases } from './case.mts';

const phone = (value: unknown): SheetCase => ({ form: toRows(), input: [{ phone: value } as IDataObject] });
const option = (name: string, value: unknown): SheetCase => ({
  form: sms(options({ [name]: value } as IDataObject)),
});

/** A message of which each row has a text of its own, with limits. */
const limited = (values: IDataObject): SheetCase => ({
  form: toRows({ smsMessage: '={{ $json.name }}', ...options({ limits: { values } }) }),
  input: rowsOf(4),
});

const CARD = {
  rcsSignature: senderNamed('RcsSender'),
  rcsMessage: 'Hi',
  rcsButton: 'Open',
  rcsLink: 'https://example.com',
};
const SLIDE = {
  caption: 'Shoes',
  image: 'https://example.com/a.png',
  url: 'https://example.com',
  button: 'Open',
};
const SMS_STAGE = { channel: 'sms', message: 'Hi', signature: 'TestSender' };
const pipeline = (stages: IDataObject[], more: IDataObject = {}): SheetCase => ({
  form: { resource: 'message', operation: 'sendPipeline', phone: PHONE, pipeline: { stages }, ...more },
});

const NUMBERS: SheetCases = {
  'Number: a missing column': { form: toRows({ phone: '={{ $json.Telefon }}' }), input: rowsOf(1) },
  'Number: without a country': phone('067 123 45 67'),
  'Number: letters': phone('see below'),
  'Number: two in a cell': phone('+380671234501 / 067 123 45 02'),
  'Number: rounded by a sheet': phone('3.80671E+11'),
  'Number: ends in six zeros': phone(447701000000),
  'Number: an error of the sheet': phone('#N/A'),
  'Number: too short, third of four': {
    form: toRows(),
    input: rowsOf(4).map((row, nth) => (nth === 2 ? { ...row, phone: '+44 7700' } : row)),
  },
  'Number: five of six bad, the node goes on': {
    form: toRows({ smsMessage: '={{ $json.name }}' }),
    input: rowsOf(6).map((row, nth) => (nth === 0 ? row : { ...row, phone: 'none' })),
    settings: CONTINUE,
  },
  'Number: not allowed by the credential': { form: sms(), credential: { allowedPrefixes: '380, 48' } },
  'Number: a country that does not exist': option('country', 'Atlantis'),
};

const TEXTS: SheetCases = {
  'Text: a missing column': { form: toRows({ smsMessage: '={{ $json.Text }}' }), input: rowsOf(1) },
  'Text: an object in it': { form: sms({ smsMessage: '=Hello {{ {} }}' }) },
  'Text: an error of the sheet in it': {
    form: toRows({ smsMessage: '=Price {{ $json.price }}' }),
    input: [{ phone: PHONE, price: '#REF!' }],
  },
  'Text: an empty placeholder in it': {
    form: toRows({ smsMessage: '=Hello {{ $json.Name }}' }),
    input: rowsOf(1),
  },
  'Text: an empty placeholder, refused': {
    form: toRows({ smsMessage: '=Hello {{ $json.Nme }}', ...options({ emptyPlaceholders: 'refuse' }) }),
    input: rowsOf(1),
  },
  'Text: an expression that fails': { form: sms({ smsMessage: "={{ $('Nowhere').item.json.text }}" }) },
  'Text: longer than an SMS can be': { form: sms({ smsMessage: 'Long '.repeat(500) }) },
  'Sender: a missing column': {
    form: toRows({ smsSignature: senderNamed('={{ $json.Sender }}') }),
    input: rowsOf(1),
  },
};

const CHANNELS: SheetCases = {
  'Viber: picture without https': {
    form: viber({ viberType: 'image', viberImage: 'example.com/a.png' }),
  },
  'Viber: a long button': {
    form: viber({ viberType: 'text+link', viberButton: 'B'.repeat(60), viberLink: 'https://example.com' }),
  },
  'Viber: a carousel of one slide': {
    form: viber({ viberType: 'carousel', viberCarousel: { slides: [SLIDE] } }),
  },
  'RCS: no picture': {
    form: {
      resource: 'message',
      operation: 'sendRcs',
      phone: PHONE,
      rcsImage: '={{ $json.image }}',
      ...CARD,
    },
  },
  'Channels: Telegram with words': pipeline([{ channel: 'telegram', message: 'Hello' }, SMS_STAGE]),
  'Channels: no sender': pipeline([
    { channel: 'viber', message: 'Hi', signature: '={{ $json.from }}', viberType: 'text' },
    SMS_STAGE,
  ]),
  'Channels: the same twice': pipeline([SMS_STAGE, SMS_STAGE]),
  'Channels: a preferred one that is not there': pipeline(
    [SMS_STAGE],
    options({ preferredChannel: 'viber' }),
  ),
  'Channels: a callback address': pipeline(
    [SMS_STAGE],
    options({ additionalProperties: '{"hook":"https://example.com"}' }),
  ),
  'Template: neither ID nor text': {
    form: { resource: 'smsTemplate', operation: 'delete', template: '={{ $json.text }}' },
  },
};

const OPTIONS: SheetCases = {
  'Message ID: letters': option('messageId', 'order-7'),
  'Message ID: the same in two rows': { form: toRows(options({ messageId: '17' })), input: rowsOf(2) },
  'Batch Size: 0': option('batchSize', 0),
  'Send Mode: queued without an address': {
    form: sms({ delivery: 'queued' }),
    credential: { asyncUrl: '' },
  },
  'Callback URL: not an address': option('hook', 'my workflow'),
  'Callback URL: local': option('hook', 'http://localhost:5678/webhook/x'),
  'Callback to This Workflow: no trigger': option('hookFromTrigger', true),
  'Callback to This Workflow: and a Callback URL': {
    form: sms(options({ hookFromTrigger: true, hook: 'https://example.com/x' })),
  },
  'Callback Fields: no address': option('callbackFields', { values: [{ name: 'order', value: '7' }] }),
  'Additional Properties: a key': option('additionalProperties', '{"auth":"x"}'),
  'Additional Properties: no JSON': option('additionalProperties', '{tag: spring'),
  'Send Once Key: empty': { form: toRows(options({ sendOnceKey: '={{ $json.order }}' })), input: rowsOf(1) },
  'Send Once Key: with a Message ID': {
    form: sms(options({ sendOnceKey: 'order-7', messageId: '7' })),
  },
  'Limits: messages': limited({ maxMessages: 2 }),
  'Limits: parts of one SMS': {
    form: sms({ smsMessage: 'Long text '.repeat(40), ...options({ limits: { values: { maxParts: 1 } } }) }),
  },
  'Limits: parts of a run': limited({ maxTotalParts: 3 }),
  'Repeated Messages: refuse': {
    form: sms(options({ repeatedMessages: 'refuse' })),
    input: rowsOf(3),
  },
  'Stop List: not a list': option('stopList', '={{ $json.list }}'),
  'Stop List: a name in it': option('stopList', '447700900101, Anna'),
  'Send Window: no time': option('sendWindow', { values: { from: '9 o clock', until: '20:00' } }),
  'Send Window: no such time zone': option('sendWindow', {
    values: { from: '09:00', until: '20:00', timeZone: 'Europe/Atlantis' },
  }),
  'Sender by Country: a prefix that is none': option('senderByCountry', {
    rows: [{ prefix: 'UA', sender: '' }],
  }),
  'Wait for Delivery: 0 minutes': {
    form: sms({ waitForDelivery: true, waitAmount: 0, waitUnit: 'minutes' }),
  },
};

const CREDENTIAL: SheetCases = {
  'Credential: an empty key': { form: sms(), credential: { apiKey: '' } },
  'Credential: an address without https': { form: sms(), credential: { baseUrl: 'gateway.example.com' } },
  'Credential: prefixes that are none': { form: sms(), credential: { allowedPrefixes: 'Ukraine' } },
};

export const INPUT_CASES: SheetCases = { ...NUMBERS, ...TEXTS, ...CHANNELS, ...OPTIONS, ...CREDENTIAL };
