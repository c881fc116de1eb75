/** "Check Only" in n8n's engine: what would be sent and what it would be billed as, and nothing sent. */
import type { IDataObject } from 'n8n-workflow';

import { OPERATION_CASES } from '../support/operation-cases.mts';
import { smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const SENDS = OPERATION_CASES.filter(({ output }) => 'msg_id' in output);
const CHECK = { checkOnly: true };
const ITEMS = [
  { id: 1, phone: '+380501234561' },
  { id: 2, phone: '+380501234562' },
];

describe.each(
  SENDS.map((one) => [`${one.operation} ${JSON.stringify(one.wire).slice(0, 70)}`, one] as const),
)('%s', (_, { resource, operation, parameters, wire }) => {
  it.each(['now', 'queued'])(
    'gives the operation as it would be sent (%s), and sends nothing',
    async (delivery) => {
      const options = { ...(parameters.options as IDataObject | undefined), ...CHECK };
      const { error, items } = await runOn(sandbox, {
        parameters: { resource, operation, ...parameters, delivery, options },
        items: ITEMS,
      });
      expect(error).toBeUndefined();
      expect(sandbox.counts().requests).toBe(0);
      expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
      items.forEach(({ json }, item) => {
        const target = { id: item + 1, phone: 380501234561 + item };
        const asSent = { ...wire, ...target };
        expect(json).toMatchObject({ ...target, type: wire.type, checked: true });
        expect(json.operation).toStrictEqual(asSent);
        expect('sms' in json).toBe('sms_message' in wire || 'sms' in wire);
      });
    },
  );
});

const sms = (over: IDataObject, items: IDataObject[], onError?: 'continueRegularOutput') =>
  runOn(sandbox, {
    parameters: smsForm({ smsMessage: '={{ $json.text }}', ...over }),
    items,
    onError,
  });

const PHONE = '380501234567';

it('stops at bad input as a send does, and gives the reason among the others with On Error set to continue', async () => {
  const items = [
    { phone: PHONE, text: 'a' },
    { phone: 'nobody', text: 'b' },
  ];
  const stopped = await sms({ options: CHECK }, items);
  expect(stopped.error?.message).toMatch(/^'Phone Number' must be .* \[item 1\]$/);
  const { json, task } = await sms({ options: CHECK }, items, 'continueRegularOutput');
  expect(json).toMatchObject([
    { checked: true, sms: { encoding: 'GSM-7', segments: 1 } },
    { error: expect.stringContaining('[item 1]') },
  ]);
  expect(task?.hints?.map(({ message }) => message)).toEqual([
    "Nothing was sent: 'Check Only' is on",
    '1 of 2 items failed: see "error" in its item',
    '1 message, 1 SMS part',
  ]);
  expect(sandbox.counts().requests).toBe(0);
});

it('is decided for each item: the others are sent, and the editor says how many were', async () => {
  const items = [true, false, 'true'].map((check, i) => ({ phone: PHONE, text: `${i}`, check }));
  const { json, task } = await sms({ options: { checkOnly: '={{ $json.check }}' } }, items);
  expect(json.map(({ checked, msg_id }) => [checked, typeof msg_id])).toEqual([
    [true, 'undefined'],
    [undefined, 'number'],
    [true, 'undefined'],
  ]);
  expect(sandbox.messages.list().map(({ operation }) => operation.sms_message)).toEqual(['1']);
  expect(task?.hints?.map(({ message, type }) => [type, message])).toEqual([
    ['info', "2 of 3 messages were not sent: 'Check Only' is on for them"],
  ]);
});

it('shows no address of the execution, which holds its signature, where the item would wait', async () => {
  const { json } = await runOn(sandbox, {
    parameters: smsForm({ phone: PHONE, waitForDelivery: true, options: CHECK }),
    items: [{}],
  });
  expect(json).toMatchObject([{ checked: true }]);
  expect(JSON.stringify(json)).not.toMatch(/webhook-waiting|signature=/);
  expect(json[0].operation).not.toHaveProperty('hook');
});
