/** The option Callback Fields in n8n's engine: what leaves in the callback address, what a wait brings back, what is refused. */
import type { IDataObject } from 'n8n-workflow';

import { triggerIn } from '../../nodes/gateway/callback/address.ts';
import { deriveCallbackKey, openFacts } from '../../nodes/gateway/callback/message-facts.ts';
import { OPERATION_CASES } from '../support/operation-cases.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox({ config: { outcomes: { afterMs: 10 } } });

const HOOK = 'https://n8n.example.com/webhook/0f/callback?secret=abc#x';
const ITEMS = [
  { phone: '+380501234561', order: 'A-1', name: 'Олена «Л»', amount: 12.5 },
  { phone: '+380501234562', order: 'A-2', name: '', amount: 0 },
];
const FIELDS = {
  values: [
    { name: 'order', value: '={{ $json.order }}' },
    { name: 'name', value: '={{ $json.name }}' },
    { name: 'amount', value: '={{ $json.amount }}' },
    { name: 'list', value: 'spring' },
  ],
};
const expected = ITEMS.map(({ order, name, amount }) => ({ order, name, amount, list: 'spring' }));

const run = async (options: IDataObject, over: IDataObject = {}, more: object = {}) =>
  await runOn(sandbox, {
    parameters: smsForm({ options: grouped(options), ...over }),
    items: ITEMS,
    ...more,
  });
const sent = () => sandbox.messages.list().map(({ operation }) => operation as IDataObject);
const opened = (operation: IDataObject, id = operation.id) =>
  openFacts(
    deriveCallbackKey(sandbox.account().key),
    { id: id as number, trigger: triggerIn(String(operation.hook)) },
    new URL(String(operation.hook)).searchParams.get('seal'),
  );

type Reporting = [type: string, over: IDataObject, options?: IDataObject];

/** The form of each message whose status comes to its hook, by its type. */
const REPORTING = OPERATION_CASES.filter(({ wire }) => 'hook' in wire).map(
  ({ resource, operation, parameters: { options: _, ...form }, wire: { type } }): Reporting => [
    String(type),
    { resource, operation, ...form },
  ],
);

it.each<Reporting>([...REPORTING, ['sms', {}, { delivery: 'queued' }]])(
  'seals them for each message: %s',
  async (type, over, options = {}) => {
    const { error, json } = await run({ ...options, hook: HOOK, callbackFields: FIELDS }, over);
    expect(error).toBeUndefined();
    await sandbox.settled();
    const operations = sent();
    expect(operations.map((one) => opened(one as IDataObject))).toEqual(
      ITEMS.map(({ phone }, i) => ({ phone: Number(phone), sentAs: type, fields: expected[i] })),
    );
    for (const { hook } of operations) {
      expect(String(hook)).toMatch(
        /^https:\/\/n8n\.example\.com\/webhook\/0f\/callback\?secret=abc.*&seal=.*#x$/,
      );
      // The seal itself is random text, which may hold anything that is as short as these.
      const beside = decodeURIComponent(String(hook)).replace(/seal=[\w-]+/, '');
      expect(beside).not.toMatch(/A-1|spring|3805/);
      expect(hook).not.toContain('380501234561');
    }
    // Each for its own message.
    expect(opened(operations[0], operations[1].id)).toBeUndefined();
    for (const row of json) expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['fields']));
  },
);

it('brings them back in the rows of Wait for Delivery', async () => {
  const { error, json } = await run({ callbackFields: FIELDS }, { waitForDelivery: true });
  expect(error).toBeUndefined();
  expect(json.map(({ fields, sent_as: type, phone }) => ({ fields, type, phone }))).toEqual(
    ITEMS.map(({ phone }, i) => ({ fields: expected[i], type: 'sms', phone: Number(phone) })),
  );
});

it('shows no seal by Check Only', async () => {
  const result = await run({ hook: HOOK, callbackFields: FIELDS, checkOnly: true });
  expect(JSON.stringify([result.task?.data, result.hints])).not.toContain('mgseal1_');
  expect(result.json[0]).toMatchObject({
    operation: { hook: 'https://n8n.example.com/webhook/0f/callback?secret=***&seal=***#x' },
  });
});

describe('what is refused before anything is sent', () => {
  const one = (name: unknown, value: unknown = 'x') => ({ values: [{ name, value }] }) as IDataObject;
  it.each<[what: string, options: IDataObject, words: string]>([
    [
      'without an address',
      { hookFromTrigger: false, callbackFields: FIELDS },
      "'To This Workflow', 'Callback URL'",
    ],
    [
      'with an empty name',
      { hook: HOOK, callbackFields: one(' ') },
      "'Name' of field 1 in 'Callback Fields'",
    ],
    ['with an unsafe name', { hook: HOOK, callbackFields: one('__proto__') }, "'Name' of field 1"],
    ['with an object', { hook: HOOK, callbackFields: one('a', '={{ ({ b: 1 }) }}') }, "'Value' of field 1"],
    [
      'with a name twice',
      { hook: HOOK, callbackFields: { values: [...FIELDS.values, { name: 'order', value: 'x' }] } },
      "'Name' of field 5",
    ],
    ['that are too long', { hook: HOOK, callbackFields: one('a', 'x'.repeat(700)) }, 'of 900 at most'],
  ])('fields %s are refused', async (_, options, words) => {
    const { error } = await run(options);
    expect(`${error?.message} ${error?.description}`).toContain(words);
    expect(sandbox.counts().requests).toBe(0);
  });

  it('an address of 901 characters, and not one of 900', async () => {
    const [{ phone }] = ITEMS;
    const lengthWith = async (padding: number) => {
      const hook = `https://n8n.example.com/webhook/${'x'.repeat(padding)}`;
      const options = { hook, callbackFields: { values: [{ name: 'a', value: 'b' }] } };
      const { error } = await run({ ...options, messageId: 7 }, {}, { items: [{ phone }] });
      return error ? undefined : String(sent().at(-1)?.hook).length;
    };
    const bare = Number(await lengthWith(1));
    expect(await lengthWith(901 - bare)).toBe(900);
    expect(await lengthWith(902 - bare)).toBeUndefined();
  });
});
