/** What can't be sent is refused before a request leaves: through n8n's engine. Every limit is in unit/contract. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { actionNode } from '../support/node-types.mts';
import { ACTION_NODE, credentialsFor, PASS_NODE, runWorkflow, SOURCE_NODE } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { shownEntryFields, shownFields } from '../support/form.mts';
import { OPERATION_CASES, viberForm } from '../support/operation-cases.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { keep: { requests: 10 } } });

/** The filled-in form of an operation, with values that a test puts over it. */
function form(operation: string, over: IDataObject): IDataObject {
  const found = OPERATION_CASES.find((one) => one.operation === operation);
  if (!found) throw new Error(`No case of ${operation}`);
  const parameters = { ...found.parameters, phone: '380501234567' };
  return { resource: found.resource, operation, ...parameters, ...over };
}

const run = (
  parameters: IDataObject,
  items: IDataObject[] = [{}],
  more: Pick<NodeRunOptions, 'onError' | 'credentials'> = {},
) => runOn(sandbox, { parameters, items, ...more });
const sms = (over: IDataObject) => smsForm({ phone: '380501234567', ...over });

const VALUE = '={{ $json.value }}';
const itemsOf = (values: unknown[]) => values.map((value) => ({ value })) as IDataObject[];

/** Runs the node, which must stop at item `index` with an error that quotes `label`, and send nothing. */
async function refuses(label: string, parameters: IDataObject, values: unknown[], index = 0): Promise<void> {
  const { status, error, outputs } = await run(parameters, itemsOf(values));
  const place = values.length > 1 ? ` [item ${index}]` : '';
  expect({ status, outputs, message: error?.message }).toEqual({
    status: 'error',
    outputs: [],
    message: expect.stringMatching(/^'.+' [a-z].+/),
  });
  expect(error?.message).toContain(`'${label}'`);
  expect(error?.message.match(/ \[item .*$/)?.[0] ?? '').toBe(place);
  const isQuestion = parameters.operation === 'lookup';
  const nothing = `Nothing was ${/Template$/.test(String(parameters.resource)) ? 'changed' : 'sent'}`;
  const expected = isQuestion ? undefined : `${nothing}${place === '' ? '' : ' for any row'}.`;
  expect(error?.description?.match(/Nothing was [^.]*\./)?.[0]).toBe(expected);
  expect(error?.description).toContain('and run the node again.');
  expect(sandbox.counts().requests).toBe(0);
}

const option = (name: string): IDataObject => ({ options: grouped({ [name]: VALUE }) });

it.each<[label: string, over: IDataObject, wrong: unknown[], right: unknown[]]>([
  [
    'Message ID',
    option('messageId'),
    [2 ** 53, '9007199254740992', -1, 1.5, '1.5', 'abc', '1e3', true, {}],
    [0, 1, '42', 2 ** 53 - 1],
  ],
  ['Batch Size', option('batchSize'), [0, 10_001, 1.5], [10_000]],
  ['Batch Interval (Ms)', option('batchInterval'), [-1, 3_600_001, 0.5], [3_600_000]],
  ['Timeout (Seconds)', option('timeout'), [0, 3601, 1.5], [3600]],
  [
    'SMS Text',
    { smsMessage: VALUE },
    ['Your code 😀'.slice(0, -1), 'Ring\u0007', 'Hi\u0000'],
    ['Line\r\nline', 'a\tb', 'e\u0301 👨‍👩‍👧'],
  ],
])("takes '%s' within its limits only", async (label, over, wrong, right) => {
  const { json } = await run(sms(over), itemsOf(wrong), { onError: 'continueRegularOutput' });
  expect(json.map(({ error }, item) => [wrong[item], error])).toEqual(
    wrong.map((value) => [
      value,
      expect.stringMatching(new RegExp(`^'${label.replace(/[()]/g, '\\$&')}' (must be|contains|is) `)),
    ]),
  );
  expect(sandbox.counts().requests).toBe(0);
  expect((await run(sms(over), itemsOf(right))).error).toBeUndefined();
  expect(sandbox.counts().accepted).toBe(right.length);
});

/** Each field of a form that has to be filled in, emptied: those of its slides and of its stages, too. */
const DESCRIPTION = actionNode().description;
const emptied = OPERATION_CASES.flatMap(({ resource, operation, parameters }) => {
  const fields = shownFields(DESCRIPTION, { resource, operation, ...parameters } as INodeParameters);
  return fields.flatMap(({ name, displayName, required, property }) => {
    if (name === 'pipeline' || name === 'viberCarousel') {
      const [[group, entries]] = Object.entries(parameters[name] as Record<string, INodeParameters[]>);
      return entries.flatMap((entry, i) =>
        shownEntryFields(property, group, entry)
          .filter((inside) => inside.required)
          .map((inside) => {
            const changed = entries.map((one, place) =>
              place === i ? { ...one, [inside.name]: VALUE } : one,
            );
            return [operation, inside.displayName, { ...parameters, [name]: { [group]: changed } }] as const;
          }),
      );
    }
    if (!required || property.type === 'options') return [];
    const value = property.type === 'resourceLocator' ? senderNamed(VALUE) : VALUE;
    return [[operation, displayName, { ...parameters, [name]: value }] as const];
  });
});
// The same fields of the same operation, with and without options.
const once = [...new Map(emptied.map((row) => [JSON.stringify(row), row])).values()];

it('knows fields to be filled in of each kind', () => expect(once.length).toBeGreaterThan(100));

it.each(once)("%s is refused with an empty '%s'", async (operation, label, over) => {
  const target = 'phone' in over && label !== 'Phone Number' ? { phone: '380501234567' } : {};
  await refuses(label, form(operation, { ...over, ...target }), ['']);
});

const SMS_STAGE = { channel: 'sms', message: 'Hi', signature: 'TestSender' };
const VIBER_STAGE = { channel: 'viber', message: 'Hi', signature: 'ViberSender', viberType: 'text' };

it('says where a text is broken, on each channel and in a template', async () => {
  const broken = 'Your code 😀'.slice(0, -1);
  const why = 'contains half of a character, as a cut within an emoji leaves it, at position 11: Your code';
  const stages = [{ ...VIBER_STAGE, message: VALUE }, SMS_STAGE];
  for (const parameters of [
    sms({ smsMessage: VALUE }),
    form('sendViber', { ...viberForm('text'), viberMessage: VALUE }),
    form('sendVoice', { message: VALUE }),
    form('sendPipeline', { pipeline: { stages } }),
    { resource: 'smsTemplate', operation: 'create', template: VALUE },
  ]) {
    const { error } = await run(parameters, [{ value: broken }]);
    expect(error?.message).toContain(why);
    expect(error?.description).toMatch(/^It must be text with at least one visible character\. /);
  }
  expect(sandbox.counts().requests).toBe(0);
});

it("names the place of what is refused among 'Channels' and slides, and counts the slides", async () => {
  const slide = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };
  const carousel = (slides: IDataObject[]) =>
    form('sendViber', { ...viberForm('carousel'), viberCarousel: { slides } });
  const ofSlide = await run(carousel([slide, { ...slide, caption: VALUE }]), [{ value: '' }]);
  expect(ofSlide.error?.message).toContain("slide 2 in 'Viber Carousel'");
  const { error } = await run(carousel(Array(6).fill(slide) as IDataObject[]));
  expect(error?.message).toContain("'Viber Carousel' has 6 slides");
  expect(error?.description).toContain('It must be a list of 2 to 5 slides. ');
  const stages = [VIBER_STAGE, { ...SMS_STAGE, signature: VALUE }];
  const ofStage = await run(form('sendPipeline', { pipeline: { stages } }), [{ value: '' }]);
  expect(ofStage.error?.message).toMatch(/^'Sender' of channel 2 \(SMS\) in 'Channels' is empty/);
});

it.each<[what: string, label: string, parameters: IDataObject, value: unknown]>([
  [
    'a carousel where there is no field for it',
    'Viber Message Type',
    form('sendViberSms', { ...viberForm('text+image+link'), viberType: VALUE }),
    'carousel',
  ],
  ['a template that is not named', 'Template Text', form('delete', { template: VALUE }), ''],
  ['an unknown mode', 'Send Mode', sms(option('delivery')), 'later'],
  ['a switch', 'Shorten Links', sms(option('shortLink')), 'maybe'],
  ['a list', 'Additional Properties', sms(option('additionalProperties')), '[1]'],
  [
    'a number that JSON rounds',
    'Additional Properties',
    sms(option('additionalProperties')),
    '{"a":12345678901234567891}',
  ],
  ['another type', 'Additional Properties', sms(option('additionalProperties')), '{"type":"viber"}'],
  ['a key', 'Additional Properties', sms(option('additionalProperties')), '{"auth":"x"}'],
  ['no address', 'Callback URL', sms(option('hook')), 'not an address'],
])("refuses %s as '%s'", async (_, label, parameters, value) => await refuses(label, parameters, [value]));

it.each([
  [
    '99999999999999999999',
    / must be a whole number from 0 to 9007199254740991, not 9+$/,
    /Correct 'Message ID'/,
  ],
  ['-5', / must be a whole number from 0 to 9007199254740991, not -5$/, /Correct 'Message ID'/],
  [
    'A-17',
    / is not a whole number: A-17$/,
    /^(?!.*Avoid Doubles)It must be a whole number from 0 to 9007199254740991\. /,
  ],
])("says what is wrong with the 'Message ID' %s", async (value, message, description) => {
  const { error } = await run(form('lookup', option('messageId')), [{ value }]);
  expect(error?.message).toMatch(message);
  expect(error?.description).toMatch(description);
});

it("says where a text of one's own belongs that is no 'Message ID'", async () => {
  const { json } = await run(sms(option('messageId')), [{ value: 'ORD-17' }], {
    onError: 'continueRegularOutput',
  });
  expect(json[0].what_to_do).toMatch(/'Send Once Key' in 'Avoid Doubles'$/);
});

it('recognises the msg_id of a row that is asked about in place of its id', async () => {
  const [sent] = (await run(sms({}))).json;
  const form = { resource: 'message', operation: 'getStatus', messageId: '={{ $json.msg_id }}' };
  const { error } = await run(form, [sent]);
  expect(error?.description).toContain("Take id in place of msg_id as 'Message ID'");
});

it('says in which option a field stands that has to be corrected', async () => {
  const { error } = await run(sms(option('batchSize')), [{ value: 0 }]);
  expect(error?.description).toBe(
    "Nothing was sent. Correct 'Batch Size' in 'Speed' and run the node again.",
  );
});

it('names the first item that is refused, and sends nothing for the others either', async () => {
  await refuses('Phone Number', sms({ phone: VALUE }), ['380501234567', 'x', 'y'], 1);
  const others = { ...option('messageId'), smsMessage: '={{ $itemIndex }}' };
  await refuses('Message ID', sms(others), [1, 2, '1'], 2);
});

it.each([
  ['', /^\{\{ \$json\.value \}\} is empty\. /],
  ['x'.repeat(60), /: x{60}$/],
  ['x'.repeat(61), /: x{60}…$/],
  [{ a: 1 }, / Received: \{"a":1\}\. /],
])('shows the value that is refused, shortened: %j', async (value, shown) => {
  const { error } = await run(sms({ phone: VALUE }), [{ value } as IDataObject]);
  const { message, description } = error ?? {};
  expect([message, description]).toContainEqual(expect.stringMatching(shown));
});

describe('an empty value', () => {
  const stage = (signature: string) => ({ channel: 'sms', message: 'Hi', signature });
  const pipeline = (...signatures: string[]) =>
    form('sendPipeline', { pipeline: { stages: signatures.map(stage) } });

  it.each<[what: string, parameters: IDataObject, shown: RegExp]>([
    ['its column', sms({ smsMessage: '={{ $json.Text }}' }), /^\{\{ \$json\.Text \}\} is empty\. /],
    [
      'each of its placeholders',
      sms({ smsMessage: '={{ $json.a }} {{ $json.b }}' }),
      /^\{\{ \$json\.a \}\} and \{\{ \$json\.b \}\} are empty\. /,
    ],
    ['the column of a sender', sms({ smsSignature: senderNamed(VALUE) }), /^\{\{ \$json\.value \}\} is empty/],
    ['the column of a stage', pipeline('={{ $json.Sender }}'), /^\{\{ \$json\.Sender \}\} is empty/],
  ])('the error of an empty value names %s', async (_, parameters, shown) => {
    const { error } = await run(parameters, [{}]);
    expect(error?.description).toMatch(shown);
  });

  it('the error of an empty text of a channel names no placeholder of another channel', async () => {
    const speech = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A', message: VALUE };
    const stages = [
      { channel: 'voice', ...speech },
      { ...SMS_STAGE, message: "={{ $json.text || '' }}" },
    ];
    const { error } = await run(form('sendPipeline', { pipeline: { stages } }), [{}]);
    expect(error?.message).toBe("'Text' of channel 2 (SMS) in 'Channels' is empty");
    expect(error?.description).not.toContain('}} is empty');
  });

  it.each([
    [
      '\ufeffphone',
      'the name of the column "phone" has a character that nobody sees: drag the column from the input into the field',
    ],
    [' Phone', 'the column is called " Phone"'],
  ])('the error says which column was probably meant: %j', async (column, meant) => {
    const items = [{ phone: '447700900001' }, { [column]: '447700900002' }];
    const { json } = await run(sms({ phone: '={{ $json.phone }}' }), items, {
      onError: 'continueRegularOutput',
    });
    expect(json[0].phone).toBe(447700900001);
    expect(json[1].what_to_do).toBe(`Row 2: fill in 'Phone Number': ${meant}`);
  });
});

it.each([
  ["'Queue Address' of the credential is empty", { asyncUrl: '' }],
  ["'Queue Address' of the credential is not a web address", { asyncUrl: 'gateway.example.com' }],
  // Questions about queued messages go there.
  ["'API Address' of the credential is empty", { baseUrl: '' }],
])('refuses a queued send when %s, also beside one that is not queued', async (message, address) => {
  const credentials = credentialsFor({ ...sandbox, ...address });
  for (const items of [itemsOf(['now', 'queued']), itemsOf(['queued'])]) {
    const { error, outputs } = await run(sms(option('delivery')), items, { credentials });
    expect([error?.message, outputs]).toEqual([message, []]);
    expect(error?.description).toContain(message.slice(0, 10));
  }
  expect(sandbox.counts().requests).toBe(0);
});

it.each([
  ['a send', sms({})],
  ['an operation that reads', { resource: 'account', operation: 'getBalance' }],
])('makes no request for %s where the API key is empty', async (_, parameters) => {
  const { error } = await run(parameters, [{ phone: 447700900000 }], {
    credentials: credentialsFor(sandbox, ' '),
  });
  expect(error?.message).toBe("'API Key' of the credential is empty");
  expect(error?.description).toMatch(
    /^No request was made\. Open the credential\. Enter the key .+ as 'API Key'/,
  );
  expect(sandbox.counts().requests).toBe(0);
});

it.each([
  ['Bearer sandbox-key', 'begins with the word "Bearer"'],
  ["'sandbox-key'", 'is in quotation marks'],
])('makes no request with %s as the API key, and says what is wrong with it', async (key, words) => {
  const credentials = credentialsFor(sandbox, key);
  const { error } = await run(sms({}), [{ phone: 447700900000 }], { credentials });
  expect(error?.message).toBe(`'API Key' of the credential ${words}`);
  expect(error?.description).toMatch(/^No request was made\. .+ the key alone/);
  expect(JSON.stringify(error)).not.toContain('sandbox-key');
  expect(sandbox.counts().requests).toBe(0);
});

describe('what only the engine can refuse', () => {
  const FAILS = "={{ $('Nowhere').item.json.text }}";
  const CALL_TOOL = {
    resource: 'assistant',
    operation: 'callTool',
    tool: { __rl: true, mode: 'name', value: 'balance' },
    arguments: FAILS,
  };

  it.each<[label: string, parameters: IDataObject, words: string]>([
    ['SMS Text', sms({ smsMessage: FAILS }), "Referenced node doesn't exist"],
    ['SMS Text', sms({ smsMessage: '={{ 1 + }}' }), 'invalid syntax'],
    ['Callback URL', sms({ options: grouped({ hook: FAILS }) }), "Referenced node doesn't exist"],
    ['Arguments', CALL_TOOL, "Referenced node doesn't exist"],
  ])("names the item and '%s', with the words of the engine", async (label, parameters, words) => {
    const { error, outputs } = await run(parameters);
    expect([error?.message, outputs]).toEqual([`'${label}' can't be read: ${words}`, []]);
    expect(error?.description).toMatch(`Correct '${label}'`);
    expect(error?.context).toMatchObject({ itemIndex: 0 });
    expect(sandbox.counts().requests).toBe(0);
  });

  it("names no row where 'Stop List' can't be read, which keeps all rows back", async () => {
    const form = sms({ options: { stopList: FAILS } });
    const { json } = await run(form, [{}, {}], { onError: 'continueRegularOutput' });
    const error = "'Stop List' can't be read: Referenced node doesn't exist";
    const told = { result: 'notSent', error, what_to_do: "Correct 'Stop List'" };
    expect(json).toEqual([expect.objectContaining(told), expect.objectContaining(told)]);
    expect(sandbox.counts().requests).toBe(0);
  });

  it('keeps one row back, and no other, whose option fails', async () => {
    const hook = "={{ $json.value ? 'https://example.com/hook' : $('Nowhere').item.json.text }}";
    const form = sms({ phone: '=38050123456{{ $itemIndex }}', options: grouped({ hook }) });
    const { json } = await run(form, itemsOf([false, true]), { onError: 'continueRegularOutput' });
    expect(json).toMatchObject([{ result: 'invalid' }, { result: 'sent' }]);
  });

  it('names the item that it is about, and sends the others where the node is to go on', async () => {
    const parameters = sms({ smsMessage: '={{ $json.value.toDateTime().toISO() }}' });
    const items = itemsOf(['2026-01-02', 'no date']);
    const { outputs } = await run(parameters, items, { onError: 'continueErrorOutput' });
    expect(outputs[0]).toHaveLength(1);
    expect(outputs[1].map(({ json }) => json)).toMatchObject([
      {
        error: expect.stringMatching(/^'SMS Text' can't be read: [^[]{10,}$/),
        what_to_do: expect.stringMatching(/.{20,}/),
      },
    ]);
  });

  it('says it in the words that the editor shows, which has a template for some errors', async () => {
    // A node that has not run: the editor would show the template of this error in place of its message.
    const parameters = sms({ smsMessage: "={{ $('Later').item.json.text }}" });
    const { error } = await runWorkflow({
      items: [{}],
      credentials: credentialsFor(sandbox),
      nodes: [
        { name: 'Source', type: SOURCE_NODE },
        { name: 'Messaging Gateway', type: ACTION_NODE, parameters },
        { name: 'Later', type: PASS_NODE },
      ],
    });
    expect(error?.message).toMatch(/^'SMS Text' can't be read: /);
    expect(error?.context).not.toHaveProperty('messageTemplate');
  });
});

describe('a text that is longer than its field takes', () => {
  it.each([
    ['SMS Text', sms({ smsMessage: VALUE }), 20_001],
    ['Phone Number', sms({ phone: VALUE }), 4001],
    ['Default Country', sms({ options: { country: VALUE } }), 21],
    ['Send Once Key', sms({ options: { avoidDoubles: { values: { sendOnceKey: VALUE } } } }), 100_000],
  ])('is refused before anything reads it: %s', async (label, parameters, length) => {
    const started = process.threadCpuUsage();
    await refuses(label, parameters, ['{'.repeat(length)]);
    const { error } = await run(parameters, itemsOf(['{'.repeat(length)]));
    expect(error?.message).toBe(`'${label}' has ${length.toLocaleString('en')} characters`);
    const { user } = process.threadCpuUsage(started);
    expect(user / 1000).toBeLessThan(3000);
  });
});
