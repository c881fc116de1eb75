import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { TEXT_PARAMETERS } from '../../nodes/MessagingGateway/fields/placeholders.ts';
import { actionNode } from '../support/built-package.mts';
import { optionNames, shownEntryFields, shownFields } from '../support/form.mts';

/**
 * What the form must show, written from gateway-api.md and design.md by hand and not from the code:
 * a misreading of the contract in the code shows up here.
 */
const ALWAYS = ['resource', 'operation'];
const SETTINGS = ['additionalProperties', 'batchInterval', 'batchSize', 'timeout'];
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
  optional: ['messageId', 'delivery', 'options'],
  options: [...options, ...SETTINGS, ...SENDING, ...NUMBER],
});
/** Sends whose result comes with the answer alone, so that they can't be queued. */
const onlyAtOnce = (required: string[]): Expected => {
  const { optional, ...expected } = sends(required);
  return { ...expected, optional: optional.filter((name) => name !== 'delivery') };
};
/** Sends whose status comes to their `hook`: all that have the field, but the pipeline. */
const reports = (required: string[], options: string[]): Expected => {
  const expected = sends(required, [...options, 'hook', 'hookFromTrigger']);
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

const EXPECTED: Record<string, Record<string, Expected>> = {
  account: { getBalance: asksOnce(), getSenders: asksOnce() },
  assistant: {
    getHealth: { required: [], optional: ['options'], options: ['timeout'] },
    listTools: { required: [], optional: ['options'], options: ['timeout'] },
    callTool: {
      required: ['tool'],
      optional: ['specifyArguments', 'arguments', 'confirm', 'options'],
      options: ['timeout'],
    },
  },
  message: {
    sendSms: reports(SMS, ['smsLifetime', 'shortLink', 'unsubscribeLink']),
    sendViber: reports(VIBER, ['viberLifetime', 'shortLink']),
    sendViberSms: reports([...VIBER, ...SMS], ['viberLifetime', 'shortLink']),
    sendRcs: reports(RCS, ['rcsLifetime', 'shortLink']),
    sendRcsSms: reports([...RCS, ...SMS], ['rcsLifetime', 'shortLink']),
    sendRcsViberSms: reports([...RCS, ...VIBER, ...SMS], ['rcsLifetime', 'viberLifetime', 'shortLink']),
    sendVoice: sends(['message', 'voiceGender', 'voiceLanguage', 'voiceName', 'dtmf']),
    sendPipeline: sends(['pipeline'], ['hook']),
    getStatus: asks(['messageId']),
  },
  number: {
    lookup: { ...asks(['phone'], ['messageId']), options: [...SETTINGS, ...NUMBER] },
    check: { required: ['phone'], optional: ['options'], options: NUMBER },
  },
  approval: {
    sendAndWait: {
      required: ['phone', 'channels', 'smsSignature', 'text'],
      optional: ['responseType', 'approvalOptions', 'options'],
      options: [
        ...['limitWaitTime', 'pageLanguage', 'pageTexts', 'responseFormDescription', 'responseFormTitle'],
        ...['shortLink', 'smsLifetime', 'viberLifetime', 'checkOnly', 'timeout', ...NUMBER],
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
        'challenge',
        'cooldown',
        'perNumberLimit',
        'workflowLimit',
        ...SETTINGS.filter((name) => name !== 'additionalProperties'),
        ...SENDING,
        ...NUMBER,
      ],
    },
    verify: {
      required: ['challenge', 'phone', 'code'],
      optional: ['options'],
      options: ['maxAttempts', 'maxAttemptsPerNumber', ...NUMBER],
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

// Of all messages; the contract doesn't say that `status` knows pipelines.
for (const [operation, { options }] of Object.entries(EXPECTED.message)) {
  if (operation === 'getStatus') continue;
  options.push('emptyPlaceholders', 'limits', ...(operation === 'sendPipeline' ? [] : ['sendOnceKey']));
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

const { description } = actionNode();

describe('the form of the action node', () => {
  it('offers exactly the resources and operations of the design', () => {
    const offered = cases.map(({ resource, operation }) => `${resource}/${operation}`);
    const values = (name: string, parameters: INodeParameters) =>
      (shownFields(description, parameters).find((field) => field.name === name)?.property.options ?? []).map(
        (option) => String((option as { value: unknown }).value),
      );
    const found = values('resource', {}).flatMap((resource) =>
      values('operation', { resource }).map((operation) => `${resource}/${operation}`),
    );
    expect(found.sort()).toEqual([...new Set(offered)].sort());
  });

  it.each(cases)('$resource $operation $viberType', ({ resource, operation, viberType, expected }) => {
    const parameters = { resource, operation, ...(viberType !== '' && { viberType }) };
    const fields = shownFields(description, parameters).filter(({ name }) => !ALWAYS.includes(name));
    const names = (required: boolean) =>
      fields.filter((field) => field.required === required).map(({ name }) => name);
    expect(names(true).sort()).toEqual([...expected.required].sort());
    expect(names(false).sort()).toEqual([...expected.optional].sort());
    expect(optionNames(fields).sort()).toEqual([...expected.options].sort());
  });

  it.each(Object.entries(VIBER_TYPES))('offers the Viber types of %s', (operation, types) => {
    const fields = shownFields(description, { resource: 'message', operation });
    const viberType = fields.find(({ name }) => name === 'viberType')?.property;
    const values = (viberType?.options ?? []).map((option) => (option as { value: unknown }).value);
    expect([...values].sort()).toEqual([...types].sort());
    if (operation === 'sendViberSms') expect(values[0]).toBe('text+image+link');
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
  const shown = (channels: string[]) =>
    shownFields(description, { resource: 'otp', operation: 'send', channels })
      .map(({ name }) => name)
      .filter(
        (name) => !['resource', 'operation', 'phone', 'channels', 'expiresIn', 'options'].includes(name),
      );

  it.each(Object.entries(OWN))(
    '%s shows the fields that it needs, beside others as well',
    (channel, names) => {
      expect(shown([channel]).sort()).toEqual([...names].sort());
      expect(shown([channel, 'rcs']).sort()).toEqual([...new Set([...names, ...OWN.rcs])].sort());
    },
  );
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

  it('offers the six channels and can be sorted', () => {
    expect(pipeline?.typeOptions).toMatchObject({ multipleValues: true, sortable: true });
    const [channel] = shownEntryFields(pipeline!, 'stages', { channel: 'sms' });
    const values = (channel.property.options ?? []).map((option) => (option as { value: unknown }).value);
    expect([...values].sort()).toEqual(Object.keys(stages).sort());
  });

  it.each(Object.entries(stages))('%s shows its own fields', (channel, [required, optional = []]) => {
    const fields = shownEntryFields(pipeline!, 'stages', { channel }).filter(
      ({ name }) => name !== 'channel',
    );
    const names = (wanted: boolean) =>
      fields.filter((field) => field.required === wanted).map(({ name }) => name);
    expect(names(true).sort()).toEqual([...required].sort());
    expect(names(false).sort()).toEqual([...optional].sort());
  });
});

describe('the approval', () => {
  const names = (form: INodeParameters, type = description) =>
    shownFields(type, { resource: 'approval', operation: 'sendAndWait', ...form }).map(({ name }) => name);

  it('asks for the senders of its channels only', () => {
    expect(names({ channels: ['viber', 'whatsapp'] })).toEqual(
      expect.arrayContaining(['viberSignature', 'whatsappSignature']),
    );
    expect(names({ channels: ['viber', 'whatsapp'] })).not.toEqual(
      expect.arrayContaining(['smsSignature', 'rcsSignature']),
    );
  });

  it("shows the fields of a form in n8n's two ways, and buttons for an approval only", () => {
    const form = names({ responseType: 'customForm' });
    expect(form).toEqual(expect.arrayContaining(['defineForm', 'formFields']));
    expect(form).not.toContain('approvalOptions');
    expect(names({ responseType: 'customForm', defineForm: 'json' })).toContain('jsonOutput');
  });

  it.each([
    [{ channels: ['viber', 'sms'] }, ['approveWords', 'declineWords', 'messageButtonLabel']],
    [{ responseType: 'freeText' }, ['responseFieldLabel', 'responseFormButtonLabel']],
    [{ responseType: 'customForm' }, ['responseFormButtonLabel']],
  ])('adds the options of what is chosen: %j', (form, added) => {
    const options = (chosen: INodeParameters) =>
      optionNames(shownFields(description, { resource: 'approval', operation: 'sendAndWait', ...chosen }));
    const usual = options({});
    expect(
      options(form)
        .filter((name) => !usual.includes(name))
        .sort(),
    ).toEqual([...added].sort());
  });

  it('can leave the text of a human review to the message that n8n adds', () => {
    const review = { ...description, name: `${description.name}HitlTool` };
    const text = shownFields(review, { resource: 'approval', operation: 'sendAndWait' }).filter(
      ({ name }) => name === 'text',
    );
    expect(text).toMatchObject([{ required: false }]);
  });
});

describe('waiting for delivery', () => {
  const names = (operation: string, waitForDelivery: boolean) =>
    shownFields(description, { resource: 'message', operation, waitForDelivery }).map(({ name }) => name);

  it('asks how long only where it is on', () => {
    expect(names('sendSms', false)).not.toEqual(expect.arrayContaining(['waitAmount']));
    expect(names('sendSms', true)).toEqual(expect.arrayContaining(['waitAmount', 'waitUnit']));
    expect(names('sendVoice', true)).not.toContain('waitAmount');
  });
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
  for (const name of ['phone', 'messageId', 'voiceLanguage', 'voiceName'])
    expect(seen.delete(name)).toBe(true);
  expect([...seen].sort()).toEqual([...TEXT_PARAMETERS].sort());
});

it('checks only as soon as that option is added', () => {
  const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
  const checkOnly = (options as INodeProperties[]).filter(({ name }) => name === 'checkOnly');
  expect(checkOnly.map((one) => one.default)).toEqual(checkOnly.map(() => true));
  expect(checkOnly.length).toBeGreaterThan(0);
});
