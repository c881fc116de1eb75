/** Every operation that is one operation object of the JSON API: its form filled in, and what it sends and gives. */
import type { IDataObject } from 'n8n-workflow';

import { CHANNEL_NAMES } from '../../sandbox/operations/channels.mts';
import { SEND_SHAPES } from '../../sandbox/operations/fields.mts';
import {
  formSenderOf,
  operationNameOf,
  operationOf,
  optionalFields,
  parameterOf,
  stageOf,
  stageParameterOf,
  viberTypesOf,
} from './contract-samples.mts';
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
  /** The fields that each output item has; for an operation that lists, those of the items of the list. */
  output: IDataObject;
}

/** A number and an id from the item, beside other options. */
const toItem = (options: IDataObject = {}): IDataObject => ({
  phone: '={{ $json.phone }}',
  options: grouped({ messageId: '={{ $json.id }}', ...options }),
});

/** A stand-in that any number equals. */
const A_NUMBER = expect.any(Number) as unknown as number;
const MADE = { id: A_NUMBER };
const NOT_THERE = { deleted: false, count: 0 };

/** The parameters that fill in the object of a channel. */
const channelForm = (channel: string, object: IDataObject): IDataObject => {
  const entries = Object.entries(object).map(([name, value]) => [stageParameterOf(channel, name), value]);
  return Object.fromEntries(entries) as IDataObject;
};

/** The parameters that fill in fields of an operation. */
function formOf(fields: IDataObject): IDataObject {
  const forms = Object.entries(fields).map(([name, value]) => {
    if (name === 'voice') return channelForm(name, value as IDataObject);
    if (name === 'viber_carousel') return { viberCarousel: { slides: value } };
    const [channel, part] = name.split('_');
    return { [parameterOf(name)]: part === 'signature' ? formSenderOf(channel) : value };
  });
  return Object.assign({}, ...forms) as IDataObject;
}

/** The form of a Viber part, filled in for a `viber_type`. */
export const viberForm = (viberType: string): IDataObject => {
  const { type: _, id: __, phone: ___, ...fields } = operationOf('viber', viberType) as IDataObject;
  return formOf(fields);
};

const send = (
  operation: string,
  wire: IDataObject,
  form: IDataObject,
  options?: IDataObject,
): OperationCase => ({
  resource: wire.type === 'telegram' ? 'otp' : 'message',
  operation,
  parameters: { ...form, ...toItem(options) },
  wire,
  target: 'id and phone',
  output: { type: wire.type, msg_id: A_NUMBER },
});

/** A send with what its type and its Viber type need, and with some optional fields, which are options of the form. */
function plainSend(type: string, viberType: string, names: string[] = []): OperationCase {
  const { id: _, phone: __, ...wire } = operationOf(type, viberType, names) as IDataObject;
  const { type: ___, ...form } = formOf(wire);
  const options = Object.fromEntries(names.map(parameterOf).map((name) => [name, form[name]]));
  for (const name of Object.keys(options)) delete form[name];
  return send(operationNameOf(type), wire, form, options as IDataObject);
}

/** A pipeline whose stages have senders as the form saves them, or by name alone, as an expression gives them. */
const pipelineOf = (channels: string[], isSaved = false): OperationCase => {
  const objects = channels.map((channel) => [channel, stageOf(channel) as IDataObject] as const);
  const stages = objects.map(([channel, object]) => {
    const sender = isSaved && 'signature' in object && { signature: formSenderOf(channel) };
    return { channel, ...channelForm(channel, object), ...sender };
  });
  const wire = { type: 'pipeline', pipeline: channels, ...Object.fromEntries(objects) };
  return send('sendPipeline', wire, { pipeline: { stages } });
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
  fields: IDataObject,
  output: IDataObject,
  parameters = formOf(fields),
): OperationCase => {
  const [resource, operation] = name.split('/');
  return { resource, operation, parameters, wire: { type, ...fields }, target: 'none', output };
};

const LISTED = { name: 'TestSender', channel: 'sms' };
const SENDERS = { senders: expect.arrayContaining([LISTED]) as unknown as IDataObject[] };

const TEMPLATE = { template: 'Your order is ready' };

/** The form that names a template by its id. */
const TEMPLATE_7 = { templateId: { __rl: true, mode: 'id', value: '7' } };

const WHATSAPP = { signature: 'Any', message: 'Hi' };

export const OPERATION_CASES: OperationCase[] = [
  plain('account/getBalance', 'balance', {}, { amount: A_NUMBER, currency: 'EUR' }),
  plain('account/getSenders', 'sender', {}, SENDERS),
  ...Object.keys(SEND_SHAPES).flatMap((type) => [
    ...viberTypesOf(type).map((viberType) => plainSend(type, viberType)),
    plainSend(type, viberTypesOf(type)[0], optionalFields(type)),
  ]),
  send(
    'sendWhatsApp',
    { type: 'pipeline', pipeline: ['whatsapp'], whatsapp: WHATSAPP },
    { whatsappSignature: 'Any', whatsappMessage: 'Hi' },
  ),
  pipelineOf(CHANNEL_NAMES),
  pipelineOf([...CHANNEL_NAMES].reverse(), true),
  ...CHANNEL_NAMES.map((channel) => pipelineOf([channel])),
  onNumber('number', 'lookup', 'hlr', { status: expect.any(String) as unknown as string }),
  onNumber('otp', 'call', 'call/otp', {
    code: expect.stringMatching(/^\d{4}$/) as unknown as string,
    price: A_NUMBER,
  }),
  plain('smsTemplate/create', 'template/create', { ...TEMPLATE, name: 'Code' }, MADE),
  plain('smsTemplate/delete', 'template/delete', TEMPLATE, NOT_THERE),
  plain('smsTemplate/delete', 'template/delete', { id: '7' }, NOT_THERE, TEMPLATE_7),
  plain('viberTemplate/create', 'template/viber/create', { ...TEMPLATE, signature: 'ViberSender' }, MADE, {
    ...TEMPLATE,
    signature: senderNamed('ViberSender'),
  }),
  plain('viberTemplate/delete', 'template/viber/delete', TEMPLATE, NOT_THERE),
  plain('viberTemplate/delete', 'template/viber/delete', { id: 7, ...TEMPLATE }, NOT_THERE, {
    ...TEMPLATE_7,
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
