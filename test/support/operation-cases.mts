/** Every operation that is one operation object of the JSON API: its form filled in, and what it sends and gives. */
import type { IDataObject } from 'n8n-workflow';

import { senderNamed } from './sends.mts';

export interface OperationCase {
  resource: string;
  operation: string;
  /** The form, besides resource and operation. */
  parameters: IDataObject;
  /** The operation object of the first item, without `id` and `phone` where `target` has them. */
  wire: IDataObject;
  /** Which fields come from the item: `{{ $json.id }}` and `{{ $json.phone }}`. */
  target: 'id and phone' | 'id' | 'none';
  /** What each output item holds; the items of a list for operations that list. */
  output: IDataObject;
}

const PHONE = '={{ $json.phone }}';
const ID = '={{ $json.id }}';
const TO = { phone: PHONE, messageId: ID };

const SMS = { smsSignature: senderNamed('TestSender'), smsMessage: 'Ready' };
const SMS_WIRE = { sms_signature: 'TestSender', sms_message: 'Ready' };
const IMAGE = 'https://example.com/a.png';
const LINK = 'https://example.com/a';
const RCS = {
  rcsSignature: senderNamed('RcsSender'),
  rcsMessage: 'Hi',
  rcsImage: IMAGE,
  rcsButton: 'Open',
  rcsLink: LINK,
};
const RCS_WIRE = {
  rcs_signature: 'RcsSender',
  rcs_message: 'Hi',
  rcs_image: IMAGE,
  rcs_button: 'Open',
  rcs_link: LINK,
};
const VIBER = { viberSignature: senderNamed('ViberSender') };
const VIBER_WIRE = { viber_signature: 'ViberSender' };
/** What jest takes for any number. */
const A_NUMBER = expect.any(Number) as unknown as number;
const SENT = { msg_id: A_NUMBER };
const MADE = { id: A_NUMBER };
const NOT_THERE = { deleted: false, count: 0 };

const SLIDE = { caption: 'Shoes', image: IMAGE, url: LINK, button: 'Open' };
const SLIDE_WITH_TWO = { ...SLIDE, url2: `${LINK}/2`, button2: 'More' };

const TEXTS = {
  text: { viberMessage: 'Hello' },
  image: { viberImage: IMAGE },
  // A link with the blanks that were pasted around it.
  'text+link': { viberMessage: 'Hello', viberButton: 'Open', viberLink: ` ${LINK}\n` },
  'text+image+link': { viberMessage: 'Hello', viberImage: IMAGE, viberButton: 'Open', viberLink: LINK },
  carousel: { viberMessage: 'Hello', viberCarousel: { slides: [SLIDE, SLIDE_WITH_TWO] } },
};
const TEXTS_WIRE = {
  text: { viber_message: 'Hello' },
  image: { viber_image: IMAGE },
  'text+link': { viber_message: 'Hello', viber_button: 'Open', viber_link: LINK },
  'text+image+link': { viber_message: 'Hello', viber_image: IMAGE, viber_button: 'Open', viber_link: LINK },
  carousel: { viber_message: 'Hello', viber_carousel: [SLIDE, SLIDE_WITH_TWO] },
};

export type ViberKind = keyof typeof TEXTS;
export const VIBER_KINDS = Object.keys(TEXTS) as ViberKind[];

/** The form of a Viber part, filled in for a `viber_type`. */
export const viberForm = (kind: ViberKind): IDataObject => ({ ...VIBER, viberType: kind, ...TEXTS[kind] });
const viberWire = (kind: ViberKind): IDataObject => ({
  ...VIBER_WIRE,
  viber_type: kind,
  ...TEXTS_WIRE[kind],
});

const message = (
  operation: string,
  type: string,
  parameters: IDataObject,
  wire: IDataObject,
): OperationCase => ({
  resource: 'message',
  operation,
  parameters: { ...TO, ...parameters },
  wire: { type, ...wire },
  target: 'id and phone',
  output: { type, ...SENT },
});

const viberCases = (
  operation: string,
  type: string,
  kinds: ViberKind[],
  more: IDataObject,
  moreWire: IDataObject,
) =>
  kinds.map((kind) =>
    message(operation, type, { ...more, ...viberForm(kind) }, { ...moreWire, ...viberWire(kind) }),
  );

const COMMON_OPTIONS = { hook: 'https://example.com/hook', shortLink: true };
const COMMON_OPTIONS_WIRE = { hook: 'https://example.com/hook', short_link: true };

const STAGES: Array<[stage: IDataObject, wire: IDataObject]> = [
  [
    {
      channel: 'voice',
      voiceGender: 'male',
      voiceLanguage: 'en-US',
      voiceName: 'en-US-A',
      message: 'Code 1 2 3 4',
    },
    { voice: { gender: 'male', language: 'en-US', name: 'en-US-A', message: 'Code 1 2 3 4' } },
  ],
  [{ channel: 'telegram', message: '482913' }, { telegram: { message: '482913' } }],
  [
    { channel: 'viber', message: 'Hi', signature: 'ViberSender', viberType: 'text' },
    { viber: { message: 'Hi', signature: 'ViberSender', type: 'text' } },
  ],
  [
    { channel: 'rcs', message: 'Hi', signature: 'RcsSender' },
    { rcs: { message: 'Hi', signature: 'RcsSender' } },
  ],
  [
    // As the form of today saves it; the others are plain text, as in workflows of 0.1.0.
    { channel: 'sms', message: 'Hi', signature: senderNamed('TestSender') },
    { sms: { message: 'Hi', signature: 'TestSender' } },
  ],
  [
    { channel: 'whatsapp', message: 'Hi', signature: 'Any' },
    { whatsapp: { message: 'Hi', signature: 'Any' } },
  ],
];

const pipelineOf = (stages: typeof STAGES): OperationCase =>
  message(
    'sendPipeline',
    'pipeline',
    { pipeline: { stages: stages.map(([stage]) => stage) } },
    {
      pipeline: stages.map(([{ channel }]) => channel),
      ...Object.assign({}, ...stages.map(([, wire]) => wire)),
    },
  );

const onNumber = (resource: string, operation: string, type: string, output: IDataObject): OperationCase => ({
  resource,
  operation,
  parameters: TO,
  wire: { type },
  target: 'id and phone',
  output: { type, ...output },
});

const plain = (
  resource: string,
  operation: string,
  type: string,
  parameters: IDataObject,
  wire: IDataObject,
  output: IDataObject,
): OperationCase => ({ resource, operation, parameters, wire: { type, ...wire }, target: 'none', output });

const TEMPLATE = { template: 'Your code is %w{1,8}' };
const NEW_TEMPLATE = { ...TEMPLATE, name: 'Code' };

/** The form that names a template by its id. */
const TEMPLATE_7 = { templateId: { __rl: true, mode: 'id', value: '7' } };

export const OPERATION_CASES: OperationCase[] = [
  plain('account', 'getBalance', 'balance', {}, {}, { amount: A_NUMBER, currency: 'EUR' }),
  plain(
    'account',
    'getSenders',
    'sender',
    {},
    {},
    {
      senders: expect.arrayContaining([{ name: 'TestSender', channel: 'sms' }]) as unknown as IDataObject[],
    },
  ),
  message('sendSms', 'sms', SMS, SMS_WIRE),
  message(
    'sendSms',
    'sms',
    {
      ...SMS,
      options: {
        ...COMMON_OPTIONS,
        smsLifetime: 3600,
        unsubscribeLink: false,
        additionalProperties: '{"tag":"a"}',
      },
    },
    { ...SMS_WIRE, ...COMMON_OPTIONS_WIRE, sms_lifetime: 3600, unsubscribe_link: false, tag: 'a' },
  ),
  ...viberCases('sendViber', 'viber', VIBER_KINDS, {}, {}),
  message(
    'sendViber',
    'viber',
    { ...viberForm('text'), options: { ...COMMON_OPTIONS, viberLifetime: 60 } },
    { ...viberWire('text'), ...COMMON_OPTIONS_WIRE, viber_lifetime: 60 },
  ),
  ...viberCases(
    'sendViberSms',
    'viber+sms',
    VIBER_KINDS.filter((kind) => kind !== 'carousel'),
    SMS,
    SMS_WIRE,
  ),
  message('sendRcs', 'rcs', RCS, RCS_WIRE),
  message(
    'sendRcs',
    'rcs',
    { ...RCS, options: { ...COMMON_OPTIONS, rcsLifetime: 60 } },
    { ...RCS_WIRE, ...COMMON_OPTIONS_WIRE, rcs_lifetime: 60 },
  ),
  message('sendRcsSms', 'rcs+sms', { ...RCS, ...SMS }, { ...RCS_WIRE, ...SMS_WIRE }),
  ...viberCases(
    'sendRcsViberSms',
    'rcs+viber+sms',
    VIBER_KINDS,
    { ...RCS, ...SMS },
    { ...RCS_WIRE, ...SMS_WIRE },
  ),
  message(
    'sendVoice',
    'voice',
    { message: 'Press 1', voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A', dtmf: true },
    { message: 'Press 1', voice: { gender: 'male', language: 'en-US', name: 'en-US-A' }, dtmf: true },
  ),
  pipelineOf(STAGES),
  pipelineOf([...STAGES].reverse()),
  ...STAGES.map((stage) => pipelineOf([stage])),
  onNumber('number', 'lookup', 'hlr', { status: expect.any(String) as unknown as string }),
  onNumber('otp', 'call', 'call/otp', {
    code: expect.stringMatching(/^\d{4}$/) as unknown as string,
    price: A_NUMBER,
  }),
  {
    resource: 'otp',
    operation: 'sendTelegram',
    parameters: { ...TO, message: '482913', options: { telegramLifetime: 60, hook: COMMON_OPTIONS.hook } },
    wire: { type: 'telegram', message: '482913', telegram_lifetime: 60, hook: COMMON_OPTIONS.hook },
    target: 'id and phone',
    output: { type: 'telegram', ...SENT },
  },
  plain('smsTemplate', 'create', 'template/create', NEW_TEMPLATE, NEW_TEMPLATE, MADE),
  plain('smsTemplate', 'delete', 'template/delete', TEMPLATE, TEMPLATE, NOT_THERE),
  plain('smsTemplate', 'delete', 'template/delete', TEMPLATE_7, { id: '7' }, NOT_THERE),
  plain(
    'viberTemplate',
    'create',
    'template/viber/create',
    { ...TEMPLATE, signature: senderNamed('ViberSender') },
    { ...TEMPLATE, signature: 'ViberSender' },
    MADE,
  ),
  plain('viberTemplate', 'delete', 'template/viber/delete', TEMPLATE, TEMPLATE, NOT_THERE),
  plain(
    'viberTemplate',
    'delete',
    'template/viber/delete',
    { ...TEMPLATE_7, ...TEMPLATE },
    { id: 7, ...TEMPLATE },
    NOT_THERE,
  ),
];
