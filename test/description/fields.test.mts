import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CHANNEL_NAMES, CHANNELS } from '../../sandbox/operations/channels.mts';
import { REQUIRED_BY_VIBER_TYPE, SEND_SHAPES } from '../../sandbox/operations/fields.mts';
import {
  operationNameOf,
  optionalFields,
  parameterOf,
  requiredFields,
  stageParameterOf,
  viberTypesOf,
  wordsOf,
} from '../support/contract-samples.mts';
import { actionNode } from '../support/node-types.mts';
import type { ShownField } from '../support/form.mts';
import { GROUPS } from '../support/sends.mts';
import { optionNames, shownEntryFields, shownFields } from '../support/form.mts';

/**
 * What the form must show: fields of the contract by the sandbox's reading of it, all else by hand from design.md, and nothing from
 * the code, so that a misreading of the contract in the code shows up here.
 */
const ALWAYS = ['resource', 'operation'];
/** The options of a group. */
const inGroup = (group: keyof typeof GROUPS) => GROUPS[group].map((name) => `${group}.${name}`);
const SETTINGS = ['additionalProperties', ...inGroup('speed')];
const SENDING = ['checkOnly'];
/** Of every operation that takes a number. */
const NUMBER = ['country'];

const VOICE = Object.keys(CHANNELS.voice.stage.fields).map((field) => stageParameterOf('voice', field));
/** The parameters that fill in some fields of an operation; the id is an option. */
const parametersOf = (fields: string[]) =>
  fields
    .filter((field) => field !== 'id')
    .flatMap((field) => (field === 'voice' ? VOICE : [parameterOf(field)]));

interface Expected {
  required: string[];
  optional: string[];
  options: string[];
}

const sends = (required: string[], options: string[] = []): Expected => ({
  required,
  optional: ['options'],
  options: [...options, ...SETTINGS, ...SENDING, ...NUMBER, 'delivery', 'messageId'],
});
/** Sends whose result comes with the answer alone, so that they can't be queued. */
const onlyAtOnce = (required: string[]): Expected => {
  const { options, ...expected } = sends(required);
  return { ...expected, options: options.filter((name) => name !== 'delivery') };
};
/** What its group shows with the callback URL, which takes the place of the trigger's. */
const DELIVERY_REPORT = inGroup('deliveryReport');
/** A send of a wire type, whose status comes to its `hook` where it has one. */
const sendsType = (type: string): Expected => {
  const optional = optionalFields(type);
  const hasHook = optional.includes('hook');
  const options = parametersOf(optional).map((name) => (name === 'hook' ? DELIVERY_REPORT : [name]));
  const expected = sends(parametersOf(requiredFields(type, '')), options.flat());
  return { ...expected, optional: ['options', hasHook ? 'waitForDelivery' : 'cannotWait'] };
};
const asks = (required: string[] = [], optional: string[] = []): Expected => ({
  required,
  optional: ['options', ...optional],
  options: SETTINGS,
});
/** What concerns the account as a whole: no batches. */
const asksOnce = (optional: string[] = []): Expected => ({
  ...asks([], optional),
  options: ['additionalProperties', 'timeout'],
});

const asksConnector = (...fields: Parameters<typeof asks>): Expected => ({
  ...asks(...fields),
  options: ['timeout'],
});

const EXPECTED: Record<string, Record<string, Expected>> = {
  account: { getBalance: asksOnce(), getSenders: asksOnce() },
  assistant: {
    getHealth: asksConnector(),
    listTools: asksConnector(),
    callTool: asksConnector(['tool'], ['specifyArguments', 'arguments', 'confirm']),
  },
  message: {
    sendWhatsApp: sends(['phone', 'whatsappSignature', 'whatsappMessage'], ['hook']),
    sendPipeline: sends(['phone', 'pipeline'], ['hook']),
    getStatus: asks(['messageId']),
  },
  number: {
    lookup: { ...asks(['phone']), options: [...SETTINGS, ...NUMBER, 'messageId'] },
    check: { required: ['phone'], optional: ['options'], options: ['sendWindow', ...NUMBER] },
  },
  approval: {
    sendAndWait: {
      required: ['phone', 'channels', 'smsSignature', 'text'],
      optional: ['responseType', 'approvalOptions', 'limitNotice', 'options'],
      options: [
        ...['limitWaitTime', 'pageTexts', 'responseFormDescription', 'responseFormTitle'],
        ...['replyWords', 'shortLink', 'smsLifetime', 'checkOnly', ...NUMBER],
      ],
    },
  },
  otp: {
    call: onlyAtOnce(['phone']),
    send: {
      required: ['phone', 'channels', 'message', 'smsSignature'],
      optional: ['codeLength', 'expiresIn', 'options'],
      options: [
        ...[
          'challenge',
          'cooldown',
          'senders.senderByCountry',
          'perNumberLimit',
          'purpose',
          'workflowLimit',
          ...SENDING,
          ...NUMBER,
        ],
        ...SETTINGS.filter((name) => name !== 'additionalProperties'),
      ],
    },
    verify: {
      required: ['challenge', 'phone', 'code'],
      optional: ['options'],
      options: ['maxAttempts', 'maxAttemptsPerNumber', 'purpose', ...NUMBER],
    },
  },
  smsTemplate: {
    create: asks(['template'], ['name']),
    delete: asks([], ['templateId', 'template']),
    getAll: asksOnce(['returnAll', 'limit']),
  },
  viberTemplate: {
    create: asks(['template'], ['signature']),
    delete: asks([], ['templateId', 'template']),
    getAll: asksOnce(['returnAll', 'limit']),
  },
};

for (const operation of ['sendWhatsApp', 'sendPipeline'])
  EXPECTED.message[operation].optional.push('cannotWait');
for (const type of Object.keys(SEND_SHAPES)) {
  const resource = type === 'telegram' ? 'otp' : 'message';
  EXPECTED[resource][operationNameOf(type)] = sendsType(type);
}

/** The messages of which the contract doesn't say that `status` knows them: those can't have a key. */
const UNKNOWN_TO_STATUS = ['sendPipeline', 'sendWhatsApp'];

// Options of all messages.
for (const [operation, { required, options }] of Object.entries(EXPECTED.message)) {
  if (operation === 'getStatus') continue;
  options.push(
    'emptyPlaceholders',
    'includeInputFields',
    'limits',
    'stopList',
    'sendWindow',
    ...(required.some((name) => /Signature$|^pipeline$/.test(name)) ? ['senders.senderByCountry'] : []),
    ...(operation === 'sendPipeline' ? ['preferredChannel'] : []),
    'avoidDoubles.repeatedMessages',
  );
  options.push(...(UNKNOWN_TO_STATUS.includes(operation) ? [] : ['avoidDoubles.sendOnceKey']));
  if (/Sms$|Pipeline$/.test(operation)) options.push('shortenSms');
}

/** The values of `viberType` by operation, for each that has a Viber message. */
const VIBER_TYPES: Record<string, string[]> = Object.fromEntries(
  Object.keys(SEND_SHAPES).map((type) => [operationNameOf(type), viberTypesOf(type)]),
);

const cases = Object.entries(EXPECTED).flatMap(([resource, operations]) =>
  Object.entries(operations).flatMap(([operation, expected]) => {
    const contents = (viberType: string) => parametersOf([...(REQUIRED_BY_VIBER_TYPE[viberType] ?? [])]);
    return (VIBER_TYPES[operation] ?? ['']).map((viberType) => ({
      resource,
      operation,
      viberType,
      expected: { ...expected, required: [...expected.required, ...contents(viberType)] },
    }));
  }),
);

const { description, methods } = actionNode();

const byName = (fields: ShownField[], required?: boolean) =>
  fields
    .filter((field) => required === undefined || field.required === required)
    .map(({ name }) => name)
    .sort();
const valuesOf = (fields: ShownField[], name: string) =>
  (fields.find((field) => field.name === name)?.property.options ?? []).map((option) =>
    String((option as { value: unknown }).value),
  );

describe('the form of the action node', () => {
  it("begins each resource with the operation that saved workflows mean, which don't name it", () => {
    const usual = (resource: string) =>
      shownFields(description, { resource }).find(({ name }) => name === 'operation')?.property.default;
    expect(Object.fromEntries(Object.keys(EXPECTED).map((resource) => [resource, usual(resource)]))).toEqual({
      account: 'getBalance',
      approval: 'sendAndWait',
      assistant: 'callTool',
      message: 'sendSms',
      number: 'lookup',
      otp: 'send',
      smsTemplate: 'create',
      viberTemplate: 'create',
    });
  });

  it('offers exactly the resources and operations of the design', () => {
    const offered = cases.map(({ resource, operation }) => `${resource}/${operation}`);
    const values = (name: string, parameters: INodeParameters) =>
      valuesOf(shownFields(description, parameters), name);
    const found = values('resource', {}).flatMap((resource) =>
      values('operation', { resource }).map((operation) => `${resource}/${operation}`),
    );
    expect(found.sort()).toEqual([...new Set(offered)].sort());
  });

  it.each(cases)('shows the fields of $resource $operation $viberType', (one) => {
    const { resource, operation, viberType, expected } = one;
    const parameters = { resource, operation, ...(viberType !== '' && { viberType }) };
    const shown = shownFields(description, parameters);
    // Nobody is asked for what an agent fills in.
    const fields = shown.filter(({ name, property }) => !ALWAYS.includes(name) && property.type !== 'hidden');
    expect(byName(fields, true)).toEqual([...expected.required].sort());
    expect(byName(fields, false)).toEqual([...expected.optional].sort());
    expect(optionNames(fields).sort()).toEqual([...expected.options].sort());
  });

  it.each(Object.entries(SEND_SHAPES))(
    'offers the words of the contract for each choice of %s',
    (type, shape) => {
      const resource = type === 'telegram' ? 'otp' : 'message';
      const fields = shownFields(description, { resource, operation: operationNameOf(type) });
      const options = fields.find(({ name }) => name === 'options')?.property.options ?? [];
      const properties = [...fields.map(({ property }) => property), ...(options as INodeProperties[])];
      const offered = (parameter: string) => {
        const choice = properties.find(({ name, type }) => name === parameter && type === 'options');
        return (choice?.options ?? []).map((option) => (option as { value: unknown }).value).sort();
      };
      for (const [name, check] of Object.entries(shape.fields)) {
        const words = name === 'viber_type' ? viberTypesOf(type) : wordsOf(check);
        expect([name, offered(parameterOf(name))]).toEqual([name, words.sort()]);
      }
      if (type !== 'voice') return;
      for (const [name, check] of Object.entries(CHANNELS.voice.stage.fields))
        expect([name, offered(stageParameterOf('voice', name))]).toEqual([name, wordsOf(check).sort()]);
    },
  );

  it('begins Viber, then SMS with a text, which is what most people send', () => {
    const fields = shownFields(description, { resource: 'message', operation: 'sendViberSms' });
    expect(valuesOf(fields, 'viberType')[0]).toBe('text');
    expect(byName(fields)).toContain('viberMessage');
    expect(byName(fields)).not.toContain('viberImage');
  });

  it('asks for lists only by methods that it has', () => {
    const lists = JSON.stringify(description.properties).matchAll(/"(\w+)Method":"(\w+)"/g);
    const kinds: Record<string, string> = { searchList: 'listSearch', resourceMapper: 'resourceMapping' };
    const named = [...lists].map(([, kind, name]) => [kinds[kind], name]);
    expect(named.length).toBeGreaterThan(5);
    const all = Object.entries({ ...methods }).flatMap(([kind, own]) =>
      Object.keys(own ?? {}).map((name) => [kind, name]),
    );
    expect(all).toEqual(expect.arrayContaining(named));
  });
});

describe('the channels of a one-time password', () => {
  /** The parameters of each channel: Telegram gets the code alone, and Viber the code as text. */
  const OWN: Record<string, string[]> = { call: [] };
  for (const [channel, { stage }] of Object.entries(CHANNELS)) {
    const own = Object.keys(stage.fields).filter((field) => field !== 'message' && field !== 'type');
    OWN[channel] = [
      ...(channel === 'telegram' ? [] : ['message']),
      ...own.map((field) => parameterOf(`${channel}_${field}`)),
      'codeLength',
    ];
  }
  const COMMON = ['resource', 'operation', 'phone', 'channels', 'expiresIn', 'options'];
  const shown = (channels: string[]) =>
    byName(shownFields(description, { resource: 'otp', operation: 'send', channels })).filter(
      (name) => !COMMON.includes(name),
    );

  it('the form offers these and no others', () => {
    const form = shownFields(description, { resource: 'otp', operation: 'send' });
    expect(valuesOf(form, 'channels').sort()).toEqual(Object.keys(OWN).sort());
  });

  it.each(Object.entries(OWN))('%s shows the fields that it needs, beside others too', (channel, names) => {
    expect(shown([channel])).toEqual([...names].sort());
    expect(shown([channel, 'rcs'])).toEqual([...new Set([...names, ...OWN.rcs])].sort());
  });
});

describe('the stages of a pipeline', () => {
  const pipeline = description.properties.find(({ name }) => name === 'pipeline');

  it('offers each channel and can be sorted', () => {
    expect(pipeline?.typeOptions).toMatchObject({ multipleValues: true, sortable: true });
    const channels = valuesOf(shownEntryFields(pipeline!, 'stages', { channel: 'sms' }), 'channel');
    expect(channels.sort()).toEqual([...CHANNEL_NAMES].sort());
  });

  it.each(CHANNEL_NAMES)('%s shows its own fields', (channel) => {
    const fields = shownEntryFields(pipeline!, 'stages', { channel }).slice(1);
    const { stage, tolerated = {} } = CHANNELS[channel];
    const names = (of: object) => Object.keys(of).map((field) => stageParameterOf(channel, field));
    // A Viber stage is text, so nobody is asked for its type.
    expect(byName(fields, true)).toEqual(
      names(stage.fields)
        .filter((name) => name !== 'viberType')
        .sort(),
    );
    expect(byName(fields, false)).toEqual(names(tolerated).sort());
  });
});

describe('what is chosen in an approval', () => {
  const ASK = { resource: 'approval', operation: 'sendAndWait' };
  const SUBMIT = 'responseFormButtonLabel';
  const usual = shownFields(description, ASK);
  const added = (names: string[], before: string[]) => names.filter((name) => !before.includes(name)).sort();

  it.each<[form: INodeParameters, fields: string[], options: string[]]>([
    [
      { channels: ['viber', 'whatsapp'] },
      ['viberSignature', 'whatsappSignature'],
      ['messageButtonLabel', 'viberLifetime'],
    ],
    [{ responseType: 'freeText' }, [], [SUBMIT]],
    [{ responseType: 'customForm' }, ['defineForm', 'formFields'], [SUBMIT]],
    [{ responseType: 'customForm', defineForm: 'json' }, ['defineForm', 'jsonOutput'], [SUBMIT]],
  ])('adds its fields and options: %j', (form, fields, options) => {
    const shown = shownFields(description, { ...ASK, ...form });
    expect(added(byName(shown), byName(usual))).toEqual(fields);
    expect(added(optionNames(shown), optionNames(usual))).toEqual(options);
    const gone = form.channels ? ['smsSignature'] : ['approvalOptions'];
    expect(byName(shown)).not.toEqual(expect.arrayContaining(gone));
  });

  it.each(['', 'HitlTool'])('says that it waits for ever until a limit is added (type %s)', (type) => {
    const shown = (options: INodeParameters) =>
      byName(shownFields({ ...description, name: description.name + type }, { ...ASK, options }));
    expect(shown({})).toContain('limitNotice');
    expect(shown({ limitWaitTime: { values: { resumeAmount: 45 } } })).not.toContain('limitNotice');
  });

  it('can leave the text of a human review to the message that n8n adds', () => {
    const review = { ...description, name: `${description.name}HitlTool` };
    expect(byName(shownFields(review, ASK), false)).toContain('text');
  });
});

it.each([
  ['sendSms', false, []],
  ['sendSms', true, ['waitAmount', 'waitUnit']],
  ['sendVoice', true, []],
])('asks how long only where a node waits: %s, %s', (operation, waitForDelivery, names) => {
  const fields = shownFields(description, { resource: 'message', operation, waitForDelivery });
  expect(byName(fields).filter((name) => /^wait[AU]/.test(name))).toEqual(names);
});

it('checks only as soon as that option is added', () => {
  const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
  const checkOnly = (options as INodeProperties[]).filter(({ name }) => name === 'checkOnly');
  expect(checkOnly.map((one) => one.default)).toEqual(checkOnly.map(() => true));
  expect(checkOnly.length).toBeGreaterThan(0);
});
