import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { isTextName } from '../../nodes/MessagingGateway/message-parts/text-gaps.ts';
import { actionNode } from '../support/node-types.mts';
import type { ShownField } from '../support/form.mts';
import { optionNames, shownEntryFields, shownFields } from '../support/form.mts';

/**
 * What the form must show, written from gateway-api.md and design.md by hand and not from the code:
 * a misreading of the contract in the code shows up here.
 */
const ALWAYS = ['resource', 'operation'];
const SPEED = ['batchSize', 'batchInterval', 'timeout'].map((name) => `speed.${name}`);
const SETTINGS = ['additionalProperties', ...SPEED];
const SENDING = ['checkOnly'];
/** Of every operation that takes a number. */
const NUMBER = ['country'];
const RCS = ['rcsSignature', 'rcsMessage', 'rcsImage', 'rcsButton', 'rcsLink'];
const VIBER = ['viberSignature', 'viberType'];
const SMS = ['smsSignature', 'smsMessage'];

const VIBER_CONTENT: Record<string, string[]> = {
  text: ['viberMessage'],
  image: ['viberImage'],
  'text+link': ['viberMessage', 'viberButton', 'viberLink'],
  'text+image+link': ['viberMessage', 'viberImage', 'viberButton', 'viberLink'],
  carousel: ['viberMessage', 'viberCarousel'],
};
const VIBER_TYPES: Record<string, string[]> = {
  sendViber: ['carousel', 'image', 'text', 'text+image+link', 'text+link'],
  sendViberSms: ['image', 'text', 'text+image+link', 'text+link'],
  sendRcsViberSms: ['carousel', 'image', 'text', 'text+image+link', 'text+link'],
};

interface Expected {
  required: string[];
  optional: string[];
  options: string[];
}

const sends = (required: string[], options: string[] = []): Expected => ({
  required: ['phone', ...required],
  optional: ['options'],
  options: [...options, ...SETTINGS, ...SENDING, ...NUMBER, 'delivery', 'messageId'],
});
/** Sends whose result comes with the answer alone, so that they can't be queued. */
const onlyAtOnce = (required: string[]): Expected => {
  const { options, ...expected } = sends(required);
  return { ...expected, options: options.filter((name) => name !== 'delivery') };
};
/** What its group shows with the callback URL, which takes the place of the trigger's. */
const DELIVERY_REPORT = ['hookFromTrigger', 'hook', 'callbackFields'].map((name) => `deliveryReport.${name}`);
/** Sends whose status comes to their `hook`: all that have the field, but the pipeline. */
const reports = (required: string[], options: string[]): Expected => {
  const expected = sends(required, [...options, ...DELIVERY_REPORT]);
  return { ...expected, optional: [...expected.optional, 'waitForDelivery'] };
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
    sendSms: reports(SMS, ['smsLifetime', 'shortLink', 'unsubscribeLink']),
    sendViber: reports(VIBER, ['viberLifetime', 'shortLink']),
    sendViberSms: reports([...VIBER, ...SMS], ['viberLifetime', 'shortLink']),
    sendRcs: reports(RCS, ['rcsLifetime', 'shortLink']),
    sendRcsSms: reports([...RCS, ...SMS], ['rcsLifetime', 'shortLink']),
    sendRcsViberSms: reports([...RCS, ...VIBER, ...SMS], ['rcsLifetime', 'viberLifetime', 'shortLink']),
    sendVoice: sends(['message', 'voiceGender', 'voiceLanguage', 'voiceName', 'dtmf']),
    sendWhatsApp: sends(['whatsappSignature', 'whatsappMessage'], ['hook']),
    sendPipeline: sends(['pipeline'], ['hook']),
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
        ...['shortLink', 'smsLifetime', 'checkOnly', ...NUMBER],
      ],
    },
  },
  otp: {
    sendTelegram: reports(['message'], ['telegramLifetime']),
    call: onlyAtOnce([]),
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

for (const operation of ['sendVoice', 'sendWhatsApp', 'sendPipeline']) {
  EXPECTED.message[operation].optional.push('cannotWait');
}

// Of all messages; the contract doesn't say that `status` knows pipelines.
for (const [operation, { options }] of Object.entries(EXPECTED.message)) {
  if (operation === 'getStatus') continue;
  options.push(
    'emptyPlaceholders',
    'limits',
    'stopList',
    'sendWindow',
    ...(operation === 'sendVoice' ? [] : ['senders.senderByCountry']),
    ...(operation === 'sendPipeline' ? ['preferredChannel'] : []),
    'avoidDoubles.repeatedMessages',
  );
  options.push(...(/Pipeline|WhatsApp/.test(operation) ? [] : ['avoidDoubles.sendOnceKey']));
  if (/Sms$|Pipeline$/.test(operation)) options.push('shortenSms');
}

const cases = Object.entries(EXPECTED).flatMap(([resource, operations]) =>
  Object.entries(operations).flatMap(([operation, expected]) => {
    const types = VIBER_TYPES[operation];
    if (types === undefined) return [{ resource, operation, viberType: '', expected }];
    return types.map((viberType) => ({
      resource,
      operation,
      viberType,
      expected: { ...expected, required: [...expected.required, ...VIBER_CONTENT[viberType]] },
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
    expect(valuesOf(fields, 'viberType').sort()).toEqual([...(VIBER_TYPES[operation] ?? [])].sort());
  });

  it('offers first for Viber with SMS what falls back best', () => {
    const fields = shownFields(description, { resource: 'message', operation: 'sendViberSms' });
    expect(valuesOf(fields, 'viberType')[0]).toBe('text+image+link');
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
  const VOICE = ['voiceGender', 'voiceLanguage', 'voiceName'];
  const OWN: Record<string, string[]> = {
    sms: ['message', 'smsSignature', 'codeLength'],
    viber: ['message', 'viberSignature', 'codeLength'],
    rcs: ['message', 'rcsSignature', 'codeLength'],
    whatsapp: ['message', 'whatsappSignature', 'codeLength'],
    voice: ['message', ...VOICE, 'codeLength'],
    telegram: ['codeLength'],
    call: [],
  };
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
  const stages: Record<string, [required: string[], optional?: string[]]> = {
    sms: [['message', 'signature']],
    telegram: [['message']],
    viber: [['message', 'signature']],
    voice: [['voiceGender', 'voiceLanguage', 'voiceName'], ['message']],
    rcs: [['message', 'signature']],
    whatsapp: [['message', 'signature']],
  };
  const pipeline = description.properties.find(({ name }) => name === 'pipeline');

  it('offers each channel and can be sorted', () => {
    expect(pipeline?.typeOptions).toMatchObject({ multipleValues: true, sortable: true });
    const channels = valuesOf(shownEntryFields(pipeline!, 'stages', { channel: 'sms' }), 'channel');
    expect(channels.sort()).toEqual(Object.keys(stages).sort());
  });

  it.each(Object.entries(stages))('%s shows its own fields', (channel, [required, optional = []]) => {
    const fields = shownEntryFields(pipeline!, 'stages', { channel });
    expect(byName(fields.slice(1), true)).toEqual([...required].sort());
    expect(byName(fields.slice(1), false)).toEqual([...optional].sort());
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
      ['messageButtonLabel', 'replyWords', 'viberLifetime'],
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

it('looks for empty placeholders in every field that a recipient sees, and in no other', () => {
  const seen = new Set<string>();
  const note = (fields: INodeProperties[]) => {
    for (const { name, type, options = [] } of fields) {
      if (type === 'string') seen.add(name);
      if (type === 'fixedCollection') note(options.flatMap((one) => ('values' in one ? one.values : [])));
    }
  };
  const operations = Object.keys(EXPECTED.message).filter((operation) => operation !== 'getStatus');
  for (const operation of operations) {
    for (const viberType of ['carousel', 'text+image+link']) {
      const parameters = { resource: 'message', operation, viberType };
      note(shownFields(description, parameters).map(({ property }) => property));
    }
  }
  const others = [...seen].filter((name) => !isTextName(name));
  expect(others.sort()).toEqual(['phone', 'voiceLanguage', 'voiceName', 'whatsappSignature']);
});

it('checks only as soon as that option is added', () => {
  const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
  const checkOnly = (options as INodeProperties[]).filter(({ name }) => name === 'checkOnly');
  expect(checkOnly.map((one) => one.default)).toEqual(checkOnly.map(() => true));
  expect(checkOnly.length).toBeGreaterThan(0);
});
