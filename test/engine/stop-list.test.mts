/** The option Stop List in n8n's engine: rows that are skipped, and what they count as. cost-of-skips.test.mts has its cost. */
import type { IDataObject } from 'n8n-workflow';

import { grouped, sentTo, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const ITEMS = ['+380501234561', '380 50 123 45 62', '0501234563', '380501234564'].map((phone) => ({ phone }));
const LIST = ['380501234562', { phone: '050 123 45 63' }];
const SKIPPED = { result: 'skipped', reason: 'stop_list', type: 'sms' };

const send = async (
  stopList: unknown,
  options: IDataObject = {},
  more: object = {},
  form: IDataObject = {},
) =>
  await runOn(sandbox, {
    parameters: smsForm({ options: { country: 'UA', stopList, ...options } as IDataObject, ...form }),
    items: ITEMS,
    ...more,
  });
const phones = () => sentTo(sandbox).map(({ phone }) => phone);

it('skips the rows whose numbers are on it, each in its place', async () => {
  const { error, json, items, hints } = await send(LIST);
  expect(error).toBeUndefined();
  expect(json).toEqual([
    expect.objectContaining({ phone: 380501234561, msg_id: expect.any(Number) }),
    { ...SKIPPED, id: expect.any(Number), phone: 380501234562 },
    { ...SKIPPED, id: expect.any(Number), phone: 380501234563 },
    expect.objectContaining({ phone: 380501234564, msg_id: expect.any(Number) }),
  ]);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
  expect(phones()).toEqual([380501234561, 380501234564]);
  expect(hints).toEqual(['2 of 4 were skipped: on the stop list']);
});

it('sends nothing where all are on it, and to all where nobody is', async () => {
  const { json } = await send(ITEMS);
  expect(json.map(({ result }) => result)).toEqual(Array(4).fill('skipped'));
  expect(phones()).toEqual([]);
  await send([]);
  expect(phones()).toHaveLength(4);
});

it('does not count skipped rows against limits, ids and keys', async () => {
  const limits = { values: { maxMessages: 2 } };
  expect((await send(LIST, { limits })).error).toBeUndefined();
  const { json } = await send(LIST, grouped({ sendOnceKey: '={{ $json.phone }}' }));
  expect(json.map(({ result }) => result)).toEqual(['sent', 'skipped', 'skipped', 'sent']);
});

it('says by Check Only who would be skipped', async () => {
  const { json, hints } = await send(LIST, { checkOnly: true });
  expect(json.map(({ result }) => result)).toEqual(['checked', 'skipped', 'skipped', 'checked']);
  expect(hints).toEqual([
    "2 messages, 2 SMS parts. Nothing was sent: 'Check Only' is on. 2 of 4 were skipped: on the stop list",
  ]);
  expect(sandbox.counts().requests).toBe(0);
});

it('waits for none of the skipped rows', async () => {
  const { json, status } = await send(LIST, {}, {}, { waitForDelivery: true, waitAmount: 1 });
  expect(status).toBe('waiting');
  expect(json.map(({ result, final }) => [result, final])).toEqual([
    ['sent', false],
    ['skipped', undefined],
    ['skipped', undefined],
    ['sent', false],
  ]);
});

it.each<[what: string, value: unknown]>([
  ['an expression that comes to nothing', '={{ undefined }}'],
  ['a column that is missing', '={{ $json.nobody }}'],
  ['the row of an error', '={{ [{ json: { error: "not found" } }] }}'],
  ['a node that did not run', "={{ $('Nowhere').all() }}"],
])('sends to nobody where the list is %s', async (_, value) => {
  const stopped = await send(value);
  expect(stopped.error).toBeDefined();
  const continued = await send(value, {}, { onError: 'continueRegularOutput' });
  expect(continued.json).toHaveLength(4);
  for (const { error } of continued.json) expect(error).toMatch(/'Stop List'|'Options' can't be read/);
  expect(sandbox.counts().requests).toBe(0);
});
