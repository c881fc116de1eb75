/** What can't be sent is refused before a request leaves: through n8n's engine. Every limit is in unit/contract. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { actionNode } from '../support/built-package.mts';
import {
  ACTION_NODE,
  credentialsFor,
  PASS_NODE,
  runNode,
  runWorkflow,
  SOURCE_NODE,
} from '../support/engine.mts';
import { shownEntryFields, shownFields } from '../support/form.mts';
import { OPERATION_CASES, viberForm } from '../support/operation-cases.mts';
import { senderNamed } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { keep: { requests: 10 } } });

/** The filled-in form of an operation, with values that a test puts over it. */
function form(operation: string, over: IDataObject): IDataObject {
  const found = OPERATION_CASES.find((one) => one.operation === operation);
  if (!found) throw new Error(`No case of ${operation}`);
  const parameters = { ...found.parameters, phone: '380501234567', messageId: '' };
  return { resource: found.resource, operation, ...parameters, ...over };
}

const run = (parameters: IDataObject, items: IDataObject[] = [{}]) => runOn(sandbox, { parameters, items });

const VALUE = '={{ $json.value }}';
const itemsOf = (values: unknown[]) => values.map((value) => ({ value })) as IDataObject[];

/** Runs the node, which must stop at item `index` with an error that quotes `label`, and send nothing. */
async function refuses(label: string, parameters: IDataObject, values: unknown[], index = 0): Promise<void> {
  const { status, error, outputs } = await run(parameters, itemsOf(values));
  const place = values.length > 1 ? ` [item ${index}]` : '';
  expect({ status, outputs, message: error?.message }).toEqual({
    status: 'error',
    outputs: [],
    message: expect.stringMatching(/^'.+ must be .+/),
  });
  expect(error?.message).toContain(`'${label}'`);
  expect(error?.message.match(/ \[item .*$/)?.[0] ?? '').toBe(place);
  const isQuestion = parameters.operation === 'lookup';
  const nothing = `Nothing was ${/Template$/.test(String(parameters.resource)) ? 'changed' : 'sent'}`;
  const expected = isQuestion ? undefined : `${nothing}${place === '' ? '' : ' for any item'}.`;
  expect(error?.description?.match(/Nothing was [^.]*\./)?.[0]).toBe(expected);
  expect(error?.description).toContain('and run the node again.');
  expect(sandbox.counts().requests).toBe(0);
}

/** Runs the node with items that have these values, each of which must be sent. */
async function accepts(parameters: IDataObject, values: unknown[]): Promise<void> {
  const { error } = await run(parameters, itemsOf(values));
  expect(error).toBeUndefined();
  expect(sandbox.counts().accepted).toBe(values.length);
}

/** The same, each of which must be an error that quotes `label`. */
async function refusesAll(label: string, parameters: IDataObject, values: unknown[]): Promise<void> {
  const onError = 'continueRegularOutput';
  const items = itemsOf(values);
  const { json } = await runOn(sandbox, { parameters, items, onError });
  expect(json.map(({ error }, item) => [values[item], error])).toEqual(
    values.map((value) => [
      value,
      expect.stringMatching(new RegExp(`^'.*${label.replace(/[()]/g, '\\$&')}'.* must be `)),
    ]),
  );
  expect(sandbox.counts().requests).toBe(0);
}

const option = (name: string): IDataObject => ({ options: { [name]: VALUE } });

it.each<[label: string, operation: string, over: IDataObject, wrong: unknown[], right: unknown[]]>([
  [
    'SMS Lifetime (Seconds)',
    'sendSms',
    option('smsLifetime'),
    [3599, 259_201, 'soon', {}],
    [3600, 259_200, '3600'],
  ],
  [
    'One-Time Password',
    'sendTelegram',
    { message: VALUE },
    ['123', '123456789', '', '12a4', 'code 1234', '12 34', '１２３４'],
    ['0000', '12345678', 4829],
  ],
  [
    'Phone Number',
    'sendSms',
    { phone: VALUE },
    ['', 'nobody', '12345', '1234567890123456', {}, null, true, '38050123456x', '+'],
    ['+380 (50) 123-45-67', 380501234567],
  ],
  [
    'Message ID',
    'sendSms',
    { messageId: VALUE },
    [2 ** 53, '9007199254740992', -1, 1.5, '1.5', 'abc', '1e3', true, {}],
    [0, 1, '42', 2 ** 53 - 1],
  ],
  ['Batch Size', 'sendSms', option('batchSize'), [0, 100_001, 1.5], [100_000]],
  ['Batch Interval (Ms)', 'sendSms', option('batchInterval'), [-1, 3_600_001, 0.5], [3_600_000]],
  ['Timeout (Seconds)', 'sendSms', option('timeout'), [0, 3601, 1.5], [3600]],
])("takes '%s' of %s within its limits only", async (label, operation, over, wrong, right) => {
  const parameters = form(operation, over);
  await refusesAll(label, parameters, wrong);
  await accepts(parameters, right);
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
  const target = 'phone' in over && label !== 'Phone Number' ? { phone: '380501234567', messageId: '' } : {};
  await refuses(label, form(operation, { ...over, ...target }), ['']);
});

const SLIDE = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };
const carousel = (operation: string, slides: IDataObject[]) =>
  form(operation, { ...viberForm('carousel'), viberCarousel: { slides } });

it.each([
  [1, '1 entry'],
  [6, '6 entries'],
])('a carousel of %i slides is refused', async (count, received) => {
  const { error } = await run(carousel('sendViber', Array(count).fill(SLIDE) as IDataObject[]));
  expect(error?.message).toContain("'Viber Carousel' must be a list of 2 to 5 slides");
  expect(error?.description).toContain(`Received: ${received}. `);
});

const SMS_STAGE = { channel: 'sms', message: 'Hi', signature: 'TestSender' };
const VIBER_STAGE = { channel: 'viber', message: 'Hi', signature: 'ViberSender', viberType: 'text' };
const pipeline = (...stages: IDataObject[]) => form('sendPipeline', { pipeline: { stages } });

it("names the place of what is refused among 'Channels' and slides", async () => {
  const ofSlide = await run(carousel('sendViber', [SLIDE, { ...SLIDE, caption: VALUE }]), [{ value: '' }]);
  expect(ofSlide.error?.message).toContain("slide 2 in 'Viber Carousel'");
  const ofStage = await run(pipeline(VIBER_STAGE, { ...SMS_STAGE, signature: VALUE }), [{ value: '' }]);
  expect(ofStage.error?.message).toMatch(
    /^'Sender' of channel 2 \(SMS\) in 'Channels' must be the name of a sender/,
  );
});

it.each<[what: string, label: string, parameters: IDataObject, value: unknown]>([
  ['a channel that comes twice', 'Channels', pipeline(SMS_STAGE, VIBER_STAGE, SMS_STAGE), ''],
  ['no channel', 'Channels', pipeline(), ''],
  [
    'an unknown type',
    'Viber Message Type',
    form('sendViber', { ...viberForm('text+image+link'), viberType: VALUE }),
    'video',
  ],
  [
    'a carousel where there is no field for it',
    'Viber Message Type',
    form('sendViberSms', { ...viberForm('text+image+link'), viberType: VALUE }),
    'carousel',
  ],
  ['a template that is not named', 'Template Text', form('delete', { template: VALUE }), ''],
  ['an unknown mode', 'Send Mode', form('sendSms', { delivery: VALUE }), 'later'],
  ['a switch', 'Shorten Links', form('sendSms', option('shortLink')), 'maybe'],
  ['a list', 'Additional Properties', form('sendSms', option('additionalProperties')), '[1]'],
  [
    'another type',
    'Additional Properties',
    form('sendSms', option('additionalProperties')),
    '{"type":"viber"}',
  ],
  ['a key', 'Additional Properties', form('sendSms', option('additionalProperties')), '{"auth":"x"}'],
  ['no address', 'Callback URL', form('sendSms', option('hook')), 'not an address'],
])("refuses %s as '%s'", async (_, label, parameters, value) => await refuses(label, parameters, [value]));

it('names the first item that is refused, and sends nothing for the others either', async () => {
  const phones = Array.from({ length: 6 }, (_, item) => (item === 4 ? 'x' : '380501234567'));
  await refuses('Phone Number', form('sendSms', { phone: VALUE }), phones, 4);
  await refuses('Message ID', form('sendSms', { messageId: VALUE }), [1, 2, '1'], 2);
});

it.each([
  ['', /^It is empty\. /],
  ['x'.repeat(60), /^Received: x{60}\. /],
  ['x'.repeat(61), /^Received: x{60}…\. /],
  [{ a: 1 }, /^Received: \{"a":1\}\. /],
])('shows the value that is refused, shortened: %j', async (value, shown) => {
  const { error } = await run(form('sendSms', { phone: VALUE }), [{ value } as IDataObject]);
  expect(error?.description).toMatch(shown);
});

it.each([
  ["'Async URL' of the credential is empty", { asyncUrl: '' }],
  ["'Async URL' of the credential is not a web address", { asyncUrl: 'gateway.example.com' }],
])('refuses a queued send when %s, also beside one that is not queued', async (message, address) => {
  const { error, outputs } = await runNode({
    parameters: form('sendSms', { delivery: VALUE }),
    items: [{ value: 'now' }, { value: 'queued' }],
    credentials: credentialsFor({ ...sandbox, ...address }),
  });
  expect([error?.message, outputs]).toEqual([message, []]);
  expect(error?.description).toContain("'Async URL'");
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
    ['SMS Text', form('sendSms', { smsMessage: FAILS }), "Referenced node doesn't exist"],
    ['SMS Text', form('sendSms', { smsMessage: '={{ 1 + }}' }), 'invalid syntax'],
    ['Options', form('sendSms', { options: { hook: FAILS } }), "Referenced node doesn't exist"],
    ['Arguments', CALL_TOOL, "Referenced node doesn't exist"],
  ])("names the item and '%s', with the words of the engine", async (label, parameters, words) => {
    const { error, outputs } = await run(parameters);
    expect([error?.message, outputs]).toEqual([`'${label}' can't be read: ${words}`, []]);
    expect(error?.description).toMatch(`Correct the value or the expression of '${label}'`);
    expect(error?.context).toMatchObject({ itemIndex: 0 });
    expect(sandbox.counts().requests).toBe(0);
  });

  it('names the item that it is about, and sends the others where the node is to go on', async () => {
    const { outputs } = await runOn(sandbox, {
      parameters: form('sendSms', { smsMessage: '={{ $json.text.toDateTime().toISO() }}' }),
      items: [{ text: '2026-01-02' }, { text: 'no date' }],
      onError: 'continueErrorOutput',
    });
    expect(outputs[0]).toHaveLength(1);
    expect(outputs[1].map(({ json }) => json)).toMatchObject([
      {
        error: expect.stringMatching(/^'SMS Text' can't be read: .{10,} \[item 1\]$/),
        details: { description: expect.stringMatching(/.{20,}/) },
      },
    ]);
  });

  it('says it in the words that the editor shows, which has a template for some errors', async () => {
    // A node that has not run: the editor would show the template of this error in place of its message.
    const parameters = form('sendSms', { smsMessage: "={{ $('Later').item.json.text }}" });
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
