/** What can't be sent is refused before a request leaves: both sides of every limit, through n8n's engine. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import {
  ACTION_NODE,
  credentialsFor,
  PASS_NODE,
  runNode,
  runWorkflow,
  SOURCE_NODE,
} from '../support/engine.mts';
import { OPERATION_CASES, viberForm, VIBER_KINDS } from '../support/operation-cases.mts';
import { senderNamed } from '../support/sends.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ config: { keep: { requests: 10 } } });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** The filled-in form of an operation, with values that a test puts over it. */
function form(operation: string, over: IDataObject): IDataObject {
  const found = OPERATION_CASES.find((one) => one.operation === operation);
  if (!found) throw new Error(`No case of ${operation}`);
  const parameters = { ...found.parameters, phone: '380501234567', messageId: '' };
  return { resource: found.resource, operation, ...parameters, ...over };
}

const run = (parameters: IDataObject, items: IDataObject[] = [{}]) =>
  runNode({ parameters, items, credentials: credentialsFor(sandbox) });

/** Runs the node, which must stop at item `index` with an error that quotes `label`, and send nothing. */
async function refuses(
  label: string,
  parameters: IDataObject,
  items: IDataObject[] = [{}],
  index = 0,
): Promise<void> {
  const { requests } = sandbox.counts();
  const { status, error, outputs } = await run(parameters, items);
  expect({ status, message: error?.message, outputs }).toEqual({
    status: 'error',
    message: expect.stringMatching(/^'.+ must be .+/) as unknown,
    outputs: [],
  });
  const place = items.length > 1 ? `[item ${index}]` : '';
  expect(error?.message.match(/\[item .*$/)?.[0] ?? '').toBe(place);
  expect(error?.message).toContain(`'${label}'`);
  const isQuestion = parameters.operation === 'lookup' || parameters.operation === 'getStatus';
  const nothing = `Nothing was ${/Template$/.test(String(parameters.resource)) ? 'changed' : 'sent'}`;
  const expected = isQuestion ? undefined : `${nothing}${items.length > 1 ? ' for any item' : ''}.`;
  expect(error?.description?.match(/Nothing was [^.]*\./)?.[0]).toBe(expected);
  expect(error?.description).toContain('and run the node again.');
  expect(sandbox.counts().requests).toBe(requests);
}

const VALUE = '={{ $json.value }}';

const itemsOf = (values: unknown[]) => values.map((value) => ({ value })) as IDataObject[];

/** Runs the node with items that have these values, each of which must be sent. */
async function accepts(parameters: IDataObject, values: unknown[]): Promise<void> {
  const { accepted } = sandbox.counts();
  const { error } = await run(parameters, itemsOf(values));
  expect(error).toBeUndefined();
  expect(sandbox.counts().accepted).toBe(accepted + values.length);
}

/** The same, each of which must be an error that quotes `label`. */
async function refusesAll(label: string, parameters: IDataObject, values: unknown[]): Promise<void> {
  const onError = 'continueRegularOutput';
  const items = itemsOf(values);
  const { json } = await runNode({ parameters, items, credentials: credentialsFor(sandbox), onError });
  const expected = values.map((value) => [value, expect.stringContaining(`'${label}'`)]);
  expect(json.map(({ error }, item) => [values[item], error])).toEqual(expected);
  expect(json.map(({ error }) => error)).toEqual(values.map(() => expect.stringMatching(/^'.+ must be .+/)));
  expect(sandbox.counts().requests).toBe(0);
}

it.each([
  ['SMS Lifetime (Seconds)', 'sendSms', 'smsLifetime', 3600, 259200],
  ['Viber Lifetime (Seconds)', 'sendViber', 'viberLifetime', 60, 10_000_000],
  ['Viber Lifetime (Seconds)', 'sendViberSms', 'viberLifetime', 60, 10_000_000],
  ['Viber Lifetime (Seconds)', 'sendRcsViberSms', 'viberLifetime', 60, 10_000_000],
  ['RCS Lifetime (Seconds)', 'sendRcs', 'rcsLifetime', 60, 10_000_000],
  ['RCS Lifetime (Seconds)', 'sendRcsSms', 'rcsLifetime', 60, 10_000_000],
  ['RCS Lifetime (Seconds)', 'sendRcsViberSms', 'rcsLifetime', 60, 10_000_000],
  ['Telegram Lifetime (Seconds)', 'sendTelegram', 'telegramLifetime', 60, 10_000_000],
])(
  "takes '%s' of %s within its limits only, as a number or as a text",
  async (label, operation, name, min, max) => {
    const parameters = form(operation, { options: { [name]: VALUE } });
    await refusesAll(label, parameters, [
      ...[min - 1, 0, -1, 'soon', {}],
      ...(name === 'smsLifetime' ? [max + 1] : []),
    ]);
    await accepts(parameters, [min, max, String(min)]);
  },
);

describe.each(['sendViber', 'sendRcsViberSms'])('the carousel of %s', (operation) => {
  const slide = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };
  const carousel = (slides: IDataObject[]) =>
    form(operation, { ...viberForm('carousel'), viberCarousel: { slides } });

  it.each([2, 5])('is accepted with %s slides', (count) => accepts(carousel(Array(count).fill(slide)), [0]));

  it.each([1, 6])('is refused with %s, whose number is in the error', async (count) => {
    const parameters = carousel(Array(count).fill(slide) as IDataObject[]);
    await refuses('Viber Carousel', parameters);
    const { error } = await run(parameters);
    expect(error?.description).toMatch(count === 1 ? /^Received: 1 entry\. / : /^Received: \d entries\. /);
  });

  it.each([
    ['Caption', 'caption'],
    ['Image URL', 'image'],
    ['Button Link', 'url'],
    ['Button Caption', 'button'],
  ])("is refused without '%s' of a slide, and says of which", async (label, name) => {
    const parameters = carousel([slide, { ...slide, [name]: VALUE }]);
    await refuses(label, parameters, [{ value: '' }]);
    const { error } = await run(parameters);
    expect(error?.message).toContain("slide 2 in 'Viber Carousel'");
  });
});

it('takes 4 to 8 digits as the one-time password of Telegram', async () => {
  const parameters = form('sendTelegram', { message: VALUE });
  const wrong = ['123', '123456789', '', '12a4', 'code 1234', '12 34', '１２３４'];
  await refusesAll('One-Time Password', parameters, wrong);
  await accepts(parameters, ['0000', '12345678', 4829]);
});

it.each(['sendSms', 'sendVoice', 'call', 'lookup'])(
  "takes whole numbers up to 2^53 - 1 as 'Message ID' of %s, and nothing else",
  async (operation) => {
    const parameters = form(operation, { messageId: VALUE });
    const wrong = [2 ** 53, '9007199254740992', -1, 1.5, '1.5', 'abc', '1e3', true, {}];
    await refusesAll('Message ID', parameters, wrong);
    const values = [0, 1, '42', 2 ** 53 - 1];
    const { error, json } = await run(parameters, itemsOf(values));
    expect(error).toBeUndefined();
    expect(json.map(({ id }) => id)).toEqual(values.map(Number));
  },
);

it("refuses a 'Message ID' that two items share", async () => {
  const parameters = form('sendSms', { messageId: VALUE });
  await refuses('Message ID', parameters, [{ value: 1 }, { value: 2 }, { value: '1' }], 2);
});

describe("'Phone Number'", () => {
  const parameters = form('sendSms', { phone: VALUE });

  it('is sent as digits, and refused with letters, without digits, too short or too long', async () => {
    const wrong = ['', 'nobody', '12345', '1234567890123456', {}, null, true, '38050123456x', '+'];
    await refusesAll('Phone Number', parameters, wrong);
    const { json } = await run(parameters, itemsOf(['+380 (50) 123-45-67', 380501234567]));
    expect(json.map(({ phone }) => phone)).toEqual([380501234567, 380501234567]);
  });

  it.each([
    ['', /^It is empty\. /],
    ['nobody', /^Received: nobody\. /],
    ['x'.repeat(60), /^Received: x{60}\. /],
    ['x'.repeat(61), /^Received: x{60}…\. /],
    [{ a: 1 }, /^Received: \{"a":1\}\. /],
  ])('is shown, shortened, where %j is refused', async (value, shown) => {
    const { error } = await run(parameters, [{ value } as IDataObject]);
    expect(error?.description).toMatch(shown);
  });

  it('is named with the item that has it, and nothing is sent for the others either', async () => {
    const items = Array.from({ length: 6 }, (_, item) => ({ value: item === 4 ? 'x' : '380501234567' }));
    await refuses('Phone Number', parameters, items, 4);
  });
});

describe("'Channels' of a pipeline", () => {
  const sms = { channel: 'sms', message: 'Hi', signature: 'TestSender' };
  const viber = { channel: 'viber', message: 'Hi', signature: 'ViberSender', viberType: 'text' };
  const channels = (stages: IDataObject[]) => form('sendPipeline', { pipeline: { stages } });

  it('is refused when a channel comes twice', async () => {
    await refuses('Channels', channels([sms, viber, sms]));
    await refuses('Channels', channels([viber, viber]));
  });

  it('is refused when it is empty', () =>
    refuses('Channels', form('sendPipeline', { pipeline: { stages: [] } })));

  it.each([
    ['Text', { ...sms, message: VALUE }],
    ['Sender', { ...sms, signature: VALUE }],
    ['Text', { ...viber, message: VALUE }],
    ['Sender', { ...viber, signature: VALUE }],
    ['Text', { channel: 'rcs', message: VALUE, signature: 'RcsSender' }],
    ['Sender', { channel: 'rcs', message: 'Hi', signature: VALUE }],
    ['Text', { channel: 'whatsapp', message: VALUE, signature: 'A' }],
    ['Sender', { channel: 'whatsapp', message: 'Hi', signature: VALUE }],
    ['One-Time Password', { channel: 'telegram', message: VALUE }],
    ['Voice Language', { channel: 'voice', voiceGender: 'male', voiceLanguage: VALUE, voiceName: 'a' }],
    ['Voice Name', { channel: 'voice', voiceGender: 'male', voiceLanguage: 'en', voiceName: VALUE }],
    ['Voice Gender', { channel: 'voice', voiceGender: VALUE, voiceLanguage: 'en', voiceName: 'a' }],
  ])("is refused without '%s' of %j", (label, stage) => refuses(label, channels([stage]), [{ value: '' }]));

  it('names the position and the channel of what is refused', async () => {
    const { error } = await run(channels([viber, { ...sms, signature: VALUE }]), [{ value: '' }]);
    expect(error?.message).toMatch(
      /^'Sender' of channel 2 \(SMS\) in 'Channels' must be the name of a sender/,
    );
  });

  it.each([
    ['chosen in an old workflow', 'image'],
    ['set by an expression', VALUE],
  ])('is refused with a Viber type %s that it has no fields for', async (_, viberType) => {
    const parameters = channels([sms, { ...viber, viberType }]);
    await refuses('Viber Message Type', parameters, [{ value: 'image' }]);
    const { error } = await run(parameters, [{ value: 'image' }]);
    expect(error?.message).toContain(
      "'Viber Message Type' of channel 2 (Viber) in 'Channels' must be \"text\"",
    );
    expect(error?.description).toMatch(/image.*'Send Viber'/);
  });
});

describe('the content of a Viber message', () => {
  const LABELS: Record<string, string> = {
    viberMessage: 'Viber Text',
    viberImage: 'Viber Image URL',
    viberButton: 'Viber Button Caption',
    viberLink: 'Viber Button Link',
  };
  const kinds = VIBER_KINDS.flatMap((kind) =>
    Object.keys(viberForm(kind))
      .filter((name) => name in LABELS)
      .flatMap((name) =>
        ['sendViber', 'sendRcsViberSms'].map((operation) => [operation, kind, LABELS[name], name] as const),
      ),
  );

  it.each(kinds)("of %s as %s needs '%s'", (operation, kind, label, name) =>
    refuses(label, form(operation, { ...viberForm(kind), [name]: VALUE }), [{ value: '' }]),
  );

  it('is refused for a type that there is not', () =>
    refuses('Viber Message Type', form('sendViber', { ...viberForm('text+image+link'), viberType: VALUE }), [
      { value: 'video' },
    ]));

  it('is refused as a carousel of Viber, then SMS, which has no field for it', () =>
    refuses(
      'Viber Message Type',
      form('sendViberSms', { ...viberForm('text+image+link'), viberType: VALUE }),
      [{ value: 'carousel' }],
    ));
});

it.each([
  ['SMS Text', 'sendSms', 'smsMessage'],
  ['RCS Text', 'sendRcs', 'rcsMessage'],
  ['RCS Image URL', 'sendRcs', 'rcsImage'],
  ['RCS Button Caption', 'sendRcsSms', 'rcsButton'],
  ['RCS Button Link', 'sendRcsViberSms', 'rcsLink'],
  ['Text to Speak', 'sendVoice', 'message'],
  ['Voice Language', 'sendVoice', 'voiceLanguage'],
  ['Template Text', 'create', 'template'],
])("refuses an empty '%s' of %s", (label, operation, parameter) =>
  refuses(label, form(operation, { [parameter]: VALUE }), [{ value: '' }]),
);

it.each([
  ['SMS Sender', 'sendSms', 'smsSignature'],
  ['Viber Sender', 'sendViber', 'viberSignature'],
  ['RCS Sender', 'sendRcs', 'rcsSignature'],
])("refuses an empty '%s' of %s", (label, operation, parameter) =>
  refuses(label, form(operation, { [parameter]: senderNamed(VALUE) }), [{ value: ' ' }]),
);

it.each([
  ["'Async URL' of the credential is empty", { asyncUrl: '' }],
  ["'Async URL' of the credential is not a web address", { asyncUrl: 'gateway.example.com' }],
])('refuses a queued send when %s, also beside one that is not queued', async (message, address) => {
  const parameters = form('sendSms', { delivery: VALUE });
  const { error, outputs } = await runNode({
    parameters,
    items: [{ value: 'now' }, { value: 'queued' }],
    credentials: credentialsFor({ ...sandbox, ...address }),
  });
  expect(error?.message).toBe(message);
  expect(error?.description).toContain("'Async URL'");
  expect(outputs).toEqual([]);
  expect(sandbox.counts().requests).toBe(0);
});

it('refuses to delete a template that is not named', () =>
  refuses('Template Text', form('delete', { template: VALUE }), [{ value: '' }]));

it.each([
  ['Send Mode', { delivery: VALUE }, 'later'],
  ['Shorten Links', { options: { shortLink: VALUE } }, 'maybe'],
  ['Additional Properties', { options: { additionalProperties: VALUE } }, '[1]'],
  ['Additional Properties', { options: { additionalProperties: VALUE } }, '{"type":"viber"}'],
  ['Additional Properties', { options: { additionalProperties: VALUE } }, '{"auth":"x"}'],
  ['Callback URL', { options: { hook: VALUE } }, 'not an address'],
  ['Batch Size', { options: { batchSize: VALUE } }, 0],
  ['Timeout (Seconds)', { options: { timeout: VALUE } }, 0],
] as Array<[string, IDataObject, unknown]>)("refuses a wrong '%s': %j", (label, over, value) =>
  refuses(label, form('sendSms', over), [{ value } as IDataObject]),
);

it.each([
  ['Batch Size', 'batchSize', 1, 100_000],
  ['Batch Interval (Ms)', 'batchInterval', 0, 3_600_000],
  ['Timeout (Seconds)', 'timeout', 1, 3600],
])("takes '%s' on both of its limits and refuses it beyond them", async (label, option, min, max) => {
  const parameters = form('sendSms', { options: { [option]: VALUE } });
  for (const value of [min, max]) await accepts(parameters, [value]);
  for (const value of [min - 1, max + 1, min + 0.5]) await refuses(label, parameters, [{ value }]);
});

describe('what only the engine can refuse', () => {
  const FAILS = "={{ $('Nowhere').item.json.text }}";

  it.each([
    ['SMS Text', { smsMessage: FAILS }, "Referenced node doesn't exist"],
    ['SMS Text', { smsMessage: '={{ 1 + }}' }, 'invalid syntax'],
    ['SMS Sender', { smsSignature: senderNamed(FAILS) }, "Referenced node doesn't exist"],
    ['Options', { options: { hook: FAILS } }, "Referenced node doesn't exist"],
    ['Send Mode', { delivery: FAILS }, "Referenced node doesn't exist"],
  ] as Array<[string, IDataObject, string]>)(
    "names the item and '%s', with the words of the engine: %j",
    async (label, over, words) => {
      const { error, outputs } = await run(form('sendSms', over));
      expect(error?.message).toBe(`'${label}' can't be read: ${words}`);
      expect(error?.description).toMatch(`Correct the value or the expression of '${label}'`);
      expect(error?.context).toMatchObject({ itemIndex: 0 });
      expect(outputs).toEqual([]);
      expect(sandbox.counts().requests).toBe(0);
    },
  );

  it('names the item that it is about, and sends the others where the node is to go on', async () => {
    const parameters = form('sendSms', { smsMessage: '={{ $json.text.toDateTime().toISO() }}' });
    const items = [{ text: '2026-01-02' }, { text: 'no date' }];
    const { outputs } = await runNode({
      parameters,
      items,
      credentials: credentialsFor(sandbox),
      onError: 'continueErrorOutput',
    });
    expect(outputs[0]).toHaveLength(1);
    expect(outputs[1].map(({ json }) => json.error)).toEqual([
      expect.stringMatching(/^'SMS Text' can't be read: .{10,} \[item 1\]$/),
    ]);
    expect(outputs[1].map(({ json }) => json.details)).toEqual([
      { description: expect.stringMatching(/.{20,}/) },
    ]);
  });

  it('says it in the words that the editor shows, which has a template for some errors', async () => {
    // A node that has not run: the editor would show the template of this error in place of its message.
    const { error } = await runWorkflow({
      items: [{}],
      credentials: credentialsFor(sandbox),
      nodes: [
        { name: 'Source', type: SOURCE_NODE },
        {
          name: 'Messaging Gateway',
          type: ACTION_NODE,
          parameters: form('sendSms', { smsMessage: "={{ $('Later').item.json.text }}" }),
        },
        { name: 'Later', type: PASS_NODE },
      ],
    });
    expect(error?.message).toMatch(/^'SMS Text' can't be read: /);
    expect(error?.context).not.toHaveProperty('messageTemplate');
  });

  it('names the parameter of a call of the assistant connector', async () => {
    const { error } = await run({
      resource: 'assistant',
      operation: 'callTool',
      tool: { __rl: true, mode: 'name', value: 'balance' },
      arguments: FAILS,
    });
    expect(error?.message).toBe("'Arguments' can't be read: Referenced node doesn't exist");
  });
});
