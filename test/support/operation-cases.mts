/** Every operation that is one operation object of the JSON API: its form filled in, and what it sends and gives. */
import type { IDataObject } from 'n8n-workflow';

import { grouped, senderNamed } from './sends.mts';

interface OperationCase {
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

/** A number and an id from the item, beside other options. */
const toItem = (options: unknown = {}): IDataObject => ({
  phone: '={{ $json.phone }}',
  options: grouped({ messageId: '={{ $json.id }}', ...(options as IDataObject) }),
});

const SMS = { smsSignature: senderNamed('TestSender'), smsMessage: 'Ready' };
const IMAGE = 'https://example.com/a.png';
const LINK = 'https://example.com/a';
const RCS = {
  rcsSignature: senderNamed('RcsSender'),
  rcsMessage: 'Hi',
  rcsImage: IMAGE,
  rcsButton: 'Open',
  rcsLink: LINK,
};
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

type ViberKind = keyof typeof TEXTS;
const VIBER_KINDS = Object.keys(TEXTS) as ViberKind[];
const ALL_BUT_CAROUSEL = VIBER_KINDS.filter((kind) => kind !== 'carousel');

/** The form of a Viber part, filled in for a `viber_type`. */
export const viberForm = (kind: ViberKind): IDataObject => ({
  viberSignature: senderNamed('ViberSender'),
  viberType: kind,
  ...TEXTS[kind],
});

/** The value of a wire field: what a resource locator holds, the slides of a carousel, texts without blanks around them. */
function wireValue(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  const { value: located, slides } = Object(value) as IDataObject;
  return located ?? slides ?? value;
}

/** Parameters and options as wire fields, whose names in camelCase the parameters have. */
function wireOf({ options, ...form }: IDataObject): IDataObject {
  const { additionalProperties = '{}', ...fields } = { ...form, ...(options as IDataObject | undefined) };
  const entries = Object.entries(fields).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    wireValue(value),
  ]);
  const more = JSON.parse(String(additionalProperties)) as IDataObject;
  return { ...(Object.fromEntries(entries) as IDataObject), ...more };
}

const message = (operation: string, type: string, form: IDataObject, wire = wireOf(form)): OperationCase => ({
  resource: 'message',
  operation,
  parameters: { ...form, ...toItem(form.options) },
  wire: { type, ...wire },
  target: 'id and phone',
  output: { type, ...SENT },
});

const viberCases = (operation: string, type: string, kinds: ViberKind[], more: IDataObject = {}) =>
  kinds.map((kind) => message(operation, type, { ...more, ...viberForm(kind) }));

const COMMON_OPTIONS = { hook: 'https://example.com/hook', shortLink: true };
const VOICE = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A' };

const STAGES: IDataObject[] = [
  { channel: 'voice', ...VOICE, message: 'Code 1 2 3 4' },
  { channel: 'telegram', message: '482913' },
  { channel: 'viber', message: 'Hi', signature: 'ViberSender', viberType: 'text' },
  { channel: 'rcs', message: 'Hi', signature: 'RcsSender' },
  // As the form saves it; the others are plain text, as an expression gives it.
  { channel: 'sms', message: 'Hi', signature: senderNamed('TestSender') },
  { channel: 'whatsapp', message: 'Hi', signature: 'Any' },
];

/** A stage as the object of its channel, whose fields don't name the channel. */
const stageOf = ({ channel, ...fields }: IDataObject): IDataObject => {
  const entries = Object.entries(fields).map(([name, value]) => [
    name.replace(/^(?:viber|voice)([A-Z])/, (_, letter: string) => letter.toLowerCase()),
    wireValue(value),
  ]);
  return { [String(channel)]: Object.fromEntries(entries) as IDataObject };
};

const pipelineOf = (stages: IDataObject[]): OperationCase => {
  const pipeline = stages.map(({ channel }) => channel as string);
  const wire = Object.assign({ pipeline }, ...stages.map(stageOf)) as IDataObject;
  return message('sendPipeline', 'pipeline', { pipeline: { stages } }, wire);
};

const onNumber = (resource: string, operation: string, type: string, output: IDataObject): OperationCase => ({
  resource,
  operation,
  parameters: toItem(),
  wire: { type },
  target: 'id and phone',
  output: { type, ...output },
});

/** An operation that is about the account, by `resource/operation`. */
const plain = (
  name: string,
  type: string,
  parameters: IDataObject,
  output: IDataObject,
  wire = wireOf(parameters),
): OperationCase => {
  const [resource, operation] = name.split('/');
  return { resource, operation, parameters, wire: { type, ...wire }, target: 'none', output };
};

const LISTED = { name: 'TestSender', channel: 'sms' };
const SENDERS = { senders: expect.arrayContaining([LISTED]) as unknown as IDataObject[] };

const TEMPLATE = { template: 'Your code is %w{1,8}' };
const VIBER_TEMPLATE = { ...TEMPLATE, signature: senderNamed('ViberSender') };

/** The form that names a template by its id. */
const TEMPLATE_7 = { templateId: { __rl: true, mode: 'id', value: '7' } };

export const OPERATION_CASES: OperationCase[] = [
  plain('account/getBalance', 'balance', {}, { amount: A_NUMBER, currency: 'EUR' }),
  plain('account/getSenders', 'sender', {}, SENDERS),
  message('sendSms', 'sms', SMS),
  message('sendSms', 'sms', {
    ...SMS,
    options: {
      ...COMMON_OPTIONS,
      smsLifetime: 3600,
      unsubscribeLink: false,
      additionalProperties: '{"tag":"a"}',
    },
  }),
  ...viberCases('sendViber', 'viber', VIBER_KINDS),
  message('sendViber', 'viber', { ...viberForm('text'), options: { ...COMMON_OPTIONS, viberLifetime: 60 } }),
  ...viberCases('sendViberSms', 'viber+sms', ALL_BUT_CAROUSEL, SMS),
  message('sendRcs', 'rcs', RCS),
  message('sendRcs', 'rcs', { ...RCS, options: { ...COMMON_OPTIONS, rcsLifetime: 60 } }),
  message('sendRcsSms', 'rcs+sms', { ...RCS, ...SMS }),
  ...viberCases('sendRcsViberSms', 'rcs+viber+sms', VIBER_KINDS, { ...RCS, ...SMS }),
  message(
    'sendVoice',
    'voice',
    { message: 'Press 1', ...VOICE, dtmf: true },
    { message: 'Press 1', voice: { gender: 'male', language: 'en-US', name: 'en-US-A' }, dtmf: true },
  ),
  message(
    'sendWhatsApp',
    'pipeline',
    { whatsappSignature: 'Any', whatsappMessage: 'Hi' },
    { pipeline: ['whatsapp'], whatsapp: { signature: 'Any', message: 'Hi' } },
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
    ...message('sendTelegram', 'telegram', {
      message: '482913',
      options: { telegramLifetime: 60, hook: COMMON_OPTIONS.hook },
    }),
    resource: 'otp',
  },
  plain('smsTemplate/create', 'template/create', { ...TEMPLATE, name: 'Code' }, MADE),
  plain('smsTemplate/delete', 'template/delete', TEMPLATE, NOT_THERE),
  plain('smsTemplate/delete', 'template/delete', TEMPLATE_7, NOT_THERE, { id: '7' }),
  plain('viberTemplate/create', 'template/viber/create', VIBER_TEMPLATE, MADE),
  plain('viberTemplate/delete', 'template/viber/delete', TEMPLATE, NOT_THERE),
  plain('viberTemplate/delete', 'template/viber/delete', { ...TEMPLATE_7, ...TEMPLATE }, NOT_THERE, {
    id: 7,
    ...TEMPLATE,
  }),
];

/** Filled-in forms by their operations, for `it.each`: those of the cases that pass, and others. */
export const namedForms = (passes: (one: OperationCase) => boolean, ...others: IDataObject[]) => {
  const forms = OPERATION_CASES.filter(passes).map(
    ({ resource, operation, parameters }): IDataObject => ({ resource, operation, ...parameters }),
  );
  return [...forms, ...others].map((form) => [`${form.resource} / ${form.operation}`, form] as const);
};
